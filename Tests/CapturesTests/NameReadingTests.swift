import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneCaptures

/// Host names in DNS answers and in TLS handshakes, with each length at its limits.
struct NameReadingTests {
    private static let address = IPAddress.ipv4(0xc000_0201)

    /// A DNS answer. The default has one question and one address.
    private struct Answer {
        var flags: [UInt8] = [0x81, 0x80]
        var questions: UInt16 = 1
        var records: UInt16?
        var name: [UInt8] = Samples.labels("A.Zoo.example")
        var answers: [[UInt8]] = [record(1, [192, 0, 2, 1])]

        static func record(_ type: UInt16, _ data: [UInt8], name: [UInt8] = [0xc0, 12], length: UInt16? = nil)
            -> [UInt8]
        {
            var bytes = CaptureBytes()
            bytes.put(name)
            for word in [type, 1, 0, 60, length ?? UInt16(data.count)] as [UInt16] { bytes.put(word) }
            bytes.put(data)
            return bytes.bytes
        }

        var bytes: [UInt8] {
            var bytes = CaptureBytes()
            bytes.put([0, 1] + flags)
            for word in [questions, records ?? UInt16(answers.count), 0, 0] as [UInt16] { bytes.put(word) }
            bytes.put(name + [0, 1, 0, 1])
            for answer in answers { bytes.put(answer) }
            return bytes.bytes
        }

        func names(_ length: Int = .max) -> AddressNames {
            var names = AddressNames()
            Array(bytes.prefix(length)).withBytes { DNS.readAnswer($0, &names) }
            return names
        }
    }

    /// Broken: a truncated answer is read beyond its end, or a complete one is not read.
    @Test func readsOnlyCompleteAnswers() {
        let whole = Answer()
        let length = whole.bytes.count
        for count in 0...length {
            #expect(whole.names(count).name(of: Self.address) == (count == length ? "a.zoo.example" : nil), "\(count)")
        }
        #expect(Answer(name: Samples.labels("@[`{.example")).names().name(of: Self.address) == "@[`{.example")
        // Responses to standard queries; authority, truncation and recursion do not matter.
        for first in UInt8.min...UInt8.max {
            let name = Answer(flags: [first, 0]).names().name(of: Self.address)
            #expect((name != nil) == (first & 0xf8 == 0x80), "\(first)")
        }
        for questions in [0, 2, 0x100] as [UInt16] {
            #expect(Answer(questions: questions).names().name(of: Self.address) == nil)
        }
        #expect(Answer(records: 0).names().name(of: Self.address) == nil)
        #expect(Answer(records: 0x0101).names().name(of: Self.address) != nil)
    }

    /// Broken: a record of another type or length is taken for an address, or records after it are not found.
    @Test func readsTheRecordsOfAddresses() {
        let six = [UInt8](repeating: 7, count: 16)
        let cases: [(records: [[UInt8]], hasFour: Bool, hasSix: Bool)] = [
            ([Answer.record(28, six)], false, true),
            ([Answer.record(28, six), Answer.record(1, [192, 0, 2, 1])], true, true),
            ([Answer.record(28, [192, 0, 2, 1])], false, false), ([Answer.record(1, six)], false, false),
            ([Answer.record(16, [192, 0, 2, 1])], false, false),
            ([Answer.record(16, [9, 9, 9]), Answer.record(1, [192, 0, 2, 1])], true, false),
            (
                [Answer.record(1, [192, 0, 2, 1], name: Samples.labels("b.example")), Answer.record(28, six)], true,
                true
            ),
            ([Answer.record(1, [192, 0, 2, 1], name: [1, 98, 0xc0, 12]), Answer.record(28, six)], true, true),
            ([Answer.record(1, [192, 0, 2, 1], name: [0]), Answer.record(28, six)], true, true),
            ([Answer.record(1, [192, 0, 2, 1], name: [0xff, 255]), Answer.record(28, six)], true, true),
            ([Answer.record(1, [192, 0, 2, 1], name: [64, 0])], false, false),
            ([Answer.record(1, [192, 0, 2, 1], length: 5)], false, false),
        ]
        for (index, one) in cases.enumerated() {
            let names = Answer(answers: one.records).names()
            #expect((names.name(of: Self.address) == "a.zoo.example") == one.hasFour, "case \(index)")
            let sixth = IPAddress.ipv6(six.big(0, 16))
            #expect((names.name(of: sixth) == "a.zoo.example") == one.hasSix, "case \(index)")
        }
        // 64 records are read.
        for (count, isRead) in [(63, true), (64, false)] {
            let records =
                [[UInt8]](repeating: Answer.record(16, [9]), count: count) + [Answer.record(1, [192, 0, 2, 1])]
            #expect((Answer(answers: records).names().name(of: Self.address) != nil) == isRead)
        }
    }

