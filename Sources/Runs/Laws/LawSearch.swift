import DeadzoneClient
import DeadzoneCompare
import DeadzoneHost
import DeadzoneLaws
import DeadzonePrimitives
public import DeadzoneScenarios
import DeadzoneSettings
import DeadzoneStrategies

/// Looks for broken laws over many seeds and histories, and says what it found.
public struct LawSearch: Sendable {
    public enum Part: String, CaseIterable, Sendable {
        case worlds, delivery, visits, strategies, chaos

        /// Those that are looked through where none is named.
        public static let usual: [Part] = [.worlds, .delivery, .visits, .strategies]
    }

    /// How far it is to look.
    public struct Wanted: Sendable {
        /// Of worlds.
        public var seeds: ClosedRange<UInt64>
        /// Of long histories for each strategy.
        public var histories: ClosedRange<UInt64>
        /// Every history of so many upheavals at most.
        public var length: Int
        /// Until so many the chaos test goes on.
        public var disconnects: Int
        /// Empty: all of them.
        public var strategies: [String]

        public init(
            seeds: ClosedRange<UInt64>, histories: ClosedRange<UInt64>, length: Int, disconnects: Int,
            strategies: [String]
        ) {
            self.seeds = seeds
            self.histories = histories
            self.length = length
            self.disconnects = disconnects
            self.strategies = strategies
        }
    }

    /// Failures of a sweep that are printed; all are counted.
    private static let shown = 10
    /// Runs of the chaos test between two looks at how many disconnects there were.
    private static let batch = 64

    private let wanted: Wanted
    private let crew: Crew
    private let tell: @Sendable (String) -> Void
    private let radios: RandomWorld.Radios
    /// Each as a scenario gets it that names it and says no more.
    private let clients: [(name: String, strategy: AnyStrategy)]

    /// - Parameter tell: takes what is found, line by line.
    public init(
        _ wanted: Wanted, _ vocabulary: Vocabulary, by crew: Crew, tell: @escaping @Sendable (String) -> Void
    ) throws(ToolFault) {
        self.wanted = wanted
        self.crew = crew
        self.tell = tell
        radios = RandomWorld.Radios(ProfileReader.profiles(on: vocabulary.profiles))
        let known = vocabulary.strategies.map(\.name) + vocabulary.presets.map(\.name)
        for name in wanted.strategies where !known.contains(name) {
            throw .unknownName(name, "strategy", among: known, help: "deadzone list strategies shows them")
        }
        let chosen = wanted.strategies.isEmpty ? known : known.filter(wanted.strategies.contains)
        clients = try chosen.map { name throws(ToolFault) in
            let reading = StrategyReading(name, with: Node(.map([])), vocabulary, read: ScenarioFiles.read)
            if let strategy = reading.strategy { return (name, strategy) }
            throw ToolFault(
                .runFailed, "\(quote(name)) cannot run as it is", help: reading.faults.sorted.map(\.message))
        }
    }

    /// False if a law is broken, an exception is none, or a long search missed a sight.
    public func holds(_ part: Part) -> Bool {
        switch part {
        case .worlds: holds(.worlds(radios, clients: clients.map(\.strategy)), part)
        case .delivery: holds(.delivery(radios, composed: .of(Composed.self)), part)
        case .visits: holds(.visits(radios, composed: .of(Composed.self)), part)
        case .strategies: strategiesHold()
        case .chaos: chaosIsSurvived()
        }
    }

    /// In order of their index; those that were not begun because somebody stopped it are left out.
    private func each<Result: Sendable>(_ count: Int, _ body: @Sendable (Int) -> Result) -> [Result] {
        Workers.run(count: count, jobs: crew.jobs, stop: crew.isStopped, body: body).compactMap(\.self)
    }

