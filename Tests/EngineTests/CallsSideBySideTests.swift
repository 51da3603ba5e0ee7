import DeadzoneClient
import DeadzoneEngine
import DeadzoneJournal
import DeadzoneLaws
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneTestKit
import DeadzoneTransport
import DeadzoneWorld
import Testing

/// Streams of calls at the same time, each with questions, answers and dice of its own.
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
        traffic.answersBeside = Array(answers[1..<streams.count])
        return traffic
    }

    private func run(_ traffic: Traffic, seed: UInt64 = 1, phones: Int = 1, shared: Bool = false) -> Everything {
        var world = Fixture.cellularWorld(traffic, horizon: Self.horizon, phones: phones)
        if shared { world.server.acceptsPerSecond = 50 }
        return Simulation(world: world, strategy: AnyStrategy(Asker(patience: .seconds(30))), seed: seed).everything()
    }

    @Test("Else one stream beside others would be another than it is alone")
    func aStreamAloneIsTheSame() {
        let silent = Self.stream(1_000_000, 900, from: 299)
        seedSweep(20) { seed in
            let alone = run(traffic([Self.three[0]]), seed: seed).records
            #expect(run(traffic([Self.three[0], silent]), seed: seed).records == alone)
            #expect(alone.contains { $0.kind == .answered })
        }
    }

    @Test("Else a stream that is added would move the others")
    func oneMoreMovesNoOther() {
        seedSweep(20) { seed in
            let two = run(traffic(Array(Self.three.prefix(2))), seed: seed).times(.called)
            let rest = run(traffic(Self.three), seed: seed).times(.called).beyond(two)
            // Some 33 calls in a hundred seconds.
            #expect((15...60).contains(rest.count) && rest.allSatisfy { (100_000..<200_000).contains($0) })
        }
    }

    @Test("Else a call would be as large as one of another stream, or be answered as such a one")
    func everyCallHasTheSizesOfItsStream() {
        func conversation(
            _ streams: [TrafficStream], _ phone: UInt32
        ) -> [(at: Instant, question: UInt32, answer: UInt32)] {
            var said = Conversation(traffic(streams), seed: 5, until: .zero + Self.horizon, phones: 0..<4)
            // Back and forth: what is kept of one is not another's.
            for turn in [phone, 3 - phone, phone] { said.turn(to: PhoneID(turn)) }
            guard let course = said.callCourse else { return [] }
            var walker = TrafficWalker(course)
            var calls: [(at: Instant, question: UInt32, answer: UInt32)] = []
            while walker.at < .zero + Self.horizon {
                calls.append((walker.at, said.call.bytes(of: walker.index), said.answer.bytes(of: walker.index)))
                walker.advance(course)
            }
            return calls
        }
        for phone in 0..<2 as Range<UInt32> {
            let all = conversation(Self.three, phone)
            #expect(all.map(\.at) == all.map(\.at).sorted() && all.count > 60)
            // The first has the draws that it has alone.
            let first = conversation([Self.three[0]], phone)
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
            #expect(!conversation(Self.three, 1 - phone).elementsEqual(all, by: ==))
        }
    }

    @Test("Else phones that meet would ask something else than phones that do not, or all of them the same")
    func whoTakesTurnsAsksTheSame() {
        func asked(_ run: Everything) -> [[Instant]] {
            (0..<6 as Range<UInt32>).map { phone in
                run.records.filter { $0.lane == phone && $0.kind == .called }.map(\.at)
            }
        }
        let apart = asked(run(traffic(Self.three), phones: 6))
        let together = asked(run(traffic(Self.three), phones: 6, shared: true))
        #expect(apart == together && Set(apart).count == 6)
    }

    @Test("Else a call would be without an end between streams, or have two, or wait since another's moment")
    func everyCallEndsOrWaits() {
        let never = TrafficStream(gap: .constant(7_000_000_000), size: .constant(10), until: .zero + .seconds(295))
        seedSweep(10) { seed in
            // What takes longer to answer than is left is open in the end.
            let streams = [Self.stream(2, 100, until: 250), never]
            let run = run(traffic(streams, [.constant(500), .constant(1 << 28)]), seed: seed)
            let asked = run.times(.called)
            let ended = run.count(.answered) + run.count(.callFailed)
            let waited = run.records.filter { $0.kind == .waitedCall }.map(\.value)
            #expect(asked.count > 100 && !waited.isEmpty && ended > 0 && asked.count == ended + waited.count)
            let called = Set(run.records.filter { $0.kind == .called }.map(\.at))
            #expect(waited.allSatisfy { called.contains(.zero + Self.horizon - TimeSpan(nanoseconds: $0)) })
        }
    }
}
