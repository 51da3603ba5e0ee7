import DeadzoneBase
import DeadzoneClient
import DeadzoneLaws
import DeadzoneSimulator
import DeadzoneTestKit
import DeadzoneTransport
import Testing

/// Concurrent streams of calls, each with its own requests, answers and random numbers.
@Suite struct CallsSideBySideTests {
    private static let horizon = TimeSpan.minutes(5)

    private static func stream(_ gap: Int64, _ bytes: Int64, from: Int64 = 0, until: Int64 = 300) -> TrafficStream {
        TrafficStream(
            gap: .exponential(mean: gap * 1_000_000_000), size: .uniform(bytes, bytes + 50),
            from: .zero + .seconds(from), until: .zero + .seconds(until))
    }

    private static let three = [stream(7, 100), stream(11, 4_000), stream(3, 20, from: 100, until: 200)]
    private static let answers = [1_000, 20_000, 300].map { Distribution.uniform($0, $0 + 99) }

    private func traffic(_ streams: [TrafficStream], _ answers: [Distribution] = answers) -> Traffic {
        var traffic = Traffic(calls: TrafficStream(sideBySide: streams), answer: answers[0])
        traffic.parallelAnswers = Array(answers[1..<streams.count])
        return traffic
    }

    private func run(_ traffic: Traffic, seed: UInt64 = 1, phones: Int = 1, shared: Bool = false) -> AllRecords {
        var world = Fixture.cellularWorld(traffic, horizon: Self.horizon, phones: phones)
        if shared { world.server.acceptsPerSecond = 50 }
        return Simulation(world: world, strategy: AnyStrategy(CallingStrategy(timeout: .seconds(30))), seed: seed)
            .allRecords()
    }

    @Test(
        "A call that arrives before the server has accepted its connection is answered",
        arguments: [Transport(.http2), Transport(.quic), Transport(.webSocket), Transport(.grpc)],
        [1, 10, 1_000] as [UInt32])
    func anEarlyCallIsAnswered(_ carrier: Transport, _ rate: UInt32) {
        // A client over HTTP/2 sends its first call without waiting for the server.
        var world = Fixture.cellularWorld(
            Traffic(
                calls: .every(.milliseconds(100), bytes: 100, until: .zero + .seconds(2)), answer: .constant(100)),
            horizon: .minutes(1))
        for isShared in [true, false] {
            world.server.acceptsPerSecond = isShared ? rate : nil
            world.server.authentication = isShared ? nil : .milliseconds(1_000 / Int64(rate))
            world.server.thinkTime = .microseconds(100)
            let run = CallingStrategy(timeout: .minutes(2), over: carrier).run(world)
            #expect(run.count(.answered) == run.count(.called) && run.count(.called) > 15, "\(run.count(.answered))")
        }
    }

    @Test("A stream makes the same calls alone and beside a silent stream")
    func aStreamAloneIsTheSame() {
        let silent = Self.stream(1_000_000, 900, from: 299)
        seedSweep(20) { seed in
            let alone = run(traffic([Self.three[0]]), seed: seed).records
            #expect(run(traffic([Self.three[0], silent]), seed: seed).records == alone)
            #expect(alone.contains { $0.kind == .answered })
        }
    }

    @Test("An added stream does not move the calls of the others")
    func anAddedStreamMovesNoOther() {
        seedSweep(20) { seed in
            let two = run(traffic(Array(Self.three.prefix(2))), seed: seed).times(.called)
            let rest = run(traffic(Self.three), seed: seed).times(.called).beyond(two)
            // About 33 calls in a hundred seconds.
            #expect((15...60).contains(rest.count) && rest.allSatisfy { (100_000..<200_000).contains($0) })
        }
    }

    @Test("Every call has the request and answer sizes of its own stream")
    func everyCallHasTheSizesOfItsStream() {
        func plannedCalls(
            _ streams: [TrafficStream], _ phone: UInt32
        ) -> [(at: Instant, question: UInt32, answer: UInt32)] {
            var trafficPlan = TrafficPlan(traffic(streams), seed: 5, until: .zero + Self.horizon, phones: 0..<4)
            // Switches back and forth between phones: the plan of one phone must not affect another's.
            for turn in [phone, 3 - phone, phone] { trafficPlan.switchPhone(to: PhoneID(turn)) }
            guard let course = trafficPlan.callSchedule else { return [] }
            var walker = TrafficWalker(course)
            var calls: [(at: Instant, question: UInt32, answer: UInt32)] = []
            while walker.time < .zero + Self.horizon {
                calls.append(
                    (walker.time, trafficPlan.call.bytes(of: walker.index), trafficPlan.answer.bytes(of: walker.index)))
                walker.advance(course)
            }
            return calls
        }
        for phone in 0..<2 as Range<UInt32> {
            let all = plannedCalls(Self.three, phone)
            #expect(all.map(\.at) == all.map(\.at).sorted() && all.count > 60)
            // The first stream has the same draws as when it is alone.
            let first = plannedCalls([Self.three[0]], phone)
            let small = all.filter { (100...150).contains($0.question) }
            #expect(small.elementsEqual(first, by: ==) && Set(first.map(\.answer)).count > 10)
            #expect(
                all.allSatisfy {
                    switch $0.question {
                    case 100...150: (1_000...1_099).contains($0.answer)
                    case 4_000...4_050: (20_000...20_099).contains($0.answer)
                    default: (20...70).contains($0.question) && (300...399).contains($0.answer)
                    }
                })
            #expect(!plannedCalls(Self.three, 1 - phone).elementsEqual(all, by: ==))
        }
    }

    @Test("Coupled phones make the same calls as independent ones, and phones differ from each other")
    func coupledPhonesMakeTheSameCalls() {
        func calledAt(_ run: AllRecords) -> [[Instant]] {
            (0..<6 as Range<UInt32>).map { phone in
                run.records.filter { $0.phone == phone && $0.kind == .called }.map(\.at)
            }
        }
        let apart = calledAt(run(traffic(Self.three), phones: 6))
        let together = calledAt(run(traffic(Self.three), phones: 6, shared: true))
        #expect(apart == together && Set(apart).count == 6)
    }

    @Test("Every call ends once or is open at the horizon, measured from its own start")
    func everyCallEndsOrStaysOpen() {
        let never = TrafficStream(gap: .constant(7_000_000_000), size: .constant(10), until: .zero + .seconds(295))
        seedSweep(10) { seed in
            // A call is open at the end if its answer takes longer than the time that is left.
            let streams = [Self.stream(2, 100, until: 250), never]
            let run = run(traffic(streams, [.constant(500), .constant(1 << 28)]), seed: seed)
            let calledAt = run.times(.called)
            let ended = run.count(.answered) + run.count(.callFailed)
            let waited = run.records.filter { $0.kind == .waitedCall }.map(\.value)
            #expect(calledAt.count > 100 && !waited.isEmpty && ended > 0 && calledAt.count == ended + waited.count)
            let called = Set(run.records.filter { $0.kind == .called }.map(\.at))
            #expect(waited.allSatisfy { called.contains(.zero + Self.horizon - TimeSpan(nanoseconds: $0)) })
        }
    }
}
