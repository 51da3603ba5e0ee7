import DeadzoneBase
import DeadzoneDevice
import DeadzoneTestKit
import Testing
@testable import DeadzoneMetrics

private typealias Expectation = DeadzoneMetrics.Expectation

@Suite struct PhoneAndCallsTests {
    private static func record(_ kind: RecordKind, _ value: TimeSpan = .zero, tag: UInt16 = 0) -> Record {
        Record(at: .zero, phone: 0, kind: kind, tag: tag, value: value.nanoseconds)
    }

    /// Half an hour of one phone with every kind of event.
    private static let first: [Record] = [
        record(.woke, tag: UInt16(Cause.keepalive.rawValue)), record(.woke, tag: UInt16(Cause.push.rawValue)),
        record(.awake, .seconds(4), tag: UInt16(Cause.keepalive.rawValue)),
        record(.awake, .seconds(6), tag: UInt16(Cause.push.rawValue)), record(.window, .minutes(5)),
        record(.suspended, .seconds(30), tag: SuspensionCode.asleep.rawValue),
        record(.suspended, .seconds(10), tag: SuspensionCode.frozen.rawValue), record(.killed), record(.relaunched),
        record(.timerLate, .milliseconds(100)), record(.timerLate, .seconds(9)), record(.pushed, .milliseconds(250)),
        record(.networkTold, tag: NetworkCode.lost.rawValue),
        record(.networkTold, tag: NetworkCode.available.rawValue),
        record(.called), record(.called, .nanoseconds(1)), record(.called, .nanoseconds(2)),
        record(.called, .nanoseconds(3)), record(.answered, .milliseconds(80)),
        record(.callFailed, .seconds(10), tag: CallCode.deadlineExceeded.rawValue),
        record(.callFailed, .milliseconds(1), tag: CallCode.unavailable.rawValue),
        record(.callPending, .nanoseconds(1)), record(.answerUnused), record(.callOutage, .seconds(12), tag: 2),
        record(.mappingExpired, tag: UInt16(Interface.cellular.rawValue)), record(.serverExpired),
        record(.resolved, .milliseconds(20), tag: ResolutionCode.answered.rawValue),
        record(.resolved, tag: ResolutionCode.cached.rawValue),
        record(.resolved, .seconds(5), tag: ResolutionCode.failed.rawValue),
        record(.goAway, tag: GoAwayCode.noError.rawValue), record(.goAway, tag: GoAwayCode.tooManyPings.rawValue),
        record(.connecting), record(.connecting), record(.connecting), record(.opened), record(.finished, .minutes(30)),
    ]

    private static let prices = Prices(
        radios: RadioProfiles(wifi: nil, cellular: nil),
        processor: ProcessorPower(
            wakePower: .milliwatts(100), wakeEnergy: Energy(femtojoules: 50_000_000_000_000)))

    @Test("A push that waits at the end has taken at least its age")
    func pushesThatWaitAreCounted() {
        // Broken: pushes that have not woken the app do not count, so a service that delivers nothing looks fast.
        func latency(_ records: [Record]) -> [Figure?] {
            let all = records + [Self.record(.finished, .minutes(30))]
            let measurement = Measurement(of: [fold(all)], prices: Self.prices, seed: 1)
            return ["p50", "p95", "max"].map { measurement.figure("push.latency.\($0)") }
        }
        let arrived = (0..<3).map { _ in Self.record(.pushed, .milliseconds(250)) }
        let short = Figure.value(Billionths(stored: 250))
        #expect(latency(arrived) == [short, short, short])
        func isLate(_ figure: Figure?) -> Bool {
            if case .atLeast(let age)? = figure { abs(age.double - 90_000) < 90 } else { false }
        }
        let waiting = latency(arrived + [Self.record(.waitedPush, .seconds(90))])
        #expect(waiting[0] == short && isLate(waiting[1]) && isLate(waiting[2]), "\(waiting)")
        #expect(latency([Self.record(.waitedPush, .seconds(90))]).allSatisfy(isLate))
    }

