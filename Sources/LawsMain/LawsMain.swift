import DeadzoneClient
import DeadzoneHost
import DeadzoneLaws
import DeadzonePrimitives
import DeadzoneScenarios

/// `deadzone-laws`: laws of worlds and of strategies over many seeds and histories, in an optimized build.
enum LawsMain {
    /// 0 all laws hold, 1 one does not or an exception is none, 2 usage.
    static func run(_ words: [String], _ output: Console, _ errors: Console) -> Int32 {
        if words.count == 2, let number = UInt64(words[1]), number > 0 {
            defer { output.flush() }
            if words[0] == "--delivery" { return deliver(number...number, output) }
            if words[0] == "--visits" { return visit(number...number, output) }
            if words[0] == "--chaos" { return rage(Int(clamping: number), output) }
        }
        let options: LawOptions
        do throws(LawOptions.Fault) {
            options = try LawOptions(words)
        } catch {
            errors.write("error: \(error.message)\n\n" + LawOptions.usage)
            errors.flush()
            return 2
        }
        defer { output.flush() }
        var holds = true
        if options.part != .strategies {
            holds = worlds(options, output) && holds
            holds = deliver(options.seeds, output) == 0 && holds
            holds = visit(options.seeds, output) == 0 && holds
        }
        output.flush()
        if options.part != .worlds { holds = strategies(options, output) && holds }
        return holds ? 0 : 1
    }

    private static func worlds(_ options: LawOptions, _ output: Console) -> Bool {
        let radios = RandomWorld.Radios(ProfileReader.profiles(on: Clients.profiles))
        let sweep = WorldSweep(radios: radios, clients: Clients.all.map(\.strategy))
        let findings = Workers.run(count: options.seeds.count, jobs: Machine.cores) {
            sweep.finding(options.seeds.lowerBound + UInt64($0))
        }.compactMap(\.self)
        let failures = findings.filter { !$0.broken.isEmpty }
        for failure in failures.prefix(10) {
            output.write("seed \(failure.seed), \(failure.client): \(failure.broken.joined(separator: "; "))\n")
            output.write("  to repeat: deadzone-laws worlds --seed \(failure.seed)\n")
        }
        for (place, sight) in WorldSweep.sights.enumerated() {
            output.write("\(sight.name): in \(findings.count { $0.seen[place] }) worlds\n")
        }
        output.write("\(findings.count) worlds, \(failures.count) broke a law\n")
        return failures.isEmpty
    }

    private static func strategies(_ options: LawOptions, _ output: Console) -> Bool {
        let verdicts = Workers.run(count: Clients.all.count, jobs: Machine.cores) { index in
            verdict(on: Clients.all[index].name, Clients.all[index].strategy, options)
        }.compactMap(\.self)
        for verdict in verdicts where !verdict.text.isEmpty { output.write(verdict.text) }
        let histories = verdicts.reduce(0) { $0 + $1.histories }
        let failures = verdicts.count { !$0.holds }
        let exceptions = verdicts.count { $0.holds && !$0.text.isEmpty }
        output.write(
            "\(verdicts.count) strategies in \(histories) histories: \(exceptions) break a law as is known, \(failures) otherwise\n"
        )
        return failures == 0
    }

    private struct Verdict: Sendable {
        var holds = true
        var histories = 0
        var text = ""
    }

    private static func verdict(on name: String, _ strategy: AnyStrategy, _ options: LawOptions) -> Verdict {
        let known = Exceptions.all[name]
        let laws = StrategyLaws(strategy, patience: known == .leavesItToTheApp ? nil : .minutes(10))
        let short = laws.exhaust(options.length)
        var verdict = Verdict(histories: short.count)
        var found = short.counterexample
        for seed in options.histories where found == nil {
            found = laws.sample(seed)
            verdict.histories += 1
        }
        switch (known, found) {
        case (.breaks(let sentence, let why)?, let found?) where found.broken.contains { $0.hasPrefix(sentence) }:
            verdict.text = "\(name): \(found)\n  as is known: \(why)\n"
        case (.breaks(let sentence, _)?, nil):
            verdict.holds = false
            verdict.text = "\(name): it is said that \(sentence), and it does not\n"
        case (_, let found?):
            verdict.holds = false
            verdict.text = "\(name): \(found)\n  to repeat: deadzone-laws strategies --seed \(found.seed)\n"
        default: break
        }
        return verdict
    }
}
