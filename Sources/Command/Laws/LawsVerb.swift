import DeadzoneHost
import DeadzoneRuns

extension Flag {
    static let seeds = Flag("seeds", takes: .number("N", 1...1 << 40), "so many worlds, and long histories")
    static let historyLength = Flag(
        "length", takes: .number("N", 0...6), "every history of up to so many upheavals (default 3)")
    static let disconnects = Flag(
        "disconnects", takes: .number("N", 1...1 << 40), "how long the chaos test goes on (default 50000)")
}

extension Verb {
    static let laws: Verb = Verb(
        "laws", "looks for broken laws of worlds and strategies",
        arguments: Arguments(
            form: "[worlds|delivery|visits|strategies|chaos [SEED]]",
            meaning: "one kind of laws, and one seed to repeat",
            count: 0...2),
        flags: [.seeds, .historyLength, .disconnects, .strategy, .jobs],
        examples: [
            Example("deadzone laws", "10,000 random worlds, and every strategy in every short history"),
            Example("deadzone laws strategies --length 4", "every history of up to four upheavals"),
            Example("deadzone laws worlds 4711", "one world again"),
            Example("deadzone laws strategies --strategy patient", "one strategy, or one of your own"),
        ],
        next: [Example("deadzone list strategies", "who is held to them")],
        details: """
            worlds      energy, time, radios, messages and calls add up in every world, with every strategy
            delivery    clients keep what they claim of their messages
            visits      wake-ups of a client in a pocket are bounded, and bring what there is
            strategies  no strategy acts on what is closed, stops time, or stays away when all is well again
            chaos       the chaos test of the WebSocket article; not of those that are looked through by default

            Ends with 1 if a law is broken.
            """
    ) { invocation, surroundings in
        let options = try LawOptions(invocation, cores: surroundings.cores)
        let output = surroundings.output
        let search = try LawSearch(
            options.wanted, surroundings.vocabulary, by: Crew(jobs: options.jobs, invocation, surroundings)
        ) { output.write($0 + "\n") }
        var holds = true
        for part in options.parts {
            holds = search.holds(part) && holds
            if surroundings.isInterrupted() { return ExitCode(surroundings.interruptionCode()) }
            surroundings.output.flush()
        }
        return holds ? .ok : .gateFailed
    }
}
