import DeadzoneDocuments
import DeadzoneGuide
import DeadzoneHost
import DeadzoneRuns

extension Verb {
    static let explain: Verb = Verb(
        "explain", "explains a metric, strategy, profile, platform, setting or error",
        arguments: .one("NAME", "a name from `deadzone list`, a title from a table, or a word to search for"),
        flags: [.json],
        examples: [
            Example("deadzone explain zombie.max", "what exactly is measured"),
            Example("deadzone explain pings", "the same by what a table calls it"),
            Example("deadzone explain zombie", "everything that has the word"),
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
        let entries = try Topic.explained.flatMap { try Handbook.entries($0, surroundings) }
        let entry = named(name, entries)
        let matches = entry == nil ? matches(name, entries) : []
        guard let entry = entry ?? (matches.count == 1 ? matches[0] : nil) else {
            guard !matches.isEmpty else {
                throw ToolFault.unknownName(
                    name, "name", among: entries.map(\.name),
                    help: "deadzone list shows what there is")
            }
            surroundings.output.write(invocation.has(.json) ? json(matches) : text(matches, surroundings))
            return .ok
        }
        let paint = Paint(invocation, surroundings.outputTerminal)
        surroundings.output.write(
            invocation.has(.json)
                ? JSON.object([
                    "schema": .string("deadzone/explain/1"), "topic": .string(entry.topic.rawValue),
                    "name": .string(entry.name), "summary": .string(entry.summary), "text": .string(entry.page),
                ]).text() + "\n"
                : paint.bold(entry.name) + ": " + entry.summary + "\n\n"
                    + TerminalText.text(entry.blocks, style(invocation, surroundings)))
        return .ok
    }

    private static func style(_ invocation: Invocation, _ surroundings: Surroundings) -> Style {
        Style(invocation, surroundings.outputTerminal, columns: 40...100)
    }

    /// By its name or by its title, whole or as far as it is no other's.
    private static func named(_ name: String, _ entries: [Entry]) -> Entry? {
        let word = name.lowercased()
        if let entry = entries.first(where: {
            [$0.name.lowercased(), $0.title.lowercased()].contains(word)
        }) {
            return entry
        }
        let begun = entries.filter { $0.title.lowercased().hasPrefix(word) }
        return begun.count == 1 ? begun[0] : nil
    }

    /// What has all the words in its name, its title or its summary, or tells of a setting of that name: names first.
    private static func matches(_ name: String, _ entries: [Entry]) -> [Entry] {
        let words = name.lowercased().split { $0.isWhitespace || $0 == "," }.map(String.init)
        guard !words.isEmpty else { return [] }
        func places(_ entry: Entry) -> Int? {
            let texts = [
                entry.name, entry.name + " " + entry.title,
                entry.name + " " + entry.title + " " + entry.summary,
            ]
            return texts.map { $0.lowercased() }.firstIndex { text in words.allSatisfy(text.contains) }
                ?? (tells(entry, of: words.joined(separator: "-")) ? 0 : nil)
        }
        return entries.compactMap { entry in places(entry).map { (entry, $0) } }.enumerated()
            .sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }.map(\.element.0)
    }

    private static func text(_ matches: [Entry], _ surroundings: Surroundings) -> String {
        let style = Style(
            hasColour: false, width: max(surroundings.outputTerminal.width, 60),
            hasEdge: surroundings.outputTerminal.hasEdge)
        let rows = matches.prefix(most).map { entry in
            [entry.name, entry.title.isEmpty ? entry.summary.firstSentence : entry.title]
        }
        let more = matches.count - most
        return style.list(rows) + (more > 0 ? "and \(more) more\n" : "")
            + "\ndeadzone explain NAME tells of one of them\n"
    }

    /// More than this at once nobody reads.
    private static let most = 40

    private static func json(_ matches: [Entry]) -> String {
        JSON.object([
            "schema": .string("deadzone/explain/1"),
            "matches": .array(
                matches.map { .object(["topic": .string($0.topic.rawValue), "name": .string($0.name)]) }),
        ]).text() + "\n"
    }

    /// A setting of this name stands at the beginning of a line of its page, as `dead-zone` does in `timeline`.
    private static func tells(_ entry: Entry, of word: String) -> Bool {
        entry.page.split(separator: "\n").contains { line in
            line.split(separator: " ").first.map { $0 == word } ?? false
        }
    }
}