    /// Broken: the longest labels and names are not read, or compression pointers lead nowhere.
    @Test func namesHaveTheirLimits() {
        func name(_ lengths: [Int]) -> [UInt8] {
            lengths.flatMap { [UInt8($0)] + [UInt8](repeating: 97, count: $0) } + [0]
        }
        func read(_ name: [UInt8], _ answers: [[UInt8]]? = nil) -> String? {
            Answer(name: name, answers: answers ?? [Answer.record(1, [192, 0, 2, 1], name: [0])]).names()
                .name(of: Self.address)
        }
        #expect(read(name([63, 63, 63, 61]))?.utf8.count == 253 && read(name([63, 63, 63, 62]))?.utf8.count == 254)
        #expect(read(name([63, 63, 63, 61, 1]))?.utf8.count == 255 && read(name([63, 63, 63, 62, 1])) == nil)
        #expect(read(name([1])) == "a" && read(name([])) == nil && read([64] + name([63])) == nil)
        #expect(read([0x80, 0]) == nil && read([0xbf, 0]) == nil)
        // A label, then a pointer to a name behind the question, which may itself end with a pointer.
        let labels = Samples.labels("b.example")
        let address = Answer.record(1, [192, 0, 2, 1], name: [0])
        let place = UInt8(12 + 4 + 4 + address.count)
        #expect(read([1, 97, 0xc0, place], [address, labels]) == "a.b.example")
        // The second pointer leads to the zero byte of the address.
        #expect(read([0xc0, place - 2], [address, [1, 99, 0xc0, 30]]) == "c")
        // A pointer of 14 bits, and one beyond the message.
        let far = [UInt8](repeating: 0, count: 300)
        let answers = [address, Answer.record(16, far + labels)]
        let at = 12 + 2 + 4 + address.count + 12 + 300
        #expect(read([0xc0 | UInt8(at >> 8), UInt8(at & 0xff)], answers) == "b.example")
        #expect(read([0xff, 0xff]) == nil)
        // 127 labels of one letter are the longest chain of steps; more steps are a loop.
        for (count, isRead) in [(127, true), (128, false)] {
            let long = name(.init(repeating: 1, count: count))
            #expect(read(long)?.utf8.count == (isRead ? 253 : nil))
            #expect(read(name([1]), [Answer.record(1, [192, 0, 2, 1], name: long)]) == (isRead ? "a" : nil))
        }
    }

    /// Broken: names beyond the limit use up the memory, or a newer name of a known address is ignored.
    @Test func keepsTheLatestNameOfEachAddress() {
        var names = AddressNames()
        for number in 0..<65_536 { names.add(.ipv4(UInt32(number)), "old") }
        names.add(.ipv4(65_536), "more")
        names.add(.ipv4(65_535), "new")
        names.add(.ipv4(0), "")
        #expect(names.name(of: .ipv4(65_536)) == nil && names.name(of: .ipv4(65_535)) == "new")
        #expect(names.name(of: .ipv4(0)) == "old" && names.name(of: .ipv6(1)) == nil)
    }

    private static func hello(
        session: Int = 0, ciphers: Int = 2, methods: Int = 1, before: [UInt8] = [], list: [UInt8]? = nil
    ) -> [UInt8] {
        let name = Array("a.example".utf8)
        let list = list ?? [0, UInt8(name.count + 3), 0, 0, UInt8(name.count)] + name
        let extensions = before + [0, 0, UInt8(list.count >> 8), UInt8(list.count & 0xff)] + list
        func zeros(_ count: Int) -> [UInt8] { .init(repeating: 0, count: count) }
        return [22, 3, 1, 0, 0, 1, 0, 0, 0, 3, 3] + zeros(32) + [UInt8(session)] + zeros(session)
            + [UInt8(ciphers >> 8), UInt8(ciphers & 0xff)] + zeros(ciphers) + [UInt8(methods)] + zeros(methods)
            + [UInt8(extensions.count >> 8), UInt8(extensions.count & 0xff)] + extensions
    }

    private static func read(_ bytes: [UInt8]) -> ClientHello.NameResult { bytes.withBytes { ClientHello.read($0) } }

