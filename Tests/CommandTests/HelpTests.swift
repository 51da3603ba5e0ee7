import DeadzoneHost
import DeadzoneRuns
import Testing

@testable import DeadzoneCommand

struct HelpTests {
    @Test(arguments: CommandTable.standard.verbs.map(\.name))
    func everyVerbExplainsItself(_ name: String) throws {
        // Broken: a verb has no example to copy, or its help ends without a next step.
        let surroundings = CommandContext.memory()
        #expect(run(["help", name], in: surroundings) == .ok)
        let lines = surroundings.output.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0].hasPrefix("deadzone \(name): "))
        #expect(lines[2] == "Examples")
        #expect(lines[3].hasPrefix("  deadzone "))
        let next = try #require(lines.lastIndex(of: "Next"))
        #expect(lines[(next + 1)...].contains { $0.hasPrefix("  deadzone ") })
        #expect(surroundings.errors.text == "")

        let flag = CommandContext.memory()
        #expect(run([name, "-h"], in: flag) == .ok)
        #expect(flag.output.text == surroundings.output.text)
    }

    @Test(arguments: CommandTable.standard.verbs.filter { $0.flags.contains(.format) }.map(\.name))
    func helpListsTheAcceptedFormats(_ name: String) throws {
        // Broken: help lists a format that the verb refuses, or omits one that it accepts.
        let surroundings = CommandContext.memory()
        _ = run(["help", name], in: surroundings)
        let line = try #require(surroundings.output.text.split(separator: "\n").first { $0.contains("--format LIST") })
        let listed = try #require(line.firstMatch(of: /Formats: ([a-z, ]+); several/)).1
        let refused = CommandContext.memory()
        let rest = ["compare": ["--baseline", "none"], "live": ["--", "true"]][name] ?? []
        _ = run([name, "none", "--out", "none", "--format", "none"] + rest, in: refused)
        let isSame = refused.errors.text.contains("it takes \(listed)\n")
        #expect(isSame, "\(listed): \(refused.errors.text)")
    }

    @Test func linesFitATerminal() {
        // Broken: help wraps in a window of 120 columns.
        for words in [["help"]] + CommandTable.standard.verbs.map({ ["help", $0.name] }) {
            let surroundings = CommandContext.memory()
            _ = run(words, in: surroundings)
            for line in surroundings.output.text.split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
        }
    }

    /// Splits a line as a shell does: a space between single quotes separates nothing.
    private static func words(_ line: String) -> [String] {
        let parts = line.split(separator: "'", omittingEmptySubsequences: false).map(String.init)
        let joined = parts.indices.map { $0 % 2 == 1 ? parts[$0].replacing(" ", with: "\u{a0}") : parts[$0] }.joined()
        return joined.split(separator: " ").map { String($0).replacing("\u{a0}", with: " ") }
    }

    @Test func everyExampleParses() {
        // Broken: a copied example is refused.
        let verbs = CommandTable.standard.verbs
        let examples = verbs.flatMap { $0.examples + $0.next } + HelpText.overviewExamples
        #expect(examples.count > verbs.count)
        for example in examples {
            let words = Self.words(example.command)
            #expect(words.first == "deadzone")
            #expect(throws: Never.self, "\(example.command)") {
                try CommandLineReader.read(Array(words.dropFirst().prefix { $0 != ">" && $0 != "|" }), .standard)
            }
        }
    }

    @Test func examplesNeedNoFurtherQuotes() {
        // Broken: a shell changes a copied example, for instance runs `tcp[13]` in the background because of a `&`.
        let verbs = CommandTable.standard.verbs
        for example in verbs.flatMap({ $0.examples + $0.next }) + HelpText.overviewExamples {
            let pieces = example.command.split(separator: "'", omittingEmptySubsequences: false)
            #expect(pieces.count % 2 == 1, "\(example.command)")
            for (index, piece) in pieces.enumerated() where index.isMultiple(of: 2) {
                #expect(!piece.contains { "[]&!*?;$`()\"".contains($0) }, "\(example.command)")
            }
        }
    }

    @Test func sharedFlagsAreDescribedForTheirVerb() {
        // Broken: help describes a flag as another verb uses it.
        func help(_ verb: String) -> String {
            let surroundings = CommandContext.memory()
            _ = run(["help", verb], in: surroundings)
            return surroundings.output.text
        }
        let (live, schedule) = (help("live"), help("schedule"))
        #expect(live.contains("Strategy to compare the client with") && !live.contains("Run only this strategy"))
        #expect(schedule.contains("Change a setting of the strategy") && !schedule.contains("of a world"))
        #expect(help("claims").contains("server.think=1s of a world"))
    }

    @Test func oneNameIsOneFlag() {
        // Broken: a flag has two meanings, or two flags share a letter.
        let flags = CommandTable.standard.flags
        #expect(Set(flags.map(\.name)).count == flags.count)
        #expect(Set(flags.compactMap(\.short)).count == flags.compactMap(\.short).count)
        #expect(Set(CommandTable.standard.verbs.map(\.name)).count == CommandTable.standard.verbs.count)
    }

    @Test func codesAreUnique() {
        // Broken: one code names two faults, or has no explanation.
        let codes = ToolFaultCode.allCases
        #expect(Set(codes.map(\.rawValue)).count == codes.count)
        for code in codes { #expect(!code.title.isEmpty && !code.explanation.isEmpty) }
    }

    @Test func faultsGoToStandardErrorWithTheirExitCode() {
        // Broken: a pipe receives an error message as a result.
        let surroundings = CommandContext.memory()
        #expect(run(["hlep"], in: surroundings) == .usage)
        #expect(surroundings.output.text == "")
        #expect(
            surroundings.errors.text == """
                error[E0302]: unknown verb `hlep`
                  = help: did you mean `help`?
                  = help: deadzone help lists the verbs

                """)
    }
}
