import DeadzoneDocuments
import DeadzoneHost
import DeadzoneRuns

extension Verb {
    static let list: Verb = Verb(
        "list", "lists scenarios, strategies, profiles, metrics and whatever else has a name",
        arguments: .optional("WHAT", Topic.allCases.map(\.rawValue).joined(separator: ", ")),
        flags: [.json],
        examples: [
            Example("deadzone list metrics", "every number a run comes to, with its unit"),
            Example("deadzone list strategies", "what a scenario can compare"),
            Example("deadzone list profiles --json", "the radios, for a script"),
            Example("deadzone list assumptions", "what nobody has measured or read"),
        ],
        next: [Example("deadzone explain zombie.max", "a paragraph on one of them")]
    ) { invocation, surroundings in
        guard let word = invocation.arguments.first else {
            listTopics(invocation, surroundings)
            return .ok
        }
        guard let topic = Topic(rawValue: word) else {
            throw ToolFault.unknownName(
                word, "list", among: Topic.allCases.map(\.rawValue), help: "deadzone list shows what there is")
        }
        let entries = try Handbook.entries(topic, surroundings)
        surroundings.output.write(
            invocation.has(.json)
                ? json(topic, entries)
                : style(invocation, surroundings).list(
                    entries.map { [$0.name] + $0.facts.map(\.shown) + [$0.summary] }))
        return .ok
    }

    private static func style(_ invocation: Invocation, _ surroundings: Surroundings) -> Style {
        Style(invocation, surroundings.outputTerminal, columns: 40...Int.max)
    }

    private static func listTopics(_ invocation: Invocation, _ surroundings: Surroundings) {
        let names = Topic.allCases.map(\.rawValue)
        surroundings.output.write(
            invocation.has(.json)
                ? JSON.object(["schema": .string("deadzone/list/1"), "topics": .array(names.map { .string($0) })])
                    .text() + "\n"
                : names.map { "deadzone list \($0)\n" }.joined())
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
