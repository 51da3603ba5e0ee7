import DeadzoneClient
import DeadzonePrimitives
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSettings
import Testing

@testable import DeadzoneFit

/// Clients that this program makes up, recorded, and found again.
struct WaitFitTests {
    /// A law, and its settings by their names.
    private struct Odd {
        var numbers: [String: Double] = [:]
        var jitter = "none"
        var isFromAttempt = false
        var timeout: TimeSpan = .zero
        var backoff: Backoff
    }

    private static func odd(_ seed: UInt64) -> Odd {
        var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
        func between(_ low: Int64, _ high: Int64) -> Int64 { low + Int64(dice.next() % UInt64(high - low + 1)) }
        let base = TimeSpan.milliseconds(between(180, 3_000))
        let multiplier = between(13, 30) * 100_000
        let cap = base * between(5, 20)
        let share = between(1, 9) * 100_000
        let jitters: [(String, Backoff.Jitter)] = [
            ("none", .none), ("full", .full), ("equal", .equal), ("spread", .spread(share)),
        ]
        let (name, jitter) = jitters[Int(seed % 4)]
        var odd = Odd(backoff: Backoff(base: base, multiplier: multiplier, cap: cap, jitter: jitter))
        odd.jitter = name
        odd.isFromAttempt = seed % 3 == 0
        odd.timeout = .milliseconds(between(2_000, 20_000))
        odd.numbers = [
            "backoff.base": base.seconds, "backoff.multiplier": Double(multiplier) / 1e6, "backoff.cap": cap.seconds,
            "connect.timeout": odd.timeout.seconds,
        ]
        if name == "spread" { odd.numbers["backoff.jitter"] = Double(share) / 1e6 }
        return odd
    }

