import DeadzoneBase
import DeadzoneCaptures
import DeadzoneDevice
import DeadzoneReplay
import DeadzoneTestKit
import Testing

/// The notes of a report: what was left out, and what makes the joules doubtful.
struct NoteTests {
    private static let packet = PacketBytes.ipv4(PacketBytes.tcp(50_000, 443))

    private static func notes(
        _ technology: Technology = .wifi, filter: String? = nil, _ write: (inout PcapngWriter) -> Void
    ) throws
        -> [String]
    {
        var file = PcapngWriter()
        write(&file)
        let reader = try readCapture(file.bytes, filter: filter.map { try CaptureFilter($0) })
        return ReplayReport.notes(reader, technology)
    }

    /// Broken: a note that changes the meaning of the result is missing, or has another number or noun.
    @Test func notesSayHowToReadTheResult() throws {
        #expect(try Self.notes { $0.addInterface(linkType: 101) }.isEmpty)
        let simple = { (file: inout PcapngWriter, count: Int) in
            for _ in 0..<count { file.addBlock(3, file.part { $0.put(UInt32(40)) } + Self.packet) }
        }
        for (count, noun) in [(1, "1 packet"), (2, "2 packets")] {
            let unread = try Self.notes { file in
                file.addInterface(linkType: 101)
                file.addInterface(linkType: 201)
                file.add(Self.packet, at: 1)
                for _ in 0..<count { file.add(Self.packet, at: 1, interface: 1) }
            }
            let words =
                "of link type Bluetooth HCI H4 with direction counted, but not decoded: this link type is not supported"
            #expect(unread == ["\(noun) \(words)"])
            let unstamped = try Self.notes { file in
                file.addInterface(linkType: 101)
                simple(&file, count)
            }
            #expect(unstamped == ["\(noun) without a timestamp: the previous timestamp is used"])
            let reversed = try Self.notes { file in
                file.addInterface(linkType: 101)
                for at in [9, 5, 3].prefix(count + 1) { file.add(Self.packet, at: UInt64(at)) }
            }
            #expect(reversed == ["\(noun) with an earlier timestamp than the previous packet"])
            let filtered = try Self.notes(filter: "udp") { file in
                file.addInterface(linkType: 101)
                for _ in 0..<count { file.add(Self.packet, at: 1) }
            }
            #expect(filtered == ["\(noun) left out by the filter"])
            let dropped = try Self.notes { file in
                file.addInterface(linkType: 101)
                file.add(Self.packet, at: 1)
                file.addBlock(
                    5, [UInt8](repeating: 0, count: 12), options: [.init(5, [UInt8(count), 0, 0, 0, 0, 0, 0, 0])])
            }
            #expect(dropped == ["\(noun) lost by the capturing system, according to the file"])
        }
    }

    /// Broken: a filter that cannot be applied, a comment, or a simulated radio is not mentioned.
    @Test func notesSayWhatTheFileContains() throws {
        let stations = try Self.notes(filter: "ether broadcast") { file in
            file.addInterface(linkType: 101)
            file.add(Self.packet, at: 1)
        }
        #expect(
            stations == [
                "1 packet left out by the filter",
                "libpcap cannot filter link type raw IP, so none of its packets passes",
            ])
        for count in [1, 3, 4, 6] {
            let comments = try Self.notes { file in
                file.addInterface(linkType: 101)
                for index in 0..<count { file.add(Self.packet, at: 1, options: [.init(1, "remark \(index)")]) }
            }
            let listed = (0..<min(count, 3)).map { "comment in the file: remark \($0)" }
            #expect(comments == listed + (count > 3 ? ["and \(count - 3) more comments"] : []))
        }
        for names in [["a"], ["a", "b"], ["a", "b", "c", "d", "e"]] {
            let simulated = try Self.notes { file in
                file.addBlock(0x0a0d_0d0a, Array(file.bytes[8..<24]), options: [.init(4, "deadzone")])
                for (index, name) in names.enumerated() {
                    file.addInterface(linkType: 101, options: [.init(2, name)])
                    file.add(Self.packet, at: 1, interface: UInt32(index))
                }
                file.addInterface(linkType: 101, options: [.init(2, "silent")])
            }
            let text =
                "\(names.count) simulated radios are in this file (\(names.prefix(4).joined(separator: ", "))): the joules are the "
                + "sum; --interface INTERFACE selects one"
            #expect(simulated == (names.count > 1 ? [text] : []))
        }
    }

    /// Broken: a doubt about the meaning of the joules is missing, or is stated where there is none.
    @Test func doubtsComeFirst() throws {
        let ethernet = PacketBytes.ethernet(Self.packet)
        let arp = PacketBytes.ethernet([0, 1], type: 0x0806)
        let local =
            "this was captured on Ethernet or Wi-Fi, not on a cellular interface: the joules are what a cellular radio would use for "
            + "these packets, not what this phone used"
        let none = "the capture has no IP packets: the joules do not stand for a phone's radio"
        for (technology, isDoubtful) in [(Technology.wifi, false), (.lte, true), (.umts, true), (.nrSA, true)] {
            let notes = try Self.notes(technology) { file in
                file.addInterface(linkType: 1)
                file.add(arp, at: 1)
                file.add(ethernet, at: 1)
            }
            #expect(notes == (isDoubtful ? [local] : []))
            let without = try Self.notes(technology) { file in
                file.addInterface(linkType: 1)
                file.add(arp, at: 1)
            }
            #expect(without == [none])
            #expect(try Self.notes(technology) { $0.addInterface(linkType: 1) }.isEmpty)
        }
        let (day, start) = (UInt64(86_400_000_000), UInt64(1_600_000_000_000_000))
        for (stamps, text) in [
            ([0, 40], "forward by 40 days at packet 2, from 2020-09-13 12:26:40 UTC to 2020-10-23 12:26:40 UTC"),
            (
                [40, 0, 50],
                "back by 40 days at packet 2, from 2020-10-23 12:26:40 UTC to 2020-09-13 12:26:40 UTC, and 1 more"
            ),
        ] as [([UInt64], String)] {
            let notes = try Self.notes { file in
                file.addInterface(linkType: 101)
                for days in stamps { file.add(Self.packet, at: start + days * day) }
            }
            let expected =
                "the time jumps \(text): the radio is assumed idle in between; --from and --until select a part"
            #expect(notes.first == expected && notes.count == (stamps.count == 3 ? 2 : 1))
        }
        let trailer: [UInt8] = [1, 7, 0x20, 0x21, 0, 0, 0, 7] + [UInt8](repeating: 65, count: 24)
        let above = try Self.notes(.lte) { file in
            file.addInterface(linkType: 1)
            file.add([UInt8](repeating: 0, count: 12) + [8, 0] + Self.packet + trailer, at: 1)
        }
        #expect(
            above == [
                "PCAPdroid recorded this above the phone's network: whether Wi-Fi or a cellular network carried the packets is unknown"
            ])
    }
}

/// Reads a capture to its end.
func readCapture(
    _ bytes: [UInt8], device: [IPAddress] = [], filter: CaptureFilter? = nil
) throws -> CaptureReader {
    var given = 0
    let source: ByteSource = { buffer throws(SourceFailure) in
        let count = min(buffer.count, bytes.count - given)
        for index in 0..<count { buffer[index] = bytes[given + index] }
        given += count
        return count
    }
    let reader = try CaptureReader(source, device: device, filter: filter)
    while reader.next({ _ in }) {}
    return reader
}
