import DeadzoneBase
import DeadzoneClient
import DeadzoneLaws
import DeadzoneSimulator
import DeadzoneTestKit
import DeadzoneTransport
import Testing

/// Concurrent streams of one direction, each with its own sizes and random numbers.
@Suite struct SideBySideTests {
    private static let horizon = TimeSpan.minutes(5)

    private static func stream(_ gap: Int64, _ bytes: Int64, from: Int64 = 0, until: Int64 = 300) -> TrafficStream {
        TrafficStream(
            gap: .exponential(mean: gap * 1_000_000_000), size: .uniform(bytes, bytes + 50),
            from: .zero + .seconds(from), until: .zero + .seconds(until))
    }

    /// A stream that never sends anything.
    private static let silent = stream(1_000_000, 900, from: 299)

    private func traffic(_ streams: [TrafficStream], _ direction: Direction) -> Traffic {
        let stream = TrafficStream(sideBySide: streams)
        return direction == .up ? Traffic(up: stream) : Traffic(down: stream)
    }

    private func run(_ traffic: Traffic, seed: UInt64 = 1, phones: Int = 1, shared: Bool = false) -> AllRecords {
        var world = Fixture.cellularWorld(traffic, horizon: Self.horizon, phones: phones)
        if shared { world.server.acceptsPerSecond = 50 }
        return Simulation(world: world, strategy: Fixture.strategy(Patient.self), seed: seed).allRecords()
    }

    @Test("A stream sends the same messages alone and beside a silent stream", arguments: Direction.allCases)
    func aStreamAloneIsTheSame(_ direction: Direction) {
        seedSweep(20) { seed in
            let own = Self.stream(7, 100)
            let alone = run(traffic([own], direction), seed: seed).records
            #expect(run(traffic([own, Self.silent], direction), seed: seed).records == alone)
            #expect(alone.contains { $0.kind == (direction == .up ? .deliveredUp : .deliveredDown) })
        }
    }

    @Test("An added stream does not move the messages of the others", arguments: Direction.allCases)
    func anAddedStreamMovesNoOther(_ direction: Direction) {
        let sent: RecordKind = direction == .up ? .sentUp : .sentDown
        seedSweep(20) { seed in
            let streams = [Self.stream(7, 100), Self.stream(11, 4_000), Self.stream(3, 20, from: 100, until: 200)]
            let two = run(traffic([streams[0], streams[1]], direction), seed: seed).times(sent)
            let rest = run(traffic(streams, direction), seed: seed).times(sent).beyond(two)
            // About 33 messages in a hundred seconds.
            #expect((15...60).contains(rest.count) && rest.allSatisfy { (100_000..<200_000).contains($0) })
        }
    }

    @Test("Every message has the size of its own stream")
    func everyMessageHasTheSizeOfItsStream() {
        let streams = [Self.stream(7, 100), Self.stream(11, 4_000), Self.stream(3, 20, from: 100, until: 200)]
        func plannedMessages(_ streams: [TrafficStream], _ phone: UInt32) -> (at: [Instant], bytes: [UInt32]) {
            var said = TrafficPlan(traffic(streams, .up), seed: 5, until: .zero + Self.horizon, phones: 0..<4)
            // Switches back and forth between phones: the plan of one phone must not affect another's.
            for turn in [phone, 3 - phone, phone] { said.switchPhone(to: PhoneID(turn)) }
            guard let course = said.upSchedule else { return ([], []) }
            var walker = TrafficWalker(course)
            var messages: (at: [Instant], bytes: [UInt32]) = ([], [])
            while walker.time < .zero + Self.horizon {
                messages.at.append(walker.time)
                messages.bytes.append(said.up.bytes(of: walker.index))
                walker.advance(course)
            }
            return messages
        }
        for phone in 0..<2 as Range<UInt32> {
            let all = plannedMessages(streams, phone)
            #expect(all.at == all.at.sorted() && all.at.count > 60)
            // The first stream has the same draws as when it is alone.
            let first = plannedMessages([streams[0]], phone)
            let small = all.at.indices.filter { (100...150).contains(all.bytes[$0]) }
            #expect(small.map { all.at[$0] } == first.at && small.map { all.bytes[$0] } == first.bytes)
            #expect(
                all.bytes.allSatisfy {
                    (100...150).contains($0) || (4_000...4_050).contains($0) || (20...70).contains($0)
                })
            #expect(plannedMessages(streams, 1 - phone).at != all.at)
        }
    }

    @Test("Coupled phones send the same messages as independent ones, and phones differ from each other")
    func coupledPhonesSendTheSameMessages() {
        let streams = [Self.stream(7, 100), Self.stream(11, 400)]
        for direction in Direction.allCases {
            let sent: RecordKind = direction == .up ? .sentUp : .sentDown
            func said(_ run: AllRecords) -> [[Instant]] {
                (0..<6 as Range<UInt32>).map { phone in
                    run.records.filter { $0.phone == phone && $0.kind == sent }.map(\.at)
                }
            }
            let apart = said(run(traffic(streams, direction), phones: 6))
            let together = said(run(traffic(streams, direction), phones: 6, shared: true))
            #expect(apart == together && Set(apart).count == 6)
        }
    }

    @Test("Every message of concurrent streams arrives exactly once", arguments: Direction.allCases)
    func everyMessageArrivesOnce(_ direction: Direction) {
        seedSweep(10) { seed in
            let run = run(
                traffic([Self.stream(2, 100, until: 250), Self.stream(5, 3_000, until: 250)], direction), seed: seed)
            let (sent, came): (RecordKind, RecordKind) =
                direction == .up ? (.sentUp, .deliveredUp) : (.sentDown, .deliveredDown)
            #expect(run.count(sent) > 100 && run.count(came) == run.count(sent))
        }
    }
}
