import DeadzoneHost
import DeadzoneReporting

extension Verb {
    static let list: Verb = Verb(
        "list", "lists scenarios, strategies, profiles, metrics and whatever else has a name",
        arguments: .optional("WHAT", Topic.allCases.map(\.rawValue).joined(separator: ", ")),
        flags: [.json],
        examples: [
            Example("deadzone list metrics", "every number a run comes to, with its unit"),
            Example("deadzone list strategies", "what a scenario can compare"),
            Example("deadzone list profiles --json", "the radios, for a script"),
        ],
        next: [Example("deadzone explain zombie.max", "a paragraph on one of them")]
    ) { invocation, surroundings in
        guard let word = invocation.arguments.first else {
            listTopics(invocation, surroundings)
            return .ok
        }
        guard let topic = Topic(rawValue: word) else {
            throw CommandFault.unknownName(
                word, "list", among: Topic.allCases.map(\.rawValue), help: "deadzone list shows what there is")
        }
        let entries = try Handbook.entries(topic, surroundings)
        surroundings.output.write(
            invocation.has(.json)
                ? json(topic, entries) : table(entries, Paint(invocation, surroundings.outputTerminal)))
        return .ok
    }

    private static func listTopics(_ invocation: Invocation, _ surroundings: Surroundings) {
        let names = Topic.allCases.map(\.rawValue)
        surroundings.output.write(
            invocation.has(.json)
                ? JSON.object(["schema": .string("deadzone/list/1"), "topics": .array(names.map { .string($0) })])
                    .text() + "\n"
                : names.map { "deadzone list \($0)\n" }.joined())
    }

    private static func table(_ entries: [Entry], _ paint: Paint) -> String {
        let rows = entries.map { [$0.name] + $0.facts.map(\.shown) + [$0.summary] }
        let widths = (0..<(rows.first?.count ?? 0)).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0.0 + String(repeating: " ", count: $0.1 - $0.0.count) }
            let name = paint.bold(cells[0])
            var line = ([name] + cells.dropFirst()).joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }

    private static func json(_ topic: Topic, _ entries: [Entry]) -> String {
        let items = entries.map { entry in
            JSON.object(
                Dictionary(
                    uniqueKeysWithValues: entry.facts.map { ($0.name, JSON.string($0.value)) }
                        + [("name", .string(entry.name)), ("summary", .string(entry.summary))]))
        }
        return JSON.object([
            "schema": .string("deadzone/list/1"), "topic": .string(topic.rawValue), "items": .array(items),
        ]).text() + "\n"
    }
}
