import DeadzoneHost
import DeadzoneRuns

extension Flag {
    static let seeds = Flag(
        "seeds", takes: .number("N", 1...1 << 40),
        "Number of random scenarios, and of long random series of disruptions")
    static let historyLength = Flag(
        "length", takes: .number("N", 0...6), "Maximum number of disruptions in a short series (default 3)")
    static let disconnects = Flag(
        "disconnects", takes: .number("N", 1...1 << 40), "Number of disconnects in the chaos test (default 50000)")
}

extension Verb {
    static let laws: Verb = Verb(
        "laws", "Check rules that must always hold (invariants) on random scenarios",
        arguments: Arguments(
            synopsis: "[worlds|delivery|visits|strategies|chaos [SEED]]",
            meaning: "one kind of invariants (default: all but chaos), and the seed of one case to repeat",
            count: 0...2),
        flags: [.seeds, .historyLength, .disconnects, .strategy, .jobs],
        examples: [
            Example("deadzone laws", "check 10,000 random scenarios and all short series of disruptions"),
            Example("deadzone laws strategies --length 4", "check all series of up to four disruptions"),
            Example("deadzone laws worlds 4711", "repeat the check of random scenario 4711"),
            Example("deadzone laws strategies --strategy patient", "check one strategy, which can be your own"),
        ],
        next: [Example("deadzone list strategies", "list the strategies that are checked")],
        details: """
            worlds      energy, time, radios, messages and calls add up in every random scenario, with every strategy
            delivery    clients keep the delivery guarantees that they declare
            visits      wake-ups of a background client are bounded, and fetch all waiting messages
            strategies  no strategy uses a closed connection, loops without end, stays disconnected after all faults
                        have ended, or waits without a bound for the answer to an attempt or to a ping
            chaos       the chaos test of an article about WebSocket; it runs only if it is named

            Exits with 1 if an invariant is violated. A violation is printed with the shortest history of disruptions
            that leads to it, and with the command that repeats it. Counts of the situations that occurred come last.
            """
    ) { invocation, context in
        var options = try LawOptions(invocation, cores: context.cores)
        options.wanted.program = context.program
        let output = context.output
        let search = try LawSearch(
            options.wanted, context.vocabulary, by: ParallelExecutor(jobs: options.jobs, invocation, context)
        ) { output.write($0 + "\n") }
        var holds = true
        var coverage = ""
        for part in options.parts {
            let result = search.search(part)
            holds = result.holds && holds
            if !result.coverage.isEmpty { coverage += "\n\(part):\n\(result.coverage)" }
            if context.isInterrupted() { return ExitCode(context.interruptionCode()) }
            context.output.flush()
        }
        output.write(coverage)
        return holds ? .ok : .gateFailed
    }
}
