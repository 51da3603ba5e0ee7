import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport
import Testing
@testable import DeadzoneSimulator

@Suite struct TroubleTests {
    private func world(_ gap: TimeSpan, phones: Int = 1, minutes: Int64 = 20) -> World {
        var world = Fixture.cellularWorld(Traffic(), horizon: .minutes(minutes), phones: phones)
        world.traffic.calls = .every(gap, bytes: 200)
        world.traffic.answer = .constant(500)
        return world
    }

    private func caller(_ calls: [(String, String)] = []) -> AnyStrategy {
        Fixture.composed([("transport", [("kind", "grpc")]), ("calls", [("deadline", "20s")] + calls)])
    }

    /// Broken: the share of errors differs from the setting, or depends on the client. Or a retry gets the same
    /// transient error for ever, or avoids a permanent error.
    @Test func errorsAreAShareOfTheCalls() {
        var world = world(.seconds(1))
        world.server.faults.transient = Probability(20, of: 100)
        world.server.faults.permanent = Probability(5, of: 100)
        let plain = Simulation(world: world, strategy: caller(), seed: 3).allRecords()
        let again = Simulation(
            world: world,
            strategy: Fixture.composed(
                [("transport", [("kind", "grpc")]), ("calls", [("deadline", "20s")])], retry: true),
            seed: 3
        ).allRecords()
        let permanent = { (run: AllRecords) in
            run.records.filter { $0.kind == .callFailed && $0.tag == CallCode.permissionDenied.rawValue }.count
        }
        let transient = { (run: AllRecords) in
            run.records.filter { $0.kind == .callFailed && $0.tag == CallCode.unavailable.rawValue }.count
        }
        #expect((190...285).contains(transient(plain)) && (35...90).contains(permanent(plain)))
        #expect(plain.count(.serverAsked) == plain.count(.called) && plain.count(.callRepeated) == 0)
        #expect(permanent(again) >= permanent(plain) && transient(again) < transient(plain) / 10)
        #expect(again.count(.callRepeated) > 100)
        #expect(again.count(.serverAsked) == again.count(.called) + again.count(.callRepeated))
    }

    /// Broken: a rate limit admits more calls than it states, or fewer.
    @Test func aRateLimitHolds() {
        var world = world(.milliseconds(100), minutes: 1)
        world.server.faults.rateLimit = RateLimit(every: .seconds(1), burst: 5)
        let run = Simulation(world: world, strategy: caller(), seed: 1).allRecords()
        // Five calls at once, then one each second of the minute.
        #expect((61...66).contains(run.count(.answered)), "\(run.count(.answered))")
        let refused = run.records.filter { $0.kind == .callFailed }
        #expect(refused.allSatisfy { $0.tag == CallCode.resourceExhausted.rawValue } && refused.count > 500)
        #expect(refused.count == run.count(.serverRejected))
    }

    /// Broken: an overloaded server answers as quickly as ever, has an unlimited queue, or has a queue per phone; or
    /// the share of a phone depends on its number.
    @Test func phonesShareWhatTheServerCanDo() {
        var world = world(.seconds(1), phones: 20, minutes: 2)
        world.server.faults.requestsPerSecond = 10
        world.server.faults.queue = 30
        let run = Simulation(world: world, strategy: caller(), seed: 1).allRecords()
        // Ten calls a second for two minutes, and the queue that is left.
        #expect((1_150...1_200).contains(run.count(.answered)), "\(run.count(.answered))")
        let longest = run.values(.answered).max() ?? 0
        #expect(longest > TimeSpan.seconds(3).nanoseconds && longest < TimeSpan.milliseconds(3_700).nanoseconds)
        let rejected = run.records.filter { $0.kind == .serverRejected }
        #expect(rejected.allSatisfy { $0.tag == RejectionCode.overloaded.rawValue } && rejected.count > 1_000)
        #expect(run.count(.serverAsked) == run.count(.answered) + rejected.count + Int(run.sum(.callPending)))
        // With half as many phones, all calls are answered, and quickly.
        world.phones = 9
        let light = Simulation(world: world, strategy: caller(), seed: 1).allRecords()
        #expect(light.count(.serverRejected) == 0 && light.values(.answered).dropFirst(9).max()! < longest / 2)
    }

    /// Broken: the server processes a call above the last stream that GOAWAY names, or the client is not notified of
    /// it. The call came after the ping that was one too many.
    @Test func callsAboveGoAwayAreRetried() {
        var world = world(.seconds(10), minutes: 2)
        world.server.pingFloor = .minutes(5)
        world.server.pingStrikes = 1
        let run = Simulation(world: world, strategy: AnyStrategy(Pesterer()), seed: 1).allRecords()
        #expect(run.count(.goAway) == 1 && run.count(.callRepeated) == 1)
        #expect(run.count(.serverAsked) == run.count(.called) && run.count(.answered) == run.count(.called))
    }
}

/// Pings four times with its fourth call, and repeats an unprocessed call on another connection.
private struct Pesterer: Strategy {
    static let name = "pesterer"
    static let about = "pings too often"
    init() {}
    init(_ settings: inout SettingsReader) {}

    func initialState() -> UInt32 { .max }

    func handle(_ event: Event, _ passedOver: inout UInt32, _ session: inout Session, _ out: inout Outbox) {
        let line = ConnectionSlot(0)
        switch event {
        case .started: out.append(.connect(line, Transport(.http2), resuming: .fresh))
        case .wantsToCall(let call):
            if call.index == 3 { for _ in 0..<4 { out.append(.ping(line)) } }
            out.append(.call(line, call.index))
        case .rejected(_, let call, let refusal) where refusal.isUnprocessed && refusal.isConnectionDraining:
            passedOver = call
        case .goingAway: out.append(.connect(line, Transport(.http2), resuming: .fresh))
        case .opened where passedOver != .max: out.append(.call(line, passedOver))
        default: break
        }
    }
}

extension Fixture {
    /// `composed` with settings that are maps of one level.
    static func composed(_ settings: [(String, [(String, String)])], retry: Bool = false) -> AnyStrategy {
        var entries = settings.map { key, part in
            Node.MapEntry(key: key, value: .map(part.map { Node.MapEntry(key: $0.0, value: .text($0.1)) }))
        }
        if retry {
            let policy = Node.map([
                .init(key: "retry-policy", value: .map([.init(key: "max-attempts", value: .text("5"))]))
            ])
            if let index = entries.firstIndex(where: { $0.key == "calls" }) {
                entries[index].value = .map((entries[index].value.entries ?? []) + (policy.entries ?? []))
            } else {
                entries.append(.init(key: "calls", value: policy))
            }
        }
        var reader = SettingsReader(.map(entries), of: "composed")
        let strategy = Composed(&reader)
        reader.finish()
        precondition(reader.faults.isEmpty, "composed refuses \(settings)")
        return AnyStrategy(strategy)
    }
}
