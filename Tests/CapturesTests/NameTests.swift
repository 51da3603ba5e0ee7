import DeadzoneCaptures
import DeadzoneTestKit
import Testing

/// Host names of remotes, derived from DNS and TLS in the capture.
struct NameTests {
    private func flowName(_ packets: [[UInt8]]) throws -> String? {
        var file = PcapWriter(linkType: 101)
        for packet in packets { file.add(packet, at: 0) }
        let reading = try Reading(file.bytes)
        let last = try #require(reading.packets.last { $0.isTCP })
        return reading.capture.remoteName(reading.capture.flow(last.flow))
    }

    private func down(_ segment: PacketBytes.Segment) -> [UInt8] {
        PacketBytes.ipv4(segment, from: PacketBytes.server, to: PacketBytes.phone)
    }

    private func up(_ payload: [UInt8], sequence: UInt32 = 2) -> [UInt8] {
        PacketBytes.ipv4(PacketBytes.tcp(40_000, 443, sequence: sequence, payload: payload))
    }

    @Test func usesTheQueriedName() throws {
        // Broken: the alias in an answer becomes the server's name, or the server has no name.
        let answer = Samples.dnsAnswer("Chat.Example.ORG", PacketBytes.server)
        #expect(try flowName([down(PacketBytes.udp(53, 50_000, payload: answer)), up([])]) == "chat.example.org")
        // A query is not an answer.
        var question = answer
        question[2] = 1
        #expect(try flowName([down(PacketBytes.udp(53, 50_000, payload: question)), up([])]) == nil)
    }

    @Test func prefersTheNameInTheHandshake() throws {
        // Broken: the wrong name is shown for an address with several names.
        let answer = down(
            PacketBytes.udp(53, 50_000, payload: Samples.dnsAnswer("edge.example.net", PacketBytes.server)))
        #expect(try flowName([answer, up(Samples.clientHello("api.example.org"))]) == "api.example.org")
    }

    @Test(arguments: [100, 500, 1_000, 1_380])
    func readsAHandshakeInPieces(_ cut: Int) throws {
        // Broken: the name in a ClientHello longer than one segment, as browsers send today, is not found.
        let hello = Samples.clientHello("api.example.org", padding: 1_500)
        let (first, second) = (Array(hello.prefix(cut)), Array(hello.dropFirst(cut)))
        let next = UInt32(2 + cut)
        #expect(try flowName([up(first), up(second, sequence: next)]) == "api.example.org")
        // A repeated segment changes nothing; a gap ends the search.
        #expect(try flowName([up(first), up(first), up(second, sequence: next)]) == "api.example.org")
        #expect(try flowName([up(first), up(second, sequence: next + 1)]) == nil)
    }

    @Test func survivesCompressionLoopsInNames() throws {
        // Broken: a DNS name that points at itself is followed for ever.
        var circle = Samples.dnsAnswer("a.b", PacketBytes.server)
        circle.replaceSubrange(12..<14, with: [0xc0, 12])
        #expect(try flowName([down(PacketBytes.udp(53, 1, payload: circle)), up([])]) == nil)
    }

    @Test func readsNamesAndAppsFromTheFile() throws {
        // Broken: name records, PCAPdroid's apps or Apple's processes in pcapng are lost.
        var file = PcapngWriter()
        file.addInterface(linkType: 101)
        file.addBlock(
            4,
            file.part { part in
                part.put(UInt16(1))
                part.put(UInt16(14))
                part.put(PacketBytes.server + Array("server.lan".utf8))
            })
        file.addBlock(
            0xbad,
            file.part { part in
                part.put(UInt32(62_652))
                part.put(UInt16(1))
                part.put([1, 0])
                part.put(UInt32(10_123))
                part.put([10, 4] + Array("org.examplChat".utf8) + [0, 0])
            })
        file.addBlock(0x8000_0001, file.part { $0.put(UInt32(501)) }, options: [.init(2, "Mail")])
        file.add(up([]), at: 1, options: [.init(1, "u-10123")])
        file.add(up([]), at: 2, options: [.init(32_769, [0, 0, 0, 0]), .init(2, [2, 0, 0, 0])])
        let reading = try Reading(file.bytes)
        #expect(reading.packets.map { reading.capture.apps[Int($0.app.index)].name } == ["Chat", "Mail"])
        #expect(reading.packets.last?.direction == .up && reading.capture.isFromPCAPdroid)
        let flow = reading.capture.flow(reading.packets[0].flow)
        #expect(reading.capture.remoteName(flow) == "server.lan" && reading.fault == nil)
    }

    @Test func readsTheTrailerOfPCAPdroid() throws {
        // Broken: the app of a packet is lost in the one format that records it in every packet.
        var trailer = CaptureBytes()
        trailer.put(UInt32(0x0107_2021))
        trailer.put(UInt32(10_042))
        trailer.put(Array("Signal".utf8) + [UInt8](repeating: 0, count: 14 + 4))
        let zero = [UInt8](repeating: 0, count: 6)
        var file = PcapWriter()
        file.add(PacketBytes.ethernet(up([1]), from: zero, to: zero) + [0, 0] + trailer.bytes, at: 0)
        let reading = try Reading(file.bytes)
        #expect(reading.capture.apps == [App(name: "Signal", user: 10_042)])
        #expect(reading.packets[0].app == AppID(0) && reading.packets[0].payloadLength == 1)
        // The bytes that PCAPdroid adds do not cross the radio. Two bytes of padding remain.
        #expect(reading.packets[0].networkLength == UInt32(up([1]).count + 2))
        // An app may have only a number or only a name; with neither, no app is recorded.
        for (user, name, app) in [(10_043, "", "uid 10043"), (.max, "Signal", "Signal"), (.max, "", nil)]
            as [(UInt32, String, String?)]
        {
            var trailer = CaptureBytes()
            trailer.put(UInt32(0x0107_2021))
            trailer.put(user)
            trailer.put(Array(name.utf8) + [UInt8](repeating: 0, count: 24 - name.utf8.count))
            var file = PcapWriter()
            file.add(PacketBytes.ethernet(up([1]), from: zero, to: zero) + trailer.bytes, at: 0)
            #expect(try Reading(file.bytes).capture.apps == [app.map { App(name: $0, user: user) }].compactMap(\.self))
        }
    }
}
