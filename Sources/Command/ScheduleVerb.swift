import DeadzoneClient
import DeadzoneHost
import DeadzonePrimitives
import DeadzoneReporting
import DeadzoneScenarios
import DeadzoneSettings

extension Flag {
    static let failure = Flag(
        "failure", takes: .word(ScheduleReport.Failing.allCases.map(\.rawValue)),
        "how attempts fail (default refused)")
    static let length = Flag("for", takes: .text("SPAN"), "how long to look, such as 90s or 1h (default 600s)")
    static let set = Flag(
        "set", takes: .text("KEY=VALUE"), repeatable: true, "a setting of the strategy, such as backoff.cap=30s")
}

extension Verb {
    static let schedule: Verb = Verb(
        "schedule", "shows when a strategy would try again",
        arguments: .one("STRATEGY", "a name from `deadzone list strategies`"),
        flags: [.failure, .length, .set, .json],
        examples: [
            Example("deadzone schedule patient", "each attempt, with the bounds of its jitter"),
            Example("deadzone schedule patient --failure blackhole --for 5m", "where nobody answers"),
            Example("deadzone schedule composed --set backoff.cap=30s --set backoff.jitter=20%", "with settings"),
        ],
        next: [Example("deadzone explain patient", "what can be set")],
        details: """
            The strategy's own code runs, in the foreground on good Wi-Fi, without jitter; its bounds are found by the
            same code with dice that always fall on one side. `wait` is what it waits where attempts are refused at
            once. A strategy without a limit of its own leaves an unanswered attempt to the kernel: 127 s on Linux
            (six SYNs repeated), 10 s in QUIC.
            """
    ) { invocation, surroundings in
        let name = invocation.arguments[0]
        let kinds = Vocabulary.standard.strategies
        guard let kind = kinds.first(where: { $0.name == name }) else {
            throw CommandFault.unknownName(
                name, "strategy", among: kinds.map(\.name), help: "deadzone list strategies shows them")
        }
        let failing = invocation.text(.failure).flatMap { ScheduleReport.Failing(rawValue: $0) } ?? .refused
        let maker = ScheduleMaker(
            name: name, strategy: try SettingWords(invocation.texts(.set)).strategy(kind), failing: failing,
            length: try length(invocation.text(.length) ?? "600s"))
        let report = maker.report()
        let style = Style(hasColour: Paint(invocation, surroundings.outputTerminal).isOn)
        surroundings.output.write(invocation.has(.json) ? report.json.text() + "\n" : report.text(style))
        return .ok
    }

    private static func length(_ text: String) throws(CommandFault) -> TimeSpan {
        var faults = Faults()
        if let span = Form<TimeSpan>.span().read(.text(text), &faults) { return span }
        throw CommandFault(.badFlagValue, "`--for` cannot be \(quote(text))", help: faults.sorted.map(\.advice))
    }
}

/// Settings from the command line: `backoff.cap=30s` is `backoff: {cap: 30s}`, and the value is YAML.
struct SettingWords {
    private var root = Node.map([])

    init(_ words: [String]) throws(CommandFault) {
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let path = parts[0].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !path.contains("") else {
                throw CommandFault(
                    .badFlagValue, "`--set` cannot be \(quote(word))", help: ["write --set KEY=VALUE or KEY.KEY=VALUE"])
            }
            let composition = compose(Array(parts[1].utf8))
            guard composition.faults.isEmpty, let value = composition.node else {
                throw CommandFault(
                    .badFlagValue, "`--set` cannot be \(quote(word))", help: composition.faults.sorted.map(\.advice))
            }
            root = Self.set(path[...], to: value, in: root)
        }
    }

    private static func set(_ path: ArraySlice<String>, to value: Node, in node: Node) -> Node {
        guard let key = path.first else { return value }
        var entries = node.entries ?? []
        let inner = set(path.dropFirst(), to: value, in: node[key] ?? .map([]))
        entries.removeAll { $0.key == key }
        entries.append(Node.Entry(key: key, value: inner))
        return .map(entries)
    }

    /// The strategy with these settings and no others.
    func strategy(_ kind: StrategyKind) throws(CommandFault) -> AnyStrategy {
        var reader = SettingsReader(root, of: "strategy \(kind.name)")
        let strategy = kind.make(&reader)
        reader.finish()
        guard let fault = reader.faults.sorted.first else { return strategy }
        throw CommandFault(.badFlagValue, "`--set`: \(fault.message)", help: [fault.advice].filter { !$0.isEmpty })
    }
}

extension Fault {
    /// What would be right, without the place.
    fileprivate var advice: String { [label, help].filter { !$0.isEmpty }.joined(separator: "; ") }
}