    func holds(_ sweep: Sweep, _ part: Part) -> Bool {
        let findings = each(wanted.seeds.count) { sweep.finding(wanted.seeds.lowerBound + UInt64($0)) }
        let failures = findings.filter { !$0.broken.isEmpty }
        for failure in failures.prefix(Self.shown) {
            tell("\(part), seed \(failure.seed), \(failure.client): \(failure.broken.joined(separator: "; "))")
            if let shortest = failure.shortest {
                let changes = shortest.isEmpty ? "nothing" : shortest.joined(separator: ", ")
                tell("  no more than this has to happen: \(changes)")
            }
            tell("  to repeat: deadzone laws \(part) \(failure.seed)")
        }
        let sights = Sights(sweep.sights, findings.map(\.seen))
        tell(sights.text + "\(findings.count) \(sweep.subject), \(failures.count) \(sweep.offence)")
        // Some clients alone need not meet everything.
        return failures.isEmpty && (sights.isWide || !wanted.strategies.isEmpty)
    }

    // MARK: Strategies

    private struct Verdict: Sendable {
        var holds = true
        var histories = 0
        var text = ""
    }

    private func strategiesHold() -> Bool {
        let verdicts = each(clients.count) { verdict(on: clients[$0].name, clients[$0].strategy) }
        for verdict in verdicts where !verdict.text.isEmpty { tell(verdict.text) }
        let histories = verdicts.reduce(0) { $0 + $1.histories }
        let failures = verdicts.count { !$0.holds }
        let exceptions = verdicts.count { $0.holds && !$0.text.isEmpty }
        tell(
            "\(verdicts.count) strategies in \(histories) histories: \(exceptions) break a law as is known, \(failures) otherwise"
        )
        return failures == 0
    }

    private func verdict(on name: String, _ strategy: AnyStrategy) -> Verdict {
        let known = LawException.all[name]
        let laws = StrategyLaws(strategy, patience: known == .leavesItToTheApp ? nil : .minutes(10))
        let short = laws.exhaust(wanted.length)
        var verdict = Verdict(histories: short.count)
        var found = short.counterexample
        for seed in wanted.histories where found == nil {
            found = laws.sample(seed)
            verdict.histories += 1
        }
        switch (known, found) {
        case (.breaks(let sentence, let why)?, let found?) where found.broken.contains { $0.hasPrefix(sentence) }:
            verdict.text = "\(name): \(found)\n  as is known: \(why)"
        case (.breaks(let sentence, _)?, nil):
            verdict.holds = false
            verdict.text = "\(name): it is said that \(sentence), and it does not"
        case (_, let found?):
            verdict.holds = false
            verdict.text = "\(name): \(found)\n  to repeat: deadzone laws strategies \(found.seed)"
        default: break
        }
        return verdict
    }

    // MARK: Chaos

    /// Who goes through the chaos test: the article's client, and ours, which has to lose nothing and to show nothing twice.
    private static let raging = ["article-websocket", "deadzone-recommended"]

    /// Whether the last of them does what it has to.
    private func chaosIsSurvived() -> Bool {
        var isPassed = false
        for (name, client) in Self.raging.compactMap({ name in clients.first { $0.name == name } }) {
            let sweep = ChaosSweep(radios: radios)
            var tally = ChaosSweep.Tally()
            var seed = wanted.seeds.lowerBound
            while tally.disconnects < wanted.disconnects && !crew.isStopped() {
                let first = seed
                for one in each(Self.batch, { sweep.tally(first + UInt64($0), client) }) { tally.add(one) }
                seed += UInt64(Self.batch)
            }
            let failure = tally.firstFailure.map { ", the first failure with seed \($0)" } ?? ""
            tell(
                "\(name): \(tally.disconnects) disconnects in \(tally.runs) runs "
                    + "(seeds \(wanted.seeds.lowerBound) to \(seed - 1)), \(tally.sent) messages, "
                    + "\(tally.lost) lost, \(tally.duplicated) duplicated, \(tally.pending) on their way at the end, "
                    + "\(tally.killedInFlight) kills in mid-message\(failure)")
            isPassed = tally.lost + tally.duplicated + tally.pending == 0
        }
        return isPassed
    }
}
