import DeadzoneBase
import DeadzoneSimulator
import Testing

@testable import DeadzoneLive

struct PartsTests {
    @Test func generatedSegmentsAreAcceptedByAKernel() {
        // Broken: a wrong checksum, so that a kernel drops the middlebox's packet.
        let segment = TestEndpoints.segment(.down, [.rst, .ack], sequence: 0x0102_0304)
        func sum(_ bytes: [UInt8]) -> UInt32 {
            var sum: UInt32 = 0
            for place in stride(from: 0, to: bytes.count, by: 2) {
                sum += UInt32(bytes[place]) << 8 | UInt32(bytes[place + 1])
            }
            while sum >> 16 > 0 { sum = sum & 0xffff + sum >> 16 }
            return sum
        }
        #expect(sum(Array(segment.bytes[..<20])) == 0xffff)
        #expect(sum(Array(segment.bytes[12..<20]) + [0, 6, 0, 20] + segment.bytes[20...]) == 0xffff)
        #expect(segment.isTCP && segment.flags == [.rst, .ack] && segment.sequence == 0x0102_0304)
        #expect(segment.source.host == TestEndpoints.server && segment.destination.host == TestEndpoints.phone)
    }

    @Test func invalidPacketsAreRejected() {
        // Broken: bytes that are not a packet are read beyond their end.
        for count in 0..<20 { #expect(Datagram(Array(repeating: 0x45, count: count)) == nil) }
        #expect(Datagram(Array(repeating: 0x50, count: 60)) == nil)
        for count in 20..<60 {
            let packet = Datagram([0x4f] + Array(repeating: 6, count: count - 1))
            #expect(packet?.payloadLength ?? 0 <= UInt32(count))
        }
    }

    @Test(arguments: [
        (UInt8(0), UInt8(0), true), (0x20, 0, true), (0, 1, false), (0x20, 185, false), (0x1f, 0, false),
        (0x40, 0, true),
    ])
    func onlyTheFirstFragmentHasPorts(_ high: UInt8, _ low: UInt8, _ isFirst: Bool) {
        // Broken: bytes in the middle of a packet are read as ports.
        var bytes = TestEndpoints.segment(.down, [.ack], sequence: 1).bytes
        (bytes[6], bytes[7]) = (high, low)
        #expect(Datagram(bytes)?.isTCP == isFirst && (Datagram(bytes)?.sourcePort != 0) == isFirst)
    }

    @Test func dueItemsComeInOrder() {
        // Broken: a packet overtakes another, or two packets due at the same time are swapped.
        var heap = DueHeap<Int>()
        var dice = Dice(seed: 7, phone: PhoneID(0), purpose: .test)
        let moments = (0..<500).map { _ in Int64(dice.next() % 50) }
        for (number, at) in moments.enumerated() { heap.insert(number, at: .zero + .seconds(at)) }
        var taken: [Int] = []
        while let number = heap.removeFirst() { taken.append(number) }
        #expect(taken == moments.indices.sorted { (moments[$0], $0) < (moments[$1], $1) })
    }

    @Test func messagesAreParsedForEverySplit() {
        // Broken: a line that arrives in two parts is lost, or text for people is taken for a `deadzone` message.
        let said = Array("deadzone sent 17\nhello\ndeadzone lost\ndeadzone sent x\ndeadzone\n".utf8)
        for cut in said.indices {
            var talk = ProgramOutputParser()
            let (first, second) = (talk.parse(Array(said[..<cut])), talk.parse(Array(said[cut...])))
            #expect(first.reports + second.reports == [.sent(17), .lost])
            #expect(String(decoding: first.text + second.text, as: UTF8.self) == "hello\ndeadzone sent x\ndeadzone\n")
        }
    }

    @Test func misspeltReportsAreCounted() {
        // Broken: a report without its number, or with an unknown word, has no effect and no trace.
        var parser = ProgramOutputParser()
        #expect(parser.parse(Array("hello\ndeadzone\ndeadzone sent 1\ndeadzone lost\n".utf8)).reports.count == 2)
        #expect(parser.unknownReports == 0 && parser.firstUnknownReport == nil)
        for line in ["sent", "foo 3", "sent -5", "sent x", "seen 1 2", "connected 4"] {
            _ = parser.parse(Array("deadzone \(line)\n".utf8))
        }
        #expect(parser.unknownReports == 6 && parser.firstUnknownReport == "deadzone sent")
    }

    @Test(.timeLimit(.minutes(1)))
    func manyShortLinesAreParsedInLinearTime() {
        // Broken: each line is cut from the front of an array, so that a chatty client delays its own packets.
        var parser = ProgramOutputParser()
        let lines = Array(repeating: UInt8(ascii: "\n"), count: 1 << 20)
        let (reports, text) = parser.parse(lines)
        #expect(reports.isEmpty && text == lines)
        let sent = Array(String(repeating: "deadzone sent 7\n", count: 1 << 14).utf8)
        #expect(parser.parse(sent).reports == Array(repeating: .sent(7), count: 1 << 14))
    }

    @Test func namesOfChangesAreRecognised() {
        // Broken: `--on` refuses a name that `deadzone help live` lists, or accepts a misspelt one.
        for name in ConditionChange.eventNames + ["dark", "down-wifi-silent", "technology-1", "push-high"] {
            #expect(ConditionChange.isEvent(name), "\(name)")
        }
        for wrong in ["", "zzzz", "handof", "down-wifi-slient", "dark-cellularx"] {
            #expect(!ConditionChange.isEvent(wrong), "\(wrong)")
        }
    }

    @Test func overtakenMessagesAreLostAndLaterOnesPending() {
        // Broken: messages that did not arrive count as delivered, or those in flight as lost.
        var book = MessageTracker()
        let isNew = (Int64(1)...5).map { book.recordSent($0, at: .zero + .seconds($0)) }
        let spans = [(Int64(1), Int64(2)), (3, 4), (3, 5)].map { book.recordSeen($0, at: .zero + .seconds($1)) }
        #expect(isNew == [true, true, true, true, true] && spans == [.seconds(1), .seconds(1), nil])
        let missing = book.missing(at: .zero + .seconds(10))
        #expect(missing.lost == 1 && missing.pending == [.seconds(5), .seconds(6)])
    }

    @Test func unsupportedEntriesAreReportedFirst() throws {
        // Broken: a scenario with an entry that a live run cannot enact runs silently, or one with supported entries is
        // rejected.
        func said(
            _ world: String, _ entry: String, hasServer: Bool = true, hooks: [String] = [], isGateway: Bool = false,
            server: [String] = []
        )
            throws -> [String]
        {
            let head =
                world.contains("phone:") ? "" : "phone: {radios: {wifi: wifi-galaxy-s2, cellular: lte-verizon-2021}}\n"
            return try compiled(head + world + "\ntimeline: [{at: 0s, wifi: home}, {at: 1s, \(entry)}]")
                .unsupportedConditions(
                    hasServer: hasServer, hooks: hooks.map { LivePlan.Hook(event: $0, command: "") },
                    isGateway: isGateway, serverSettings: server
                ).map(\.condition)
        }
        let android = "phone: {platform: android-15, radios: {wifi: wifi-galaxy-s2, cellular: lte-verizon-2021}}"
        for entry in ["screen: off", "app: background", "charging: on", "kill: app", "dead-zone: 1s", "server: frozen"]
        {
            #expect(try said(android, entry).isEmpty, "\(entry)")
        }
        #expect(try said("", "app: background") == ["background"])
        #expect(try said("", "app: background", hooks: ["back"]).isEmpty)
        #expect(try said(android, "push: high").isEmpty)
        #expect(try said(android, "access: refused") == ["access-wifi-refused"])
        #expect(try said(android.replacing("android-15", with: "ios-18"), "access: refused").isEmpty)
        #expect(try said(android, "screen: off", isGateway: true) == ["screen-off"])
        #expect(try said(android, "cellular: lte", isGateway: true) == ["networks"])
        #expect(try said(android, "cellular: lte") == ["platform"])
        #expect(try said("", "server: frozen", hasServer: false) == ["server-frozen"])
        #expect(try said("", "dns: down") == ["no-names"])
        #expect(try said("resolver: {}", "dns: down").isEmpty)
        #expect(try said("resolver: {ipv6: broken}", "dead-zone: 1s").isEmpty)
        #expect(try said("", "cellular: lte, announced-after: 1s") == ["up-cellular-announced-1000000000"])
        #expect(try said("", "cellular: lte, portal: 9s").isEmpty)
        let metered = "cellular: lte, metered: false, data-saver: on"
        #expect(try said(android, metered).first == "up-cellular-unmetered")
        #expect(try said(android.replacing("platform:", with: "tunnel: {}, platform:"), "dead-zone: 1s") == ["tunnel"])
        // The server program does not know the settings of `server:`. Each one is listed once.
        #expect(try said("", "dead-zone: 1s", server: ["think", "idle-limit"]) == ["server: think, idle-limit"])
        let presence = "server: {presence: {grace: 5s}}"
        #expect(try said(presence, "dead-zone: 1s", server: ["presence"]) == ["presence"])
    }

    @Test func latenessIsAnUpperBound() {
        // Broken: a quantile is below the measured value.
        var lateness = Lateness()
        for number in Int64(1)...1_000 { lateness.add(.microseconds(number)) }
        #expect(lateness.quantile(thousandths: 500) >= .microseconds(500))
        #expect(lateness.quantile(thousandths: 500) <= .microseconds(768))
        #expect(lateness.quantile(thousandths: 1_000) == .milliseconds(1))
    }
}
