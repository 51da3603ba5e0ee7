import DeadzoneBase
import DeadzoneCaptures
import DeadzoneDevice
import DeadzoneTestKit
import Testing

@testable import DeadzoneReplay
@testable import DeadzoneRuns

/// The scenario that is made from a capture: its messages, its events and its words.
struct CapturedScenarioTests {
    private static let start: UInt64 = 1_700_000_000_000_000_000

    /// A packet of a flow, at a time in milliseconds.
    private struct Sent {
        var at: Double
        var remotePort: UInt16 = 9_000
        var phone = PacketBytes.phone
        var server = PacketBytes.server
        var isTCP = false
        var isSYN = false
    }

    /// Reads a capture of these packets. Each has a local port of its own, so each begins a flow.
    private static func reader(_ sent: [Sent]) throws -> CaptureReader {
        var file = PcapWriter(linkType: 101)
        for (index, packet) in sent.enumerated() {
            let port = UInt16(40_000 + index)
            let segment =
                packet.isTCP
                ? PacketBytes.tcp(
                    port, packet.remotePort, flags: packet.isSYN ? 0x02 : 0x10, payload: packet.isSYN ? [] : [1])
                : PacketBytes.udp(port, packet.remotePort, payload: [1])
            file.add(
                PacketBytes.ipv4(segment, from: packet.phone, to: packet.server), at: start + UInt64(packet.at * 1e6))
        }
        var request = ReplayRun.ReplayRequest(["-"])
        request.device = (2...5).map { .ipv4(0x0a00_0000 + $0) }
        let bytes = file.bytes
        return try OpenedCapture(request) { CaptureFiles.source(of: bytes) }.reader
    }

    private static func message(
        _ milliseconds: Double, _ bytes: Int, isUp: Bool = true, flow: UInt32 = 0, ordinal: Int = 1,
        isFromBeginning: Bool = true
    ) -> RecordedMessage {
        RecordedMessage(
            at: Timestamp.epoch + .nanoseconds(Int64(start) + Int64(milliseconds * 1e6)), bytes: bytes,
            ordinal: ordinal, flow: FlowID(flow), isUp: isUp, isFromBeginning: isFromBeginning)
    }

    /// A scenario of these messages and silences.
    private static func scenario(
        _ sent: [Sent] = [Sent(at: 0), Sent(at: 1_000)], _ messages: [RecordedMessage] = [],
        silences: [(from: Double, until: Double)] = [], unkept: Int = 0, calls: [RealtimeStream] = [],
        name: String = "a.pcap", technology: Technology = .lte
    ) throws -> CapturedScenario {
        let reader = try reader(sent)
        var addresses = AddressChangeDetector()
        while reader.next({ _ in }) {}
        addresses.scanNewFlows(reader)
        var habits = CaptureHabits()
        habits.messages = messages
        habits.unkeptMessages = unkept
        habits.reconnects = silences.map { silence in
            ReconnectAfterSilence(
                silentFrom: Self.message(silence.from, 0).at, at: Self.message(silence.until, 0).at)
        }
        return CapturedScenario(
            reader, habits, calls, InterfaceChangeDetector(), addresses, name: name, profile: "a-profile",
            technology: technology)
    }

