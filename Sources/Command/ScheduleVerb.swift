import DeadzoneClient
import DeadzoneCompare
import DeadzoneDocuments
import DeadzoneHost
import DeadzonePrimitives
import DeadzoneRuns
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
        arguments: .one("STRATEGY", "a name from `deadzone list strategies`, or a preset in a file"),
        flags: [.failure, .length, .set, .json],
        examples: [
            Example("deadzone schedule grpc-java", "each attempt, with the bounds of its jitter"),
            Example("deadzone schedule grpc-java --failure blackhole --for 5m", "where nobody answers"),
            Example("deadzone schedule composed --set backoff.cap=30s --set backoff.jitter=20%", "with settings"),
        ],
        next: [Example("deadzone explain grpc-java", "what it is made of")],
        details: """
            The strategy's own code runs, in the foreground on good Wi-Fi, without jitter; its bounds are found by the
            same code with dice that always fall on one side. `wait` is what it waits where attempts are refused at
            once; in a blackhole no packet is answered, and `frozen` is a server that accepts and never says a word.
            A strategy without a limit of its own leaves an unanswered attempt to the kernel: 135 s on Linux since
            6.5 (ten SYNs repeated), 10 s in QUIC.
            """
    ) { invocation, surroundings in
        let name = invocation.arguments[0]
        let vocabulary = surroundings.vocabulary
        let names = vocabulary.strategies.map(\.name) + vocabulary.presets.map(\.name)
        guard names.contains(name) || name.hasSuffix(".yaml") || name.hasSuffix(".yml") else {
            throw ToolFault.unknownName(
                name, "strategy", among: names, help: "deadzone list strategies shows them")
        }
        let own = try SettingWords(invocation.texts(.set))
        let reading = StrategyReading(name, with: own.root, vocabulary, read: ScenarioFiles.read)
        guard let strategy = reading.strategy else {
            if let fault = own.fault(among: reading.faults) { throw fault }
            return report(reading, invocation, surroundings)
        }
        let failing = invocation.text(.failure).flatMap { ScheduleReport.Failing(rawValue: $0) } ?? .refused
        let maker = ScheduleMaker(
            name: name, strategy: strategy, failing: failing,
            length: try length(invocation.text(.length) ?? "600s"))
        let report = maker.report()
        let style = Style(hasColour: Paint(invocation, surroundings.outputTerminal).isOn)
        surroundings.output.write(invocation.has(.json) ? report.json.text() + "\n" : report.text(style))
        return .ok
    }

    /// What is wrong with a preset in a file.
    private static func report(
        _ reading: StrategyReading, _ invocation: Invocation, _ surroundings: Surroundings
    ) -> ExitCode {
        let faults = reading.faults.sorted
        surroundings.errors.write(faults.map { faultText($0, files: reading.files) }.joined(separator: "\n"))
        if invocation.has(.json) {
            let errors = JSON.array(faults.map { ScenarioFiles.json($0, reading.files) })
            let document = JSON.object(["schema": .string("deadzone/errors/1"), "errors": errors])
            surroundings.output.write(document.text() + "\n")
        }
        return .badInput
    }

    private static func length(_ text: String) throws(ToolFault) -> TimeSpan {
        var faults = Faults()
        if let span = Form<TimeSpan>.span().read(.text(text), &faults) { return span }
        throw ToolFault(.badFlagValue, "`--for` cannot be \(quote(text))", help: faults.sorted.map(\.advice))
    }
}

/// Settings from the command line: `backoff.cap=30s` is `backoff: {cap: 30s}`, and the value is YAML.
struct SettingWords {
    /// No file has this number: what stands here has no place in one.
    private static let file = -1
    private static let mark = Mark(line: 0, column: 0, file: file)

    private(set) var root = Node(.map([]), at: mark)

    init(_ words: [String]) throws(ToolFault) {
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let path = parts[0].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !path.contains("") else {
                throw ToolFault(
                    .badFlagValue, "`--set` cannot be \(quote(word))", help: ["write --set KEY=VALUE or KEY.KEY=VALUE"])
            }
            let composition = compose(Array(parts[1].utf8), file: Self.file)
            guard composition.faults.isEmpty, let value = composition.node else {
                throw ToolFault(
                    .badFlagValue, "`--set` cannot be \(quote(word))", help: composition.faults.sorted.map(\.advice))
            }
            root = Self.set(path[...], to: value, in: root)
        }
    }

    private static func set(_ path: ArraySlice<String>, to value: Node, in node: Node) -> Node {
        guard let key = path.first else { return value }
        var entries = node.entries ?? []
        let inner = set(path.dropFirst(), to: value, in: node[key] ?? Node(.map([]), at: mark))
        entries.removeAll { $0.key == key }
        entries.append(Node.Entry(key: key, keyMark: mark, value: inner))
        return Node(.map(entries), at: mark)
    }

    /// The first fault that stands here.
    func fault(among faults: Faults) -> ToolFault? {
        guard let fault = faults.sorted.first(where: { $0.mark.file == Self.file }) else { return nil }
        return ToolFault(
            .badFlagValue, "`--set`: \(fault.message)", help: [fault.advice].filter { !$0.isEmpty })
    }
}

extension Fault {
    /// What would be right, without the place.
    fileprivate var advice: String { [label, help].filter { !$0.isEmpty }.joined(separator: "; ") }
}