    /// Broken: a handshake in two segments is given up, or a field before the name shifts it.
    @Test func readsHandshakesOfEveryShape() {
        for (session, ciphers, methods) in [(0, 2, 1), (32, 2, 1), (255, 0x102, 255), (0, 0, 0)] {
            let whole = Self.hello(
                session: session, ciphers: ciphers, methods: methods, before: [0, 21, 0, 3, 1, 2, 3])
            for count in 0...whole.count {
                // Six bytes tell whether it is a ClientHello at all.
                let expected: ClientHello.NameResult =
                    count < 6 ? .nothing : count < whole.count ? .needsMore : .name("a.example")
                #expect(Self.read(Array(whole.prefix(count))) == expected, "\(count) of \(whole.count)")
            }
        }
        for (place, isSpecial) in [(0, true), (1, true), (2, false), (3, false), (4, false), (5, true), (6, false)] {
            var other = Self.hello()
            other[place] ^= 4
            #expect(Self.read(other) == (isSpecial ? .nothing : .name("a.example")), "byte \(place)")
        }
        // The list of extensions ends without a name.
        var none = Self.hello()
        none.replaceSubrange((none.count - 18 - 2)..., with: [0, 5, 0, 21, 0, 1, 9])
        #expect(Self.read(none) == .nothing && Self.read(Array(none.dropLast())) == .nothing)
        #expect(Self.read(Array(none.dropLast(2))) == .needsMore)
    }

    /// Broken: a name of the longest or shortest length is not read, or a list with another entry is.
    @Test func theNameListHasOneHostName() {
        func list(_ type: UInt8, _ length: Int, _ name: Int) -> ClientHello.NameResult {
            let name = [UInt8](repeating: 97, count: name)
            return Self.read(Self.hello(list: [0, 0, type, UInt8(length >> 8), UInt8(length & 0xff)] + name))
        }
        #expect(list(0, 1, 1) == .name("a") && list(0, 255, 255) == .name(String(repeating: "a", count: 255)))
        #expect(list(0, 0, 0) == .nothing && list(0, 256, 256) == .nothing && list(1, 3, 3) == .nothing)
        #expect(list(0, 4, 3) == .nothing && list(0, 3, 3) == .name("aaa") && list(0, 3, 5) == .name("aaa"))
        #expect(Self.read(Self.hello(list: [0, 0, 0, 0])) == .nothing && Self.read(Self.hello(list: [])) == .nothing)
    }