    private static func lines(_ scenario: CapturedScenario, below key: String) -> [String] {
        let lines = scenario.text(strategies: "").split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init)
        guard let begin = lines.firstIndex(of: key) else { return [] }
        return Array(lines[(begin + 1)...].prefix { $0.hasPrefix(" ") })
    }

    @Test func theScenarioHasTheTimesOfTheCapture() throws {
        // Broken: a message comes at another time or before another one, a line has other than twelve times, or the
        // scenario ends with its last message.
        let seconds = (0..<25).map { Double($0) * 1_000 }
        let last = Sent(at: 24_000)
        let scenario = try Self.scenario(
            [Sent(at: 0), last],
            seconds.map { Self.message($0, 100) } + [2_000.4, 2_000.9, 2_001].map { Self.message($0, 50, isUp: false) })
        #expect(scenario.duration == .seconds(54) && !scenario.isEmpty)
        func times(_ range: Range<Int>) -> String { range.map { "\($0 * 1_000)ms" }.joined(separator: ", ") }
        // The first message comes after the start. Messages of one millisecond follow each other.
        #expect(
            Self.lines(scenario, below: "traffic:") == [
                "  up:", "    size: 100B", "    at:", "      [1ms, \(times(1..<12)),", "       \(times(12..<24)),",
                "       24000ms]", "  down:", "    size: 50B", "    at:", "      [2000ms, 2001ms, 2002ms]",
            ])
        #expect(scenario.summary == "25 messages up and 3 down in 54 s")
        #expect(scenario.text(strategies: "").contains("\nduration: 54000ms\n"))
        let twelve = try Self.scenario(
            [Sent(at: 0), last], seconds.dropFirst().prefix(12).map { Self.message($0, 100) })
        #expect(Self.lines(twelve, below: "traffic:").last == "      [\(times(1..<13))]")
        #expect(
            twelve.text(strategies: "").contains("down:") == false
                && twelve.summary == "12 messages up and 0 down in 54 s")
        let empty = try Self.scenario()
        #expect(empty.isEmpty && empty.summary == "0 messages up and 0 down in 31 s")
        #expect(try !Self.scenario([Sent(at: 0)], [Self.message(1, 1, isUp: false)]).isEmpty)
    }

    @Test(arguments: [2, 3, 20, 21, 22, 41, 100])
    func sizesAreATableOfTwentySteps(_ count: Int) throws {
        // Broken: a size has another share than in the capture, or the smallest or the largest one is missing.
        let messages = (0..<count).map { Self.message(Double($0) * 10, 1_000 - 7 * $0) }
        let scenario = try Self.scenario([Sent(at: 0), Sent(at: 10_000)], messages)
        let sizes = messages.map(\.bytes).sorted()
        let steps = min(20, count - 1)
        let rows = (0...steps).map { step in
            let share = step * 1_000 / steps
            let text = share == 1_000 ? "1" : "0." + String(String(1_000 + share).dropFirst())
            return "[\(text), \(sizes[step * (count - 1) / steps])B]"
        }
        #expect(Self.lines(scenario, below: "traffic:")[1] == "    size: {table: [\(rows.joined(separator: ", "))]}")
        #expect(rows.first == "[0.000, \(sizes[0])B]" && rows.last == "[1, 1000B]")
    }

    @Test func onlyMessagesOfAServerAreKept() throws {
        // Broken: look-ups, local traffic or the handshake of TLS count as messages of the app.
        let rows: [(port: UInt16, server: [UInt8], ordinal: Int, isFromBeginning: Bool, isKept: Bool)] =
            [
                (80, PacketBytes.server, 0, true, true), (53, PacketBytes.server, 1, true, false),
                (123, PacketBytes.server, 1, true, false), (54, PacketBytes.server, 1, true, true),
                (9_000, [224, 0, 0, 251], 1, true, false), (9_000, [255, 255, 255, 255], 1, true, false),
                (1_900, [10, 0, 0, 9], 1, true, false),
                (444, PacketBytes.server, 0, true, true), (443, PacketBytes.server, 0, true, false),
                (443, PacketBytes.server, 1, true, true), (443, PacketBytes.server, 0, false, true),
            ] + [465, 853, 993, 995, 5_223, 5_228, 8_443, 8_883].map { ($0, PacketBytes.server, 0, true, false) }
        for row in rows {
            let sent = Sent(at: 0, remotePort: row.port, server: row.server, isTCP: row.server == PacketBytes.server)
            let message = Self.message(
                100, 70, ordinal: row.ordinal, isFromBeginning: row.isFromBeginning)
            let scenario = try Self.scenario([sent, Sent(at: 1_000)], [message])
            #expect(scenario.isEmpty == !row.isKept, "\(row)")
        }
        // A flow that is not described counts as a server's.
        #expect(try !Self.scenario([Sent(at: 0)], [Self.message(1, 1, flow: 7_000_000, ordinal: 0)]).isEmpty)
    }

    @Test func eventsAreMovesAndSilences() throws {
        // Broken: a silence that is no dead zone becomes one, an event begins at another time, or two events are nearer
        // than five minutes.
        func events(_ silences: [(Double, Double)], _ sent: [Sent] = [], technology: Technology = .lte) throws
            -> [String]
        {
            let all = [Sent(at: 0), Sent(at: 2_000_000)] + sent
            let scenario = try Self.scenario(
                all.sorted { $0.at < $1.at }, silences: silences.map { ($0.0, $0.1) }, technology: technology)
            return Self.lines(scenario, below: "timeline:")
        }
        let guess = "  # silence, retransmissions, new connections: an estimate, remove it if wrong"
        let rows: [(from: Double, until: Double, length: Int?)] = [
            (5_000, 6_999, nil), (5_000, 7_000, 2_000), (5_000, 305_000, 300_000), (5_000, 305_001, nil),
            (0, 3_000, nil), (1, 3_000, 2_999), (2_029_999, 2_032_000, 2_001), (2_030_000, 2_033_000, nil),
        ]
        for row in rows {
            let expected = row.length.map { ["  - {at: \(Int(row.from))ms, dead-zone: \($0)ms}" + guess] } ?? []
            #expect(try events([(row.from, row.until)]) == expected, "\(row)")
        }
        // The next event is more than five minutes behind the last kept one.
        let zones = try events([
            (10_000, 13_000), (310_000, 313_000), (310_001, 313_000), (610_001, 613_001), (900_000, 909_000),
        ])
        #expect(
            zones.map { $0.prefix { $0 != "," } } == ["  - {at: 10000ms", "  - {at: 310001ms", "  - {at: 900000ms"])
        // Each new address of the phone is a move. It stands among the silences in the order of time.
        let moved = [Sent(at: 700_000, phone: [10, 0, 0, 3]), Sent(at: 1_100_000, phone: [10, 0, 0, 4])]
        let both = try events([(20_000, 25_000), (1_500_000, 1_504_000)], moved)
        #expect(
            both == [
                "  - {at: 20000ms, dead-zone: 5000ms}" + guess,
                "  - {at: 700000ms, readdress: cellular, old-path: silent}  # another address of the phone in the capture",
                "  - {at: 1100000ms, readdress: cellular, old-path: silent}  # another address of the phone in the capture",
                "  - {at: 1500000ms, dead-zone: 4000ms}" + guess,
            ])
        #expect(try events([], moved, technology: .wifi).allSatisfy { $0.contains("readdress: wifi,") })
        let summary = try Self.scenario(
            [Sent(at: 0), Sent(at: 2_000_000)] + moved, [Self.message(9, 9)], silences: [(20_000, 25_000)]
        ).summary
        #expect(summary == "1 message up and 0 down in 2030 s, 2 changes of network, 1 estimated dead zone")
        #expect(try Self.scenario(silences: [(100, 3_000)]).text(strategies: "").contains("\ntimeline:\n"))
        #expect(try !Self.scenario().text(strategies: "").contains("timeline"))
    }

    @Test func limitsAreNoted() throws {
        // Broken: messages or days are left out without a note, or a note is written although nothing is left out.
        let day = 86_400_000.0
        let many = (0..<20_001).map { Self.message(Double($0) * 100, 9) }
        let cut = try Self.scenario([Sent(at: 0), Sent(at: 31 * day + 1)], many, unkept: 4)
        #expect(
            cut.notes == [
                "4 messages after the limit are left out", "only the first 20000 of 20001 messages up are used",
                "the capture is longer than 31 days: only its beginning is used",
            ])
        #expect(cut.duration == .hours(24 * 31) && cut.text(strategies: "").contains("# 4 messages after the limit"))
        #expect(Self.lines(cut, below: "traffic:").last?.hasSuffix("1999900ms]") == true)
        let whole = try Self.scenario([Sent(at: 0), Sent(at: 31 * day)], Array(many.dropLast()))
        #expect(whole.notes.isEmpty && whole.duration == .hours(24 * 31))
        // Messages after the end are left out.
        let late = try Self.scenario(
            [Sent(at: 0), Sent(at: 1_000)], [30_998, 30_999, 31_000].map { Self.message($0, 9) })
        #expect(Self.lines(late, below: "traffic:").last == "      [30998ms, 30999ms]")
    }

    @Test func namesAreWords() throws {
        // Broken: the name of a file ends the line of the scenario's name, or another part of its path is the name.
        let rows = [
            ("a.pcap", "a.pcap"), ("/x/y/my chat.pcap", "my chat.pcap"), ("a: b#c \"d\".pcap", "a bc d.pcap"),
            ("x/ä - 1_2.pcapng", "- 1_2.pcapng"), ("", "capture"),
        ]
        for (name, shown) in rows {
            let text = try Self.scenario(name: name).text(strategies: "  a: {}\n")
            #expect(text.contains("\nname: Messages of \(shown)\n"), "\(name)")
            #expect(text.hasSuffix("\nstrategies:\n  a: {}\n") && text.contains("radios: {cellular: a-profile}"))
        }
    }
}
