import DeadzoneBase
import DeadzoneClient
import DeadzoneHost
import DeadzoneLaws
import DeadzoneMetrics
package import DeadzoneScenarios

/// Searches for violations of invariants (laws) over many random seeds and event histories, and prints them.
package struct LawSearch: Sendable {
    package enum LawGroup: String, CaseIterable, Sendable {
        case worlds, delivery, visits, strategies, chaos

        /// Groups that are searched by default.
        package static let standard: [LawGroup] = [.worlds, .delivery, .visits, .strategies]
    }

    /// The extent of a search for law violations: seeds, history lengths, and strategies to test.
    package struct LawSearchScope: Sendable {
        /// Seeds of random worlds.
        package var seeds: ClosedRange<UInt64>
        /// Seeds of long random histories, for each strategy.
        package var histories: ClosedRange<UInt64>
        /// Every history of at most this many events is tested.
        package var maximumHistoryLength: Int
        /// The chaos test runs until this many disconnects have occurred.
        package var disconnects: Int
        /// Strategies to test; empty means all.
        package var strategies: [String]
        /// The command that the user typed, for the command that repeats a failure: `deadzone`, or the program of a
        /// package with its own strategies.
        package var program = "deadzone"

        package init(
            seeds: ClosedRange<UInt64>, histories: ClosedRange<UInt64>, maximumHistoryLength: Int, disconnects: Int,
            strategies: [String]
        ) {
            self.seeds = seeds
            self.histories = histories
            self.maximumHistoryLength = maximumHistoryLength
            self.disconnects = disconnects
            self.strategies = strategies
        }
    }

    /// Maximum number of failures of one sweep that are printed. All are counted.
    private static let shown = 10
    /// Number of chaos test runs between two checks of the disconnect count.
    private static let chaosBatch = 64

    private let scope: LawSearchScope
    private let executor: ParallelExecutor
    private let printLine: @Sendable (String) -> Void
    private let radios: RandomWorld.RadioChoices
    /// Strategies with the settings that a scenario gets if it only names the strategy.
    private let clients: [(name: String, strategy: AnyStrategy)]

    /// - Parameter printLine: receives the findings, line by line.
    package init(
        _ scope: LawSearchScope, _ vocabulary: Vocabulary, by executor: ParallelExecutor,
        printLine: @escaping @Sendable (String) -> Void
    ) throws(ToolFault) {
        self.scope = scope
        self.executor = executor
        self.printLine = printLine
        radios = RandomWorld.RadioChoices(ProfileReader.profiles(on: vocabulary.profiles))
        let known = vocabulary.strategies.map(\.name) + vocabulary.presets.map(\.name)
        for name in scope.strategies where !known.contains(name) {
            throw .unknownName(name, "strategy", among: known, help: "deadzone list strategies shows all strategies")
        }
        let chosen = scope.strategies.isEmpty ? known : known.filter(scope.strategies.contains)
        clients = try chosen.map { name throws(ToolFault) in
            let reading = ParsedStrategy(name, with: Node(.map([])), vocabulary, read: ScenarioFiles.read)
            if let strategy = reading.strategy { return (name, strategy) }
            throw ToolFault(
                .runFailed, "\(quote(name)) cannot run without settings", help: reading.faults.sorted.map(\.message))
        }
    }

    /// The result of searching one group of laws.
    package struct LawResult: Sendable {
        /// `false` if a law is broken, if a known violation no longer occurs, or if a full search did not cover every
        /// situation it must reach.
        package let holds: Bool
        /// How often each situation was reached, one line for each. Empty if the group counts none.
        package let coverage: String
    }

    /// Searches one group of laws.
    package func search(_ part: LawGroup) -> LawResult {
        switch part {
        case .worlds: search(.worlds(radios, clients: clients.map(\.strategy)), part)
        case .delivery: search(.delivery(radios, composed: .of(Composed.self)), part)
        case .visits: search(.visits(radios, composed: .of(Composed.self)), part)
        case .strategies: LawResult(holds: strategiesHold(), coverage: "")
        case .chaos: LawResult(holds: passesChaosTest(), coverage: "")
        }
    }

    /// The command that repeats the check of one seed.
    private func repeatCommand(_ part: LawGroup, _ seed: UInt64, _ strategies: [String]) -> String {
        "\(scope.program.escapedForTerminal) laws \(part) \(seed)"
            + strategies.map { " --strategy " + visible($0, atMost: 60) }.joined()
    }

    /// Results in order of their index. Indices that were not started because of a stop are omitted.
    private func map<Result: Sendable>(_ count: Int, _ body: @Sendable (Int) -> Result) -> [Result] {
        Workers.run(count: count, jobs: executor.jobs, stop: executor.isStopped, body: body).compactMap(\.self)
    }

    func search(_ sweep: Sweep, _ part: LawGroup) -> LawResult {
        let findings = map(scope.seeds.count) { sweep.result(scope.seeds.lowerBound + UInt64($0)) }
        let failures = findings.filter { !$0.broken.isEmpty }
        for failure in failures.prefix(Self.shown) {
            printLine("\(part), seed \(failure.seed), \(failure.client): \(failure.broken.joined(separator: "; "))")
            if let shortest = failure.shortest {
                let changes = shortest.isEmpty ? "nothing" : shortest.joined(separator: ", ")
                printLine("  smallest failing timeline: \(changes)")
            }
            // The seed chooses among the strategies that were named.
            printLine("  repeat with: \(repeatCommand(part, failure.seed, scope.strategies))")
        }
        let sights = CoverageCounters(sweep.coverageGoals, findings.map(\.seen))
        printLine("\(plural(findings.count, sweep.oneSubject, sweep.subject)), \(failures.count) \(sweep.offence)")
        // A search of selected strategies need not cover every situation.
        return LawResult(
            holds: failures.isEmpty && (sights.isSufficient || !scope.strategies.isEmpty), coverage: sights.text)
    }

    // MARK: Strategies

    private struct StrategyVerdict: Sendable {
        var holds = true
        var histories = 0
        var text = ""
    }

    private func strategiesHold() -> Bool {
        let verdicts = map(clients.count) { verdict(on: clients[$0].name, clients[$0].strategy) }
        for verdict in verdicts where !verdict.text.isEmpty { printLine(verdict.text) }
        let histories = verdicts.reduce(0) { $0 + $1.histories }
        let failures = verdicts.count { !$0.holds }
        let exceptions = verdicts.count { $0.holds && !$0.text.isEmpty }
        printLine(
            "\(verdicts.count) strategies in \(histories) histories: \(exceptions) have a known violation, \(failures) an unknown one"
        )
        return failures == 0
    }

    private func verdict(on name: String, _ strategy: AnyStrategy) -> StrategyVerdict {
        let known = KnownLawViolation.all[name]
        var laws = StrategyLaws(strategy, reconnectTimeout: known == .appReconnects ? nil : .minutes(10))
        let waits = UnboundedWait.all[name] ?? []
        for wait in waits { wait.allow(in: &laws) }
        let short = laws.checkAllHistories(scope.maximumHistoryLength)
        var verdict = StrategyVerdict(histories: short.count)
        var found = short.counterexample
        for seed in scope.histories where found == nil {
            found = laws.checkRandomHistory(seed)
            verdict.histories += 1
        }
        if found == nil {
            let silence = laws.checkSilence()
            verdict.histories += silence.count
            found = silence.counterexample
        }
        switch (known, found) {
        case (.breaks(let sentence, let why)?, let found?) where found.broken.contains { $0.contains(sentence) }:
            verdict.text = "\(name): \(found)\n  known violation: \(why)"
        case (.breaks(let sentence, _)?, nil):
            verdict.holds = false
            verdict.text = "\(name): the known violation `\(sentence)` no longer occurs"
        case (_, let found?):
            verdict.holds = false
            verdict.text = "\(name): \(found)\n  repeat with: \(repeatCommand(.strategies, found.seed, [name]))"
        default: checkWaits(waits, of: name, strategy, &verdict)
        }
        return verdict
    }

    /// Reports the known waits without a bound. Each must still occur, or the list of exceptions is out of date.
    private func checkWaits(
        _ waits: [UnboundedWait], of name: String, _ strategy: AnyStrategy, _ verdict: inout StrategyVerdict
    ) {
        for wait in waits {
            var laws = StrategyLaws(strategy)
            for other in waits where other.answer != wait.answer { other.allow(in: &laws) }
            let isStillThere = laws.checkSilence().counterexample != nil
            verdict.holds = verdict.holds && isStillThere
            verdict.text +=
                (verdict.text.isEmpty ? "\(name): " : "\n  ")
                + (isStillThere ? "known violation: \(wait.why)" : "the known violation `\(wait.why)` no longer occurs")
        }
    }

    // MARK: Chaos

    /// Strategies in the chaos test: the article's client, and the recommended client, which must not lose or
    /// duplicate messages.
    private static let chaosStrategies = ["article-websocket", "deadzone-recommended"]

    /// `true` if the last of these strategies lost, duplicated and left pending no messages.
    private func passesChaosTest() -> Bool {
        var isPassed = false
        for (name, client) in Self.chaosStrategies.compactMap({ name in clients.first { $0.name == name } }) {
            let sweep = ChaosSweep(radios: radios)
            var tally = ChaosSweep.ChaosTally()
            var seed = scope.seeds.lowerBound
            while tally.disconnects < scope.disconnects && !executor.isStopped() {
                let first = seed
                for one in map(Self.chaosBatch, { sweep.tally(first + UInt64($0), client) }) { tally.add(one) }
                seed += UInt64(Self.chaosBatch)
            }
            let failure = tally.firstFailure.map { ", the first failure with seed \($0)" } ?? ""
            printLine(
                "\(name): \(tally.disconnects) disconnects in \(tally.runs) runs "
                    + "(seeds \(scope.seeds.lowerBound) to \(seed - 1)), \(tally.sent) messages, "
                    + "\(tally.lost) lost, \(tally.duplicated) duplicated, \(tally.pending) in flight at the end, "
                    + "\(tally.killedInFlight) kills during a message\(failure)")
            isPassed = tally.lost + tally.duplicated + tally.pending == 0
        }
        return isPassed
    }
}
