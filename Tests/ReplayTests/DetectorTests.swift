import DeadzoneBase
import DeadzoneCaptures
import DeadzoneDevice
import Testing

@testable import DeadzoneReplay

/// The detectors of habits, each against a plain reading of the same packets.
struct DetectorTests {
    private struct Lot {
        var state: UInt64

        mutating func roll(_ sides: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(sides))
        }
    }

    private static func packet(
        _ at: Int64, flow: UInt32, isUp: Bool, payload: UInt32, _ kind: PacketKind = .data
    ) -> ReplayPacket {
        var packet = ReplayPacket(at: at, bytes: payload, isUp: isUp)
        (packet.flow, packet.payload, packet.kind) = (flow, payload, kind)
        return packet
    }

    // MARK: Calls

    /// The first of the longest series of steady bins.
    private static func steadyBins(_ packets: [ReplayPacket]) -> Range<Int64>? {
        let bins = Dictionary(grouping: packets) { $0.at >> 30 }
        func isSteady(_ bin: Int64) -> Bool {
            let here = bins[bin] ?? []
            let bytes = here.reduce(0) { $0 + min(Int($1.payload), 65_536) }
            return here.count >= 5 && bytes <= 400 * here.count
        }
        guard let first = bins.keys.min(), let last = bins.keys.max() else { return nil }
        var best: Range<Int64>?
        for begin in first...last {
            var end = begin
            while isSteady(end) { end += 1 }
            if end - begin >= 5, Int(end - begin) > (best?.count ?? 0) { best = begin..<end }
        }
        return best
    }

    /// Broken: a stream is found in too few, too large or interrupted packets; or its times are others.
    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func steadyStreamsAreFound(_ seed: UInt64) {
        var dice = Lot(state: seed &* 0x9e37_79b9_7f4a_7c15 | 1)
        var packets: [ReplayPacket] = []
        for bin in 0..<24 {
            for flow in 0..<4 as Range<UInt32> {
                for isUp in [false, true] {
                    let number = dice.roll(9) == 0 ? dice.roll(5) : 5 + dice.roll(2)
                    let payload = [400, 400, 100, 399, 401, 70_000][
                        dice.roll(20) == 0 ? 4 + dice.roll(2) : dice.roll(4)]
                    for index in 0..<number {
                        let at = Int64(bin) << 30 + Int64(index) * 170_000_000 + Int64(dice.roll(1_000))
                        packets.append(Self.packet(at, flow: flow, isUp: isUp, payload: UInt32(payload)))
                    }
                    let at = Int64(bin) << 30
                    packets.append(Self.packet(at, flow: flow, isUp: isUp, payload: 9_000, .acknowledgement))
                }
            }
        }
        packets.sort { $0.at < $1.at }
        var detector = RealtimeDetector()
        detector.reserve(3)
        detector.reserve(2)
        for start in stride(from: 0, to: packets.count, by: 100) {
            let part = Array(packets[start..<min(start + 100, packets.count)])
            detector.add(part.span)
        }
        let origin = Timestamp(seconds: 1_700_000_000)
        let found = detector.finish(origin: origin)
        // The fourth flow has no place.
        var expected: [(flow: UInt32, up: Range<Int64>?, down: Range<Int64>?)] = []
        for flow in 0..<3 as Range<UInt32> {
            let own = packets.filter { $0.flow == flow && $0.kind == .data }
            let (up, down) = (Self.steadyBins(own.filter(\.isUp)), Self.steadyBins(own.filter { !$0.isUp }))
            if up != nil || down != nil { expected.append((flow, up, down)) }
        }
        func times(_ bins: Range<Int64>?) -> Range<Timestamp>? {
            bins.map { origin + .nanoseconds($0.lowerBound << 30)..<origin + .nanoseconds($0.upperBound << 30) }
        }
        #expect(found.map(\.flow.index) == expected.map(\.flow))
        for (one, other) in zip(found, expected) { #expect(one.up == times(other.up) && one.down == times(other.down)) }
    }

    // MARK: Messages

    /// Broken: a message is split or joined at another pause, or its order and its beginning are others.
    @Test func segmentsAreJoinedToMessages() {
        let pause: Int64 = 250_000_000
        let packets = [
            Self.packet(0, flow: 0, isUp: true, payload: 0, .opening),
            Self.packet(10, flow: 0, isUp: true, payload: 100),
            Self.packet(10 + pause, flow: 0, isUp: true, payload: 50),
            Self.packet(20 + pause, flow: 0, isUp: true, payload: 7, .retransmission),
            Self.packet(30 + pause, flow: 0, isUp: true, payload: 0),
            Self.packet(11 + 2 * pause, flow: 0, isUp: true, payload: 25),
            Self.packet(12 + 2 * pause, flow: 0, isUp: false, payload: 10),
            Self.packet(13 + 2 * pause, flow: 1, isUp: false, payload: 4),
            Self.packet(14 + 2 * pause, flow: 0, isUp: true, payload: 5),
            Self.packet(15 + 2 * pause, flow: 0, isUp: false, payload: 1, .keepalive),
            Self.packet(16 + 2 * pause, flow: 0, isUp: true, payload: 6),
            Self.packet(17 + 2 * pause, flow: 0, isUp: true, payload: 0, .opening),
            Self.packet(18 + 2 * pause, flow: 0, isUp: true, payload: 8),
            Self.packet(19 + 2 * pause, flow: 2, isUp: true, payload: 8),
        ]
        var assembler = MessageAssembler()
        assembler.reserve(2)
        let origin = Timestamp(seconds: 5)
        assembler.add(packets.span, since: origin)
        let (messages, unkept) = assembler.finish()
        #expect(unkept == 0)
        #expect(messages.map(\.bytes) == [150, 25, 10, 4, 11, 8])
        #expect(messages.map(\.flow.index) == [0, 0, 0, 1, 0, 0])
        #expect(messages.map(\.isUp) == [true, true, false, false, true, true])
        #expect(messages.map(\.ordinal) == [0, 1, 0, 0, 2, 0])
        #expect(messages.map(\.isFromBeginning) == [true, true, true, false, true, true])
        let times = [10, 11 + 2 * pause, 12 + 2 * pause, 13 + 2 * pause, 14 + 2 * pause, 18 + 2 * pause]
        #expect(messages.map(\.at) == times.map { origin + .nanoseconds($0) })
        // Messages beyond the limit are counted, and their later segments as well.
        var many = MessageAssembler()
        many.reserve(1)
        let alternating = (0..<100_003).map { Self.packet(Int64($0), flow: 0, isUp: $0 % 2 == 0, payload: 1) }
        many.add(alternating.span, since: origin)
        let all = many.finish()
        #expect(all.0.count == 100_000 && all.unkept == 3 && all.0[99_999].ordinal == 49_999)
    }

    // MARK: Kinds

    private struct Segment {
        var isUp: Bool
        var flags: TCPFlags = .ack
        var sequence: UInt32
        var acknowledgement: UInt32
        var payload: UInt32 = 0
        var kind: PacketKind

        var packet: CapturedPacket {
            var packet = CapturedPacket(stamp: .epoch, wireLength: 100, capturedLength: 100)
            (packet.network, packet.transport, packet.flow) = (.ipv4, .tcp, FlowID(0))
            (packet.side, packet.flags) = (isUp ? .opener : .answerer, flags)
            (packet.sequence, packet.acknowledgement, packet.payloadLength) = (sequence, acknowledgement, payload)
            return packet
        }
    }

    private static func kinds(_ packets: [CapturedPacket], flows: Int, excluding: Bool = false) -> [PacketKind] {
        var classifier = TCPClassifier()
        classifier.reserve(flows)
        var excluded = TrafficKinds()
        if excluding { excluded.add(where: \.isOfNeighbours) }
        var read = [ReplayPacket](repeating: ReplayPacket(at: 0, bytes: 0, isUp: true), count: packets.count + 1)
        let appended = classifier.read(
            packets.span, since: .epoch, excluding: excluded, into: &read, at: 1)
        return read[1..<(1 + appended.count)].map(\.kind)
    }

    /// Broken: a retransmission, a probe or a repeated acknowledgement counts as data, or the reverse; also where
    /// sequence numbers begin again.
    @Test(arguments: [101, .max - 4, .max, 0] as [UInt32])
    func segmentsAreClassified(_ begin: UInt32) {
        func up(
            _ offset: UInt32, _ acknowledged: UInt32, _ payload: UInt32, _ kind: PacketKind, _ flags: TCPFlags = .ack
        ) -> Segment {
            Segment(
                isUp: true, flags: flags, sequence: begin &+ offset, acknowledgement: acknowledged, payload: payload,
                kind: kind)
        }
        func down(_ acknowledged: UInt32, _ kind: PacketKind, _ flags: TCPFlags = .ack) -> Segment {
            Segment(
                isUp: false, flags: flags, sequence: flags == .ack ? 501 : 500, acknowledgement: begin &+ acknowledged,
                kind: kind)
        }
        let segments = [
            up(.max, 0, 0, .opening, .syn), down(0, .control, [.syn, .ack]), up(0, 501, 0, .acknowledgement),
            up(0, 501, 10, .data), down(10, .acknowledgement), down(10, .duplicateAcknowledgement),
            up(0, 501, 10, .retransmission), up(5, 501, 5, .retransmission), up(5, 501, 10, .data),
            up(15, 501, 0, .acknowledgement), up(15, 501, 0, .duplicateAcknowledgement),
            up(15, 501, 0, .acknowledgement, []),
            up(15, 502, 0, .acknowledgement), up(14, 502, 1, .keepalive), down(15, .keepaliveAnswer),
            down(15, .duplicateAcknowledgement), up(14, 502, 0, .keepalive), down(15, .keepaliveAnswer),
            up(14, 502, 2, .data), up(16, 502, 1, .data), up(17, 502, 0, .control, [.fin, .ack]),
            up(18, 502, 0, .control, [.rst]), up(19, 502, 4, .data),
        ]
        let found = Self.kinds(segments.map(\.packet), flows: 1)
        for (index, segment) in segments.enumerated() { #expect(found[index] == segment.kind, "segment \(index)") }
        // Without a place for its flow, a segment is known by its payload alone.
        let alone = Self.kinds(segments.map(\.packet), flows: 0)
        #expect(alone == segments.map { $0.payload > 0 ? .data : .acknowledgement })
    }

    /// Broken: packets of other protocols, later fragments or local traffic have another kind.
    @Test func otherPacketsHaveTheirKind() {
        var packets = (0..<5).map { _ in CapturedPacket(stamp: .epoch, wireLength: 60, capturedLength: 60) }
        (packets[0].transport, packets[1].transport, packets[2].transport) = (.udp, .other, .udp)
        packets[2].fragment = .later
        (packets[3].transport, packets[3].neighbourTraffic) = (.udp, .mdns)
        (packets[4].transport, packets[4].fragment) = (.tcp, .later)
        #expect(Self.kinds(packets, flows: 1) == [.data, .other, .other, .data, .other])
        #expect(Self.kinds(packets, flows: 1, excluding: true) == [.data, .other, .other, .other])
    }

    // MARK: Interfaces, outages, times

    /// Broken: a pause of one second is not long enough for a move, a shorter one is, or moves beyond the limit are lost.
    @Test func movesNeedASecondOfSilence() {
        func on(_ interface: UInt32, _ at: Int64) -> CapturedPacket {
            var packet = CapturedPacket(stamp: Timestamp(nanoseconds: Int128(at)), wireLength: 60, capturedLength: 60)
            packet.interface = interface
            return packet
        }
        let second: Int64 = 1_000_000_000
        for pause in [second - 1, second, second + 1] {
            var detector = InterfaceChangeDetector()
            let packets = [on(3, 0), on(3, 10), on(5, 400), on(5, 10 + pause)]
            detector.add(packets.span)
            #expect(detector.changes.map { [$0.from, $0.to] } == (pause >= second ? [[3, 5]] : []))
            #expect(detector.changes.allSatisfy { $0.at == Timestamp(nanoseconds: 400) })
        }
        // The first interface is used again, so the second begins anew; a third one moves in.
        var again = InterfaceChangeDetector()
        let other = [on(3, 0), on(5, 400), on(3, 500), on(5, 499 + second), on(7, 500 + second), on(5, 600 + second)]
        again.add(other.span)
        #expect(again.changes.map { [$0.from, $0.to] } == [[3, 7]])
        #expect(again.changes[0].at == Timestamp(nanoseconds: Int128(500 + second)))
        var many = InterfaceChangeDetector()
        let moves = (0..<1_008).map { on(UInt32($0 % 2), Int64($0) * 2 * second) }
        many.add(moves.span)
        #expect(many.changes.count == 1_000 && many.unkept == 7)
    }

    /// Broken: outages are taken out of order, too early, or kept without bound.
    @Test func outagesWaitInOrder() {
        var outages = PendingOutages()
        func next(_ from: Int64, _ before: Int64) -> [Int64]? {
            outages.next(from: from, before: before).map { [$0.from, $0.until] }
        }
        #expect(outages.isEmpty && next(.min, .max) == nil)
        for (from, until) in [(30, 40), (10, 20), (20, 25), (10, 15)] as [(Int64, Int64)] {
            outages.add(from, until, now: 0)
        }
        #expect(next(0, 10) == nil && next(10, 11) == [10, 20] && next(0, 20) == [10, 15] && next(0, 20) == nil)
        // One that began before the range is dropped.
        #expect(next(21, 30) == nil && !outages.isEmpty && next(30, 31) == [30, 40] && outages.isEmpty)
        for index in 0..<1_030 as Range<Int64> { outages.add(index, index + 5, now: 0) }
        var count = 0
        while next(0, .max) != nil { count += 1 }
        #expect(count == 1_024)
        // Outages that are over make room; one that ends now is kept.
        outages.add(1, 4, now: 0)
        outages.add(2, 5, now: 0)
        outages.add(7, 9, now: 5)
        #expect(next(0, 100) == [2, 5] && next(0, 100) == [7, 9] && next(0, 100) == nil)
    }

    /// Broken: a time far from the origin overflows instead of being clamped.
    @Test func timesAreClamped() {
        let origin = Timestamp(seconds: 1_700_000_000)
        for (offset, expected) in [
            (0, 0), (-1, -1), (Int128(farthest), farthest), (Int128(farthest) + 1, farthest),
            (-Int128(farthest), -farthest),
            (-Int128(farthest) - 1, -farthest), (1 << 100, farthest), (-(1 << 100), -farthest), (7, 7),
        ] as [(Int128, Int64)] {
            #expect(Timestamp(nanoseconds: origin.nanoseconds + offset).nanoseconds(since: origin) == expected)
        }
    }

    // MARK: The drawing

    /// Broken: energy or packets of a drawing are lost when cells are joined, or fall into another cell.
    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func timelinesHoldAllEnergy(_ seed: UInt64) {
        var dice = Lot(state: seed &* 0x9e37_79b9_7f4a_7c15 | 1)
        var timeline = RadioTimeline()
        #expect(timeline.finished(since: .epoch).begin == nil && timeline.horizon == 0)
        var spans: [(state: RadioState, from: Int64, until: Int64, watts: Double)] = []
        var packets: [(at: Int64, isUp: Bool, bytes: UInt32)] = []
        let scale = [1_000_000, 40_000_000, 3_000_000_000][Int(seed % 3)]
        var now = Int64(dice.roll(1_000_000))
        let start = now
        for _ in 0..<400 {
            let until = now + Int64(dice.roll(scale * 3))
            let state = RadioState.allCases[dice.roll(RadioState.allCases.count)]
            let watts = Double(1 + dice.roll(9))
            // Sometimes a period begins before the first one.
            let from = dice.roll(40) == 0 ? start - 5_000 : now
            timeline.addTime(state, from, until, watts: watts)
            timeline.addTime(state, until, until, watts: 1_000)
            if from < until { spans.append((state, from, until, watts)) }
            let packet = ReplayPacket(at: until, bytes: UInt32(dice.roll(1_500)), isUp: dice.roll(2) == 0)
            timeline.count(packet, at: until, state, joules: 0.5)
            packets.append((until, packet.isUp, packet.bytes))
            spans.append((state, until, until, 0.5))
            now = until
        }
        let length = timeline.length
        #expect(timeline.cells.count <= 4_096 && timeline.horizon == length * Int64(timeline.cells.count))
        #expect(length == 1_000_000 || timeline.cells.count >= 2_048)
        let timelineStart = spans[0].from
        func place(_ at: Int64) -> Int { Int(max(at - timelineStart, 0) / length) }
        var cells = [[Double]](
            repeating: .init(repeating: 0, count: RadioState.allCases.count), count: timeline.cells.count)
        for span in spans {
            guard span.from < span.until else {
                cells[place(span.from)][Int(span.state.rawValue)] += span.watts
                continue
            }
            for cell in place(span.from)...place(span.until - 1) {
                let begin = cell == 0 ? Int64.min : timelineStart + Int64(cell) * length
                let end = timelineStart + Int64(cell + 1) * length
                let seconds = Double(min(span.until, end) - max(span.from, begin)) * 1e-9
                cells[cell][Int(span.state.rawValue)] += seconds * span.watts
            }
        }
        for (cell, expected) in zip(timeline.cells, cells) {
            for state in RadioState.allCases {
                #expect(isClose(cell[state], expected[Int(state.rawValue)], within: 1e-9))
            }
            #expect(isClose(cell.total, expected.reduce(0, +), within: 1e-9))
        }
        for index in timeline.cells.indices {
            let here = packets.filter { place($0.at) == index }
            let (up, down) = (here.filter(\.isUp), here.filter { !$0.isUp })
            let cell = timeline.cells[index]
            #expect(cell.up.packets == up.count && cell.up.bytes == up.reduce(0) { $0 + Int($1.bytes) })
            #expect(cell.down.packets == down.count && cell.down.bytes == down.reduce(0) { $0 + Int($1.bytes) })
        }
        let finished = timeline.finished(since: .epoch)
        #expect(finished.begin == .epoch + .nanoseconds(timelineStart))
        #expect(finished.place(.epoch + .nanoseconds(timelineStart + 77)) == 77)
    }
}
