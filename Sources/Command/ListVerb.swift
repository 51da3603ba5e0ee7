import DeadzoneHost
import DeadzoneReports
import DeadzoneRuns

extension Verb {
    static let list: Verb = Verb(
        "list", "List scenarios, strategies, profiles, metrics and other names",
        arguments: .optional("WHAT", Topic.allCases.map(\.rawValue).joined(separator: ", ")),
        flags: [.json],
        examples: [
            Example("deadzone list metrics", "list all metrics of a run, with their units"),
            Example("deadzone list strategies", "list all strategies that a scenario can compare"),
            Example("deadzone list profiles --json", "print the radio profiles as JSON, for a script"),
            Example("deadzone list assumptions", "list model values without a published source"),
        ],
        next: [Example("deadzone explain zombie.max", "explain one metric")]
    ) { invocation, context in
        guard let word = invocation.arguments.first else {
            listTopics(invocation, context)
            return .ok
        }
        guard let topic = Topic(rawValue: word) else {
            throw ToolFault.unknownName(
                word, "list", among: Topic.allCases.map(\.rawValue), help: "deadzone list shows all topics")
        }
        let entries = try ReferenceIndex.entries(topic, context)
        context.output.write(
            invocation.has(.json)
                ? json(topic, entries)
                : style(invocation, context).list(
                    entries.map { [$0.name] + $0.facts.map(\.displayText) + [$0.summary] }))
        return .ok
    }

    private static func style(_ invocation: Invocation, _ context: CommandContext) -> Style {
        Style(invocation, context.outputTerminal, columns: 40...Int.max)
    }

    private static func listTopics(_ invocation: Invocation, _ context: CommandContext) {
        let names = Topic.allCases.map(\.rawValue)
        context.output.write(
            invocation.has(.json)
                ? JSON.object(["schema": DocumentSchema.list.json, "topics": .array(names.map { .string($0) })])
                    .text() + "\n"
                : names.map { "deadzone list \($0)\n" }.joined())
    }

    private static func json(_ topic: Topic, _ entries: [ReferenceEntry]) -> String {
        let items = entries.map { entry in
            JSON.object(
                Dictionary(
                    uniqueKeysWithValues: entry.facts.map { ($0.name, JSON.string($0.value)) }
                        + [("name", .string(entry.name)), ("summary", .string(entry.summary))]))
        }
        return JSON.object([
            "schema": DocumentSchema.list.json, "topic": .string(topic.rawValue), "items": .array(items),
        ]).text() + "\n"
    }
}
