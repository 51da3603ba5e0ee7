import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneCaptures

/// Apps, processes and interfaces that headers inside the frames name.
struct NamedLinkTests {
    private static let packet = PacketBytes.ipv4(PacketBytes.udp(50_000, 53))

    private static func padded(_ text: String, _ length: Int) -> [UInt8] {
        Array(text.utf8) + [UInt8](repeating: 0, count: length - text.utf8.count)
    }

    /// A header of PKTAP, version 1, in front of raw IP.
    private static func header(
        length: UInt32 = 108, next: UInt32 = 1, interface: String = "en0", flags: UInt32 = 0, process: String = "Mail",
        effective: (UInt32, String) = (0, "Safari")
    ) -> [UInt8] {
        var bytes = CaptureBytes(isBigEndian: false)
        for word in [length, next, 12] { bytes.put(word) }
        bytes.put(padded(interface, 24))
        for word in [flags, 2, 14, 0, 501] { bytes.put(word) }
        bytes.put(padded(process, 20))
        bytes.put([UInt8](repeating: 0, count: 8))
        bytes.put(effective.0)
        bytes.put(padded(effective.1, 20))
        return bytes.bytes
    }

    /// Broken: another process than the acting one is named, or a direction is read from the wrong bits.
    @Test func readsPKTAP() throws {
        let packet = Self.packet
        func read(_ header: [UInt8]) throws -> Dissected { try Dissected(header + packet, 258) }
        for (flags, direction) in [(0, .unknown), (1, .down), (2, .up), (3, .down), (4, .unknown)]
            as [(UInt32, PacketDirection)]
        {
            #expect(try read(Self.header(flags: flags)).result.direction == direction, "flags \(flags)")
        }
        // A process that acts for another one: its number is neither 0 nor -1, and it has a name.
        for (number, name, app) in [
            (0, "Safari", "Mail"), (.max, "Safari", "Mail"), (7, "Safari", "Safari"), (7, "", "Mail"),
        ] as [(UInt32, String, String)] {
            #expect(try read(Self.header(effective: (number, name))).app == app)
        }
        #expect(try read(Self.header(process: "")).app == nil)
        // The longest names: 17 bytes of a process, 24 of an interface. The bytes after them are other fields.
        let longest = String(repeating: "p", count: 20)
        #expect(try read(Self.header(process: longest)).app?.count == 17)
        #expect(try read(Self.header(effective: (1, longest))).app?.count == 17)
        let wide = try read(Self.header(interface: String(repeating: "i", count: 24), flags: 1))
        #expect(wide.interface.name?.count == 24 && wide.interface.linkType == 12 && wide.interface.isInner)
        // Without a name the frame stays on the interface of the file.
        #expect(try read(Self.header(interface: "")).packet.interface == 0)
        for next in [0, 2] as [UInt32] { #expect(try read(Self.header(next: next)).packet.network == .other) }
        #expect(try read(Self.header(length: 107)).packet.network == .other)
        #expect(try read(Self.header(length: 107)).app == nil)
        let longer = try read(Self.header(length: 110) + [0, 0])
        #expect(longer.packet.network == .ipv4 && longer.packet.linkHeaderLength == 110)
        // The header needs all of its bytes, and the frame as many as the header claims.
        let whole = Self.header(length: 108)
        #expect(try Dissected(whole, 258).app == "Mail" && Dissected(Array(whole.dropLast()), 258).app == nil)
        let claims = Self.header(length: 109)
        #expect(try Dissected(claims, 258).app == nil)
    }

    /// Broken: a text of the second version of PKTAP is read from another place, or beyond the header.
    @Test func readsTheSecondVersionOfPKTAP() throws {
        func header(_ length: UInt8, _ interface: UInt8, _ process: UInt8, _ acting: UInt8, flags: UInt8 = 2) -> [UInt8]
        {
            [length, 0, 0, interface, process, acting, 12, 0] + [UInt8](repeating: 0, count: 28) + [flags, 0, 8, 0]
        }
        let texts = Self.padded("en0", 8) + Self.padded("Mail", 8) + Self.padded("Safari", 8)
        func read(_ header: [UInt8]) throws -> Dissected { try Dissected(header + texts + Self.packet, 258) }
        let both = try read(header(64, 40, 48, 56))
        #expect(both.app == "Safari" && both.interface.name == "en0" && both.interface.linkType == 12)
        #expect(both.packet.linkHeaderLength == 64 && both.result.direction == .up)
        #expect(try read(header(64, 40, 48, 0)).app == "Mail" && read(header(64, 40, 0, 0)).app == nil)
        // An offset inside the fixed part of the header is no text.
        #expect(try read(header(64, 39, 48, 39)).app == "Mail" && read(header(64, 39, 0, 0)).packet.interface == 0)
        // A text ends with the header.
        #expect(try read(header(52, 40, 48, 50)).app == "il")
        #expect(try read(header(39, 40, 48, 56)).app == nil && read(header(39, 0, 0, 0)).packet.network == .other)
        let short = header(40, 0, 0, 0) + Self.packet
        #expect(try Dissected(short, 258).packet.network == .ipv4)
        #expect(try Dissected(header(64, 40, 48, 56) + texts.dropLast(), 258).app == nil)
        #expect(try Dissected(Array(header(40, 0, 0, 0).dropLast()), 258).result.direction == .unknown)
        #expect(try Dissected(header(40, 0, 0, 0), 258).result.direction == .up)
        let long = header(64, 40, 0, 0) + Self.padded(String(repeating: "i", count: 24), 24)
        #expect(try Dissected(long + Self.packet, 258).interface.name?.count == 24)
    }

    /// Broken: interfaces that frames name are mixed up, or counted as interfaces of the file.
    @Test func separatesInterfacesOfCookedFrames() throws {
        func frame(_ number: UInt8) -> [UInt8] {
            [8, 0, 0, 0, 0, 0, 1, number, 0, 1, 4, 6] + [UInt8](repeating: 0, count: 8) + Self.packet
        }
        var file = PcapWriter(linkType: 276)
        for number in [3, 9, 3, 3] as [UInt8] { file.add(frame(number), at: 1_000) }
        let reading = try Reading(file.bytes)
        #expect(reading.capture.interfaces.map(\.name) == [nil, "interface 259", "interface 265"])
        #expect(reading.capture.interfaces.map(\.packets) == [0, 3, 1])
        #expect(reading.capture.interfaces.map(\.isInner) == [false, true, true])
        #expect(reading.capture.interfaces.map(\.linkType) == [276, 276, 276])
        #expect(reading.packets.map(\.interface) == [1, 2, 1, 1] && reading.capture.linkTypes == [276])
    }

    /// Broken: the app of an NFLOG packet is not read, or read from a field that is not complete.
    @Test(
        arguments: [
            ([8, 0, 11, 0, 0, 0, 0x27, 0x7b], "uid 10107"), ([8, 0, 12, 0, 0, 0, 0x27, 0x7b], nil),
            ([7, 0, 11, 0, 0, 0, 0x27, 0x7b], nil), ([8, 0, 11, 0, 0, 0, 0x27], nil),
            ([8, 0, 10, 0, 1, 1, 1, 1, 8, 0, 11, 0, 0, 0, 0, 5], "uid 5"),
        ] as [([UInt8], String?)])
    func readsTheAppOfNFLOG(_ fields: [UInt8], _ app: String?) throws {
        #expect(try Dissected([2, 0, 0, 0] + fields, 239).app == app)
        #expect(try Dissected([2, 1, 0, 0] + fields, 239).app == nil)
        guard app != nil else { return }
        let payload = [UInt8(Self.packet.count + 4), 0, 9, 0] + Self.packet
        let whole = try Dissected([2, 0, 0, 0] + fields + payload, 239)
        #expect(whole.app == app && whole.packet.network == .ipv4)
        #expect(whole.packet.linkHeaderLength == UInt32(8 + fields.count))
    }

    /// Broken: PCAPdroid's trailer is found in other frames, or misses a field.
    @Test func readsTheTrailer() throws {
        let zero = [UInt8](repeating: 0, count: 12)
        func trailer(_ name: String, magic: UInt32 = 0x0107_2021) -> [UInt8] {
            var bytes = CaptureBytes()
            bytes.put(magic)
            bytes.put(UInt32(7))
            bytes.put(Self.padded(name, 20) + [65, 65, 65, 65])
            return bytes.bytes
        }
        let frame = zero + [8, 0]
        let bare = try Dissected(frame + trailer("Chat"), 1)
        #expect(bare.app == "Chat" && bare.packet.trailerLength == 32 && bare.registry.isFromPCAPdroid)
        #expect(bare.registry.apps == [App(name: "Chat", user: 7)])
        // The longest name has twenty bytes; the check sequence follows.
        #expect(try Dissected(frame + trailer(String(repeating: "n", count: 20)), 1).app?.count == 20)
        #expect(try Dissected(frame + trailer("Chat", magic: 0x0107_2022), 1).app == nil)
        #expect(try Dissected(frame.dropLast() + trailer("Chat"), 1).app == nil)
        for place in [0, 5, 6, 11] {
            var other = frame + trailer("Chat")
            other[place] = 1
            let one = try Dissected(other, 1)
            #expect(one.app == nil && one.packet.trailerLength == 0 && !one.registry.isFromPCAPdroid)
        }
    }
}
