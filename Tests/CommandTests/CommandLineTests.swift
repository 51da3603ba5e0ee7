import DeadzoneHost
import DeadzoneRuns
import Testing

@testable import DeadzoneCommand

/// The grammar of the command line, on verbs of the test's own.
struct CommandLineTests {
    private static let table = CommandTable(verbs: [
        verb("sum", .some("NUMBER", "what to add"), [.seed, .replicas, .strategy, .json, .verbose]),
        verb("show", .one("NAME", "what to show"), [.json]),
        verb("none", .none, []),
    ])

    private static func verb(_ name: String, _ arguments: Arguments, _ flags: [Flag]) -> Verb {
        Verb(
            name, "does \(name)", arguments: arguments, flags: flags,
            examples: [Example("deadzone \(name) x", "an example")], next: [Example("deadzone help", "next")]
        ) { _, _ in .ok }
    }

    private func read(_ line: String) throws -> Request {
        try CommandLineReader.read(line.split(separator: " ").map(String.init), Self.table)
    }

    /// Arguments, then flags with their values, as one line.
    private func understood(_ line: String) throws -> String {
        switch try read(line) {
        case .help(let verb): return "help \(verb?.name ?? "")"
        case .version: return "version"
        case .perform(let it):
            let flags = it.verb.flags.filter(it.has).map { flag in
                let values = it.texts(flag).filter { !$0.isEmpty }
                return flag.name + (values.isEmpty ? "" : "=" + values.joined(separator: ","))
            }
            return ([it.verb.name] + it.arguments + flags).joined(separator: " ")
        }
    }

    @Test(arguments: [
        ("sum 1", "sum 1"),
        ("sum 1 2 -", "sum 1 2 -"),
        ("sum --seed 7 1", "sum 1 seed=7"),
        ("sum 1 --seed=7", "sum 1 seed=7"),
        ("--seed 7 sum 1", "sum 1 seed=7"),
        ("sum --seed= 1", "sum 1 seed"),
        ("sum --seed=a=b 1", "sum 1 seed=a=b"),
        ("sum --seed -5 1", "sum 1 seed=-5"),
        ("sum --seed -- 1", "sum 1 seed=--"),
        ("sum 1 --strategy a --strategy=b", "sum 1 strategy=a,b"),
        ("sum -qv 1", "sum 1 verbose quiet"),
        ("sum -q 1 -v", "sum 1 verbose quiet"),
        ("sum -- --seed -h", "sum --seed -h"),
        ("-- sum 1", "sum 1"),
        ("none", "none"),
        ("-h", "help "),
        ("sum -h", "help sum"),
        ("-h sum", "help sum"),
        ("sum --nonsense --help 1", "help sum"),
        ("nonsense --help", "help "),
        ("sum --seed -h", "help sum"),
        ("sum -q 1 2 3 --replicas x -h", "help sum"),
        ("--version", "version"),
        ("-V", "version"),
        ("sum --version 1", "version"),
        ("", "help "),
    ])
    func isUnderstood(_ line: String, _ expected: String) throws {
        // Broken: a flag works in one place and not in another, or help hides behind another mistake.
        #expect(try understood(line) == expected)
    }

    @Test(arguments: [
        ("-q", ToolFaultCode.noVerb, ""),
        ("smu 1", .unknownVerb, "did you mean `sum`?"),
        ("s 1", .unknownVerb, "did you mean `s"),
        ("quux", .unknownVerb, "deadzone help"),
        ("sum 1 --sed 7", .unknownFlag, "did you mean `--seed`?"),
        ("sum 1 --replic 7", .unknownFlag, "did you mean `--replicas`?"),
        ("sum 1 -x", .unknownFlag, "deadzone help sum"),
        ("sum 1 -qx", .unknownFlag, "deadzone help sum"),
        ("show x --seed 1", .unknownFlag, "deadzone help show"),
        ("sum 1 --seed", .flagNeedsValue, "--seed N|WORD"),
        ("sum 1 --json=yes", .flagTakesNoValue, "--json"),
        ("sum 1 --color=alway", .badFlagValue, "did you mean `always`?"),
        ("sum 1 --replicas 0", .badFlagValue, "1 to 1000000"),
        ("sum 1 --replicas x", .badFlagValue, "whole number"),
        ("sum 1 --replicas 1.5", .badFlagValue, "whole number"),
        ("sum 1 --replicas 99999999999999999999", .badFlagValue, "whole number"),
        ("sum 1 --seed 1 --seed 2", .flagTwice, "once"),
        ("sum", .missingArgument, "deadzone sum x"),
        ("show a b", .tooManyArguments, "NAME"),
        ("none a", .tooManyArguments, "no arguments"),
    ])
    func isRefused(_ line: String, _ code: ToolFaultCode, _ help: String) throws {
        // Broken: a mistake runs something, or its message does not say what would be right.
        let fault = #expect(throws: ToolFault.self) { try read(line) }
        #expect(fault?.code == code)
        #expect(code.exit == .usage)
        #expect(fault?.help.joined(separator: "; ").contains(help) == true, "\(fault?.help ?? [])")
    }

    @Test func quotesWhatCouldSteerATerminal() {
        // Broken: a crafted argument moves the cursor or hides text.
        let fault = #expect(throws: ToolFault.self) { try read("\u{1B}[31mrun") }
        #expect(fault?.message.unicodeScalars.contains("\u{1B}") == false)
    }
}
