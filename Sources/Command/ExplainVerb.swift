import DeadzoneHost
import DeadzoneReporting

extension Verb {
    static let explain: Verb = Verb(
        "explain", "explains a metric, strategy, profile, platform, setting or error",
        arguments: .one("NAME", "a name from `deadzone list`"), flags: [.json],
        examples: [
            Example("deadzone explain zombie.max", "what exactly is measured"),
            Example("deadzone explain patient", "a strategy and its settings"),
            Example("deadzone explain grpc-java", "a preset: every parameter, and where it comes from"),
            Example("deadzone explain strategy", "how to write one"),
            Example("deadzone explain server", "a part of a scenario, and all its settings"),
            Example("deadzone explain lte-att-2012-aro", "a radio, with the source of each number"),
            Example("deadzone explain android-15", "an operating system, likewise"),
            Example("deadzone explain E0104", "an error"),
        ],
        next: [Example("deadzone list", "what else can be explained")]
    ) { invocation, surroundings in
        let name = invocation.arguments[0]
        // A scenario is a file; its own comments explain it.
        let entries =
            try Topic.allCases.filter { $0 != .scenarios }.flatMap { try Handbook.entries($0, surroundings) }
        guard let entry = entries.first(where: { $0.name.lowercased() == name.lowercased() }) else {
            throw CommandFault.unknownName(
                name, "name", among: entries.map(\.name),
                help: Self.speaking(of: name, entries) ?? "deadzone list shows what there is")
        }
        let paint = Paint(invocation, surroundings.outputTerminal)
        surroundings.output.write(
            invocation.has(.json)
                ? JSON.object([
                    "schema": .string("deadzone/explain/1"), "topic": .string(entry.topic.rawValue),
                    "name": .string(entry.name), "summary": .string(entry.summary), "text": .string(entry.page),
                ]).text() + "\n"
                : paint.bold(entry.name) + ": " + entry.summary + "\n\n" + entry.page)
        return .ok
    }

    /// The pages in which a setting of this name stands at the beginning of a line, as `dead-zone` does in `timeline`.
    private static func speaking(of name: String, _ entries: [Entry]) -> String? {
        let word = name.lowercased().replacing(" ", with: "-")
        let pages = entries.filter { entry in
            entry.page.split(separator: "\n").contains { line in
                line.split(separator: " ").first.map { $0 == word } ?? false
            }
        }
        guard let first = pages.first else { return nil }
        return "`deadzone explain \(first.name)` tells of `\(word)`"
    }
}