    @Test("A bound on calls says how many are pending")
    func boundsOnCallsNamePendingCalls() throws {
        // Broken: a client that never makes its calls succeeds with 100 %, and nothing says so.
        for (metric, words, isNamed) in [
            ("calls.success_ratio", "at least 10%", true), ("calls.failed", "at most 5", true),
            ("calls.ok", "at least 0", false), ("calls.pending", "at most 5", false),
        ] {
            let unit = try #require(Catalogue.metric(named: metric)).unit
            let bound = Expectation(strategy: "a", metric: metric, threshold: try Threshold(words, in: unit))
            let outcome = try bound.judged(by: [Subject("a"): Self.run])
            #expect(outcome.verdict == .pass)
            #expect(outcome.pending == (isNamed ? .value(Billionths(stored: 0.5)) : nil), "\(metric)")
        }
    }

    /// That half-hour, and one without events.
    private static let run = Measurement(
        of: [fold(first), fold([record(.finished, .minutes(30))])], prices: prices, seed: 1)

    @Test("Every number equals its definition")
    func everyMetricEqualsItsValueComputedByHand() {
        let table: [(String, Double?)] = [
            ("cpu.wakes", 1), ("cpu.awake_s", 5), ("cpu.windows", 0.5), ("app.suspended_s", 20), ("app.kills", 0.5),
            ("timer.late.p50", 100), ("timer.late.p95", 9_000), ("timer.late.max", 9_000), ("push.woken", 0.5),
            ("push.latency.p50", 250), ("push.latency.p95", 250), ("push.latency.max", 250), ("network.told", 1),
            ("calls.sent", 2), ("calls.ok", 0.5), ("calls.failed", 1), ("calls.pending", 0.5),
            ("calls.deadline_exceeded", 0.5), ("calls.unavailable", 0.5), ("calls.success_ratio", 0.333333333),
            ("calls.answers_unused", 0.5), ("calls.failed_in_a_row.max", 2), ("outage.calls.max_s", 12),
            ("latency.call.p50", nil), ("latency.call.p95", nil), ("latency.call.p99", nil), ("latency.call.max", nil),
            ("connection.attempts_per_hour", 3), ("connection.handshakes_per_hour", 1), ("connection.goaways", 1),
            ("keepalive.rejected", 0.5), ("middlebox.expired", 0.5), ("server.expired", 0.5), ("dns.queries", 1),
            ("dns.cached", 0.5), ("dns.failed", 0.5),
            // (4 s · 0.1 W + 0.05 J) and (6 s · 0.1 W + 0.05 J), over two phones.
            ("cpu.wake", 0.55), ("cause.keepalive", 0.225), ("cause.push", 0.325), ("battery.joules", 0.55),
        ]
        for (name, wanted) in table {
            let figure = Self.run.figure(name)
            #expect(figure?.double == wanted, "\(name) is \(String(describing: figure))")
        }
        #expect(Self.run.figure("latency.call.p50") == .never && Self.run.unreadable == 0)
    }

    @Test("Without a platform, metrics of the processor have no value")
    func withoutAPlatformThereIsNoProcessor() {
        let run = Measurement(
            of: [fold([Self.record(.finished, .minutes(30))])], prices: Prices(radios: Self.prices.radios), seed: 1)
        for name in ["cpu.wake", "cpu.wakes", "cpu.awake_s", "cpu.windows", "app.suspended_s", "calls.success_ratio"] {
            #expect(run.figure(name) == .nothing, "\(name)")
        }
        for name in [
            "timer.late.max", "calls.sent", "outage.calls.max_s", "calls.failed_in_a_row.max", "battery.joules",
        ] {
            #expect(run.figure(name) == .value(.zero), "\(name)")
        }
        #expect(run.energyByState.isEmpty)
    }
}