    /// Broken: the search for a name in several segments accepts a gap, forgets a repeated segment, or has no bound.
    @Test func segmentsAreJoinedInOrder() {
        let whole = Self.hello(before: [0, 21, 0, 200] + [UInt8](repeating: 0, count: 200))
        func segment(_ range: Range<Int>) -> [UInt8] { Array(whole[range]) }
        var hellos = PartialHellos()
        func begin(_ flow: UInt32, _ bytes: [UInt8], _ sequence: UInt32 = 1_000) -> ClientHello.NameResult {
            bytes.withBytes { hellos.begin(flow, sequence, $0) }
        }
        func resume(_ flow: UInt32, _ bytes: [UInt8], _ sequence: UInt32) -> ClientHello.NameResult {
            bytes.withBytes { hellos.resume(on: flow, sequence, $0) }
        }
        let end = whole.count
        #expect(begin(1, whole) == .name("a.example") && begin(1, [1, 2, 3]) == .nothing)
        #expect(resume(1, segment(50..<end), 1_050) == .nothing)
        #expect(begin(1, segment(0..<50)) == .needsMore && begin(2, segment(0..<60), .max - 9) == .needsMore)
        // A repeated segment changes nothing; the next ones continue, also over the end of the sequence numbers.
        #expect(resume(1, segment(0..<50), 1_000) == .needsMore && resume(1, segment(50..<100), 1_050) == .needsMore)
        #expect(
            resume(1, segment(60..<100), 1_060) == .needsMore && resume(2, segment(60..<end), 50) == .name("a.example"))
        #expect(
            resume(1, segment(100..<end), 1_100) == .name("a.example") && resume(1, segment(0..<50), 1_000) == .nothing)
        for sequence in [1_049, 1_051, 0] as [UInt32] {
            #expect(begin(3, segment(0..<50)) == .needsMore && resume(3, segment(50..<end), sequence) == .nothing)
            #expect(resume(3, segment(50..<end), 1_050) == .nothing)
        }
        // At most 256 handshakes at once; one that ends makes room.
        for flow in 10..<266 as Range<UInt32> { #expect(begin(flow, segment(0..<50)) == .needsMore) }
        #expect(begin(266, segment(0..<50)) == .nothing)
        #expect(resume(10, segment(50..<end), 1_050) == .name("a.example") && begin(266, segment(0..<50)) == .needsMore)
    }

    /// Broken: in a known flow, the fast path passes over a handshake or a ping.
    @Test func handshakesAndPingsAreFoundInKnownFlows() throws {
        let up = { (port: UInt16, payload: [UInt8], sequence: UInt32) in
            PacketBytes.ipv4(PacketBytes.tcp(port, 443, sequence: sequence, payload: payload))
        }
        let down = { (payload: [UInt8]) in
            PacketBytes.ipv4(
                PacketBytes.tcp(443, 50_001, payload: payload), from: PacketBytes.server, to: PacketBytes.phone)
        }
        var file = PcapWriter(linkType: 101)
        // The fast path begins after the first 4,096 packets.
        for number in 0..<4_096 {
            let flags: UInt8 = number < 3 ? 2 : 0x10
            file.add(PacketBytes.ipv4(PacketBytes.tcp(50_000 + UInt16(number % 3), 443, flags: flags)), at: 0)
        }
        let hello = Self.hello()
        let (cut, end) = (UInt32(60), UInt32(hello.count))
        let later = [
            up(50_000, [], 2), up(50_000, hello, 2), up(50_001, [0xc0, 0], 2), up(50_001, [0xc0, 0], 4),
            down([0xd0, 0]),
            down([0x8a, 0xfd] + [UInt8](repeating: 1, count: 129)),
            down([0x8a, 0x7d] + [UInt8](repeating: 1, count: 125)),
            down([0x8a, 0x7e] + [UInt8](repeating: 1, count: 126)), up(50_002, Array(hello.prefix(60)), 2),
            up(50_002, [], 2 + cut), up(50_002, Array(hello.dropFirst(60)), 2 + cut), up(50_002, [0xc0, 0], 2 + end),
        ]
        for packet in later { file.add(packet, at: 1_000) }
        let reading = try Reading(file.bytes)
        let pings: [PingFrame?] = [nil, nil, .ping, .ping, .pong, .pong, .pong, nil, nil, nil, nil, .ping]
        #expect(reading.packets.suffix(12).map(\.pingFrame) == pings)
        let names = (0..<3).map { reading.capture.flow(FlowID(UInt32($0))).serverName }
        #expect(names == ["a.example", nil, "a.example"])
        #expect(reading.packets.suffix(12).allSatisfy { $0.network == .ipv4 && $0.transport == .tcp })
    }

    /// Broken: in a known flow, the fast path passes over a DNS answer.
    @Test func answersAreFoundInKnownFlows() throws {
        let answer = { (name: String, address: [UInt8]) in
            PacketBytes.ipv4(
                PacketBytes.udp(53, 50_000, payload: Samples.dnsAnswer(name, address)), from: PacketBytes.server,
                to: PacketBytes.phone)
        }
        var file = PcapWriter(linkType: 101)
        // The fast path begins after the first 4,096 packets.
        for _ in 0..<4_096 {
            file.add(PacketBytes.ipv4(PacketBytes.udp(50_000, 53, payload: [UInt8](repeating: 0, count: 20))), at: 0)
        }
        for number in 1...3 as ClosedRange<UInt8> {
            file.add(answer("host-\(number).example", [10, 9, 9, number]), at: 1_000)
        }
        let reading = try Reading(file.bytes)
        let names = (1...3).map { reading.capture.name(of: .ipv4(0x0a09_0900 + $0)) }
        #expect(names == ["host-1.example", "host-2.example", "host-3.example"])
    }

    /// Broken: a handshake of any length is kept.
    @Test func handshakesHaveALongestLength() {
        let whole = Self.hello(before: [0, 21, 0x27, 0x10] + [UInt8](repeating: 0, count: 10_000))
        for (first, second, isKept) in [
            (8_191, 1, true), (8_192, 0, false), (100, 8_092, true), (100, 8_093, false), (8_191, 2, false),
        ] {
            var hellos = PartialHellos()
            let began = Array(whole.prefix(first)).withBytes { hellos.begin(1, 0, $0) }
            guard second > 0 else {
                #expect(began == .nothing)
                continue
            }
            let rest = Array(whole[first..<(first + second)])
            let resumed = rest.withBytes { hellos.resume(on: 1, UInt32(first), $0) }
            #expect(began == .needsMore && resumed == (isKept ? .needsMore : .nothing), "\(first) and \(second)")
        }
    }
}