    /// Rows of attempts that are refused after a round trip, and rows that nobody answers.
    private static func recordings(_ odd: Odd, seed: UInt64, rows: Int = 5, attempts: Int = 9) -> [Recording] {
        var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .strategy)
        return (0..<rows).map { row in
            let isSilent = row % 2 == 1
            var at = Instant.zero
            var failures = Backoff.Attempts()
            var lines: [Recording.Line] = []
            for _ in 0..<attempts {
                var line = Recording.Line(at: at)
                let spent = isSilent ? odd.timeout : .milliseconds(60)
                if !isSilent {
                    line.endedAt = at + spent
                    line.ending = .refused
                }
                lines.append(line)
                let wait = odd.backoff.next(&failures, using: &dice)
                at =
                    at + (odd.isFromAttempt ? max(wait, spent) : spent + wait)
                    + .microseconds(Int64(dice.next() % 20_000))
            }
            return Recording("row \(row)", lines)
        }
    }

    @Test("Odd constants are found again")
    func oddConstantsAreFound() throws {
        // Broken: an interval that does not hold the number that was there, or a law that is ruled out and was it.
        for seed in UInt64(0)..<12 {
            let odd = Self.odd(seed)
            let fitting = Fitting(Self.recordings(odd, seed: seed), preset: [:], numbers: [:])
            let fit = try #require(fitting.fit, "seed \(seed)")
            let isFound = fit.laws.contains {
                $0.jitter.rawValue == odd.jitter && $0.isFromAttempt == odd.isFromAttempt && !$0.hasFirst
                    && $0.growth == .times
            }
            #expect(isFound, "seed \(seed): \(odd.jitter) among \(fit.laws)")
            guard fit.law.jitter.rawValue == odd.jitter, fit.law.isFromAttempt == odd.isFromAttempt else { continue }
            for finding in fitting.findings {
                guard let range = finding.range, let number = odd.numbers[finding.setting] else { continue }
                let allowed = range.lowerBound - 0.001...range.upperBound + 0.001
                #expect(allowed.contains(number), "seed \(seed): \(finding) was \(number)")
                guard odd.jitter == "none", finding.setting != "backoff.cap" else { continue }
                #expect(range.upperBound / range.lowerBound < 1.3, "seed \(seed): \(finding) tells nothing")
            }
        }
    }

    @Test("Of a cap that was never reached only the least is known")
    func aNumberMayBeOpenAbove() throws {
        // Broken: a preset is refuted by what the recording was too short to show; or nothing refutes it. And waits after failures pass
        // for those after a lost connection, of which there was none.
        let odd = Odd(
            timeout: .seconds(7),
            backoff: Backoff(base: .seconds(1), multiplier: 2_000_000, cap: .seconds(600), jitter: .none))
        let recordings = Self.recordings(odd, seed: 1, attempts: 5)
        for (cap, isRefuted) in [(600.0, false), (86_400, false), (3, true)] {
            let fitting = Fitting(
                recordings, preset: ["backoff.cap": "\(Int(cap))s"], numbers: ["backoff.cap": cap])
            let found = try #require(
                fitting.findings.first { $0.setting == "backoff.cap" }, "\(fitting.untold.map(\.setting))")
            #expect(found.isRefuted == isRefuted, "\(cap): \(found)")
            #expect(!fitting.findings.contains { $0.setting == "backoff.after-open" })
            #expect(fitting.untold.contains { $0.setting == "backoff.after-open" })
        }
    }

    @Test("What is found is a preset that deadzone reads and that behaves as the recording")
    func whatIsFoundIsAPreset() throws {
        // Broken: the file that is written is refused, or is another client.
        let odd = Self.odd(4)
        let recordings = Self.recordings(odd, seed: 4)
        let found = FitMaker(recordings, like: nil).report()
        let own = try Self.preset(found.yaml, name: "own.yaml")
        let again = FitMaker(recordings, like: own).report()
        #expect(again.isLike, "\(found.yaml) \(again.complaints) \(again.findings.filter(\.isRefuted))")
        #expect(again.judged.map { $0.inside == $0.of && $0.of > 30 } == true)
    }

    @Test("A wrong preset is told apart, attempt by attempt")
    func aWrongPresetIsToldApart() throws {
        // Broken: any client passes for any preset.
        let recordings = Self.recordings(Self.odd(4), seed: 4)
        let other = try Self.preset("version: 1\nstrategy: grpc-core\nabout: x\n", name: "other.yaml")
        let report = FitMaker(recordings, like: other).report()
        #expect(!report.isLike)
        #expect(report.complaints.contains { $0.contains("the preset allows") }, "\(report)")
        #expect(report.findings.contains { $0.setting == "backoff.base" && $0.isRefuted }, "\(report.findings)")
    }

    @Test("Waits of a table are found, one after the other")
    func aTableIsFound() throws {
        // Broken: waits that follow no law are not explained, or their table is another one.
        let odd = Odd(
            timeout: .seconds(7),
            backoff: Backoff(table: Backoff.Waits([.seconds(1), .seconds(9), .seconds(2), .seconds(30)])))
        let recordings = Self.recordings(odd, seed: 3)
        let found = FitMaker(recordings, like: nil).report()
        #expect(found.findings.first { $0.setting == "backoff.table" }?.value == "[1s, 9s, 2s, 30s]", "\(found.yaml)")
        #expect(found.findings.first { $0.setting == "connect.timeout" }?.range?.contains(7) == true)
        let again = FitMaker(recordings, like: try Self.preset(found.yaml, name: "own.yaml")).report()
        #expect(again.isLike && again.judged.map { $0.inside == $0.of && $0.of > 30 } == true, "\(again)")
        let wrong = try Self.preset("version: 1\nstrategy: grpc-core\nabout: x\n", name: "other.yaml")
        #expect(FitMaker(recordings, like: wrong).report().findings.first?.isRefuted == true)
    }

    private static func preset(_ yaml: String, name: String) throws -> FitMaker.Preset {
        let reading = StrategyReading(name, with: Node(.map([])), .standard) { _ in .success(Array(yaml.utf8)) }
        let strategy = try #require(reading.strategy, "\(yaml) \(reading.faults)")
        return FitMaker.Preset(name: name, strategy, settings: reading.settings)
    }
}
