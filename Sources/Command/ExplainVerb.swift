import DeadzoneHost
import DeadzoneReports
import DeadzoneRuns

extension Verb {
    static let explain: Verb = Verb(
        "explain", "Explain a metric, setting, strategy, profile, error or term",
        arguments: .one(
            "NAME", "name from `deadzone list`, row title of a table, setting, term, or word to search for"),
        flags: [.json],
        examples: [
            Example("deadzone explain zombie.max", "definition of a metric"),
            Example("deadzone explain pings", "the same metric, by its row title"),
            Example("deadzone explain keepalive", "a setting, with its values and defaults"),
            Example("deadzone explain patient", "a strategy and its settings"),
            Example("deadzone explain grpc-java", "a preset: each setting with its source"),
            Example("deadzone explain strategy", "how to write your own strategy"),
            Example("deadzone explain server", "a part of a scenario, and its settings"),
            Example("deadzone explain lte-att-2012-aro", "a radio profile: each number with its source"),
            Example("deadzone explain android-15", "an operating system: each number with its source"),
            Example("deadzone explain E0104", "an error code"),
        ],
        next: [Example("deadzone list", "list all names that can be explained")]
    ) { invocation, context in
        let name = invocation.arguments[0]
        // Every name contains a blank one.
        guard name.unicodeScalars.count <= longestName, !name.allSatisfy(\.isWhitespace) else {
            throw ToolFault.unknownName(name, "name", among: [], help: "deadzone list shows what there is")
        }
        let entries = try Topic.explainable.flatMap { try ReferenceIndex.entries($0, context) }
        let style = style(invocation, context)
        if let entry = exact(name, entries) { return write(entry, invocation, context, style) }
        // Settings, timeline words, verbs and terms have no entry here, but a page of the guide.
        let guide = Guide.standard(context)
        let settings = guide.settings(name)
        if let (page, alike) = guide.named(name) {
            // A setting of the same name deeper within another one, such as the client's buffer beside the server's.
            let inner = settings.filter {
                page.section == .settings && $0.name != page.name
                    && $0.name.lowercased().hasSuffix("." + name.lowercased())
            }
            return write(page, alike + inner, invocation, context, style)
        }
        // Settings that only take the word as a value are shown with all other matches.
        let isNamed = settings.contains { ("." + $0.name).hasSuffix("." + name.lowercased()) }
        if isNamed, settings.count == 1 { return write(settings[0], [], invocation, context, style) }
        let matches =
            settings.map(entry)
            + (isNamed ? [] : begun(name, entries).map { [$0] } ?? matches(name, entries))
        guard matches.count != 1 else { return write(matches[0], invocation, context, style) }
        guard !matches.isEmpty else {
            throw ToolFault.unknownName(
                name, "name", among: entries.map(\.name),
                help: "deadzone list shows what there is")
        }
        context.output.write(invocation.has(.json) ? json(matches) : text(matches, context))
        return .ok
    }

    /// Every name and title is shorter. A search for a longer text would only take time.
    private static let longestName = 200

    private static func write(
        _ page: GuidePage, _ alike: [GuidePage], _ invocation: Invocation, _ context: CommandContext, _ style: Style
    ) -> ExitCode {
        context.output.write(
            invocation.has(.json)
                ? json(page.section.rawValue, page.name, page.summary, TerminalText.text(page.blocks, .plain), alike)
                : GuideReader.text(page, alike, style))
        return .ok
    }

    /// A setting within a setting as an entry of a list.
    private static func entry(_ page: GuidePage) -> ReferenceEntry {
        ReferenceEntry(topic: .settings, name: page.name, summary: page.summary, page: page.blocks)
    }

    private static func write(
        _ entry: ReferenceEntry, _ invocation: Invocation, _ context: CommandContext, _ style: Style
    ) -> ExitCode {
        context.output.write(
            invocation.has(.json)
                ? json(entry.topic.rawValue, entry.name, entry.summary, entry.page)
                : ANSIColor(invocation, context.outputTerminal).bold(entry.name) + ": " + entry.summary + "\n\n"
                    + TerminalText.text(entry.blocks, style))
        return .ok
    }

    private static func json(
        _ topic: String, _ name: String, _ summary: String, _ text: String, _ alike: [GuidePage] = []
    ) -> String {
        var fields: [String: JSON] = [
            "schema": DocumentSchema.explain.json, "topic": .string(topic),
            "name": .string(name), "summary": .string(summary), "text": .string(text),
        ]
        if !alike.isEmpty { fields["matches"] = matches(alike.map { ($0.section.rawValue, $0.name) }) }
        return JSON.object(fields).text() + "\n"
    }

    private static func matches(_ names: [(topic: String, name: String)]) -> JSON {
        .array(names.map { .object(["topic": .string($0.topic), "name": .string($0.name)]) })
    }

    private static func style(_ invocation: Invocation, _ context: CommandContext) -> Style {
        Style(invocation, context.outputTerminal, columns: 40...100)
    }

    /// The entry with this name or title.
    private static func exact(_ name: String, _ entries: [ReferenceEntry]) -> ReferenceEntry? {
        let word = name.lowercased()
        return entries.first { [$0.name.lowercased(), $0.title.lowercased()].contains(word) }
    }

    /// The only entry with a title that begins with these words; `nil` if there are none or several.
    private static func begun(_ name: String, _ entries: [ReferenceEntry]) -> ReferenceEntry? {
        let begun = entries.filter { $0.title.lowercased().hasPrefix(name.lowercased()) }
        return begun.count == 1 ? begun[0] : nil
    }

    /// Entries with all the words in name, title or summary, or with a setting of that name. Entries in which the words
    /// stand alone are first, then matches in names.
    private static func matches(_ name: String, _ entries: [ReferenceEntry]) -> [ReferenceEntry] {
        let words = name.lowercased().split { $0.isWhitespace || $0 == "," }.map(String.init)
        guard !words.isEmpty else { return [] }
        func places(_ entry: ReferenceEntry) -> Int? {
            let texts = [
                entry.name, entry.name + " " + entry.title,
                entry.name + " " + entry.title + " " + entry.summary,
            ]
            return texts.map { $0.lowercased() }.firstIndex { text in words.allSatisfy(text.mentions) }
                ?? (tells(entry, of: words.joined(separator: "-")) ? 0 : nil)
        }
        func isApart(_ entry: ReferenceEntry) -> Bool {
            let text = "\(entry.name) \(entry.title) \(entry.summary)".lowercased()
            return words.allSatisfy(text.hasWord)
        }
        return entries.compactMap { entry in places(entry).map { (entry, isApart(entry) ? $0 : $0 + 3) } }.enumerated()
            .sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }.map(\.element.0)
    }

    private static func text(_ matches: [ReferenceEntry], _ context: CommandContext) -> String {
        let style = Style(
            hasColour: false, width: max(context.outputTerminal.width, 60),
            hasFixedWidth: context.outputTerminal.hasFixedWidth)
        let rows = matches.prefix(most).map { entry in
            [entry.name, entry.title.isEmpty ? entry.summary.firstSentence : entry.title]
        }
        let more = matches.count - most
        return style.list(rows) + (more > 0 ? "and \(more) more\n" : "")
            + "\n`deadzone explain NAME` explains one of them\n"
    }

    /// Longer lists are cut.
    private static let most = 20

    private static func json(_ matches: [ReferenceEntry]) -> String {
        JSON.object([
            "schema": DocumentSchema.explain.json,
            "matches": Self.matches(matches.map { ($0.topic.rawValue, $0.name) }),
        ]).text() + "\n"
    }

    /// `true` if a line of the entry's page begins with this name, as `dead-zone` does in `timeline`.
    private static func tells(_ entry: ReferenceEntry, of word: String) -> Bool {
        entry.page.split(separator: "\n").contains { line in
            line.split(separator: " ").first.map { $0 == word } ?? false
        }
    }
}
