import DeadzoneClient
import DeadzoneDocuments
import DeadzoneGuide
import DeadzoneMetrics
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSettings
import DeadzoneStrategies

/// What `list` lists.
enum Topic: String, CaseIterable, Sendable {
    case scenarios, strategies, profiles, platforms, links, middleboxes, metrics, errors, settings, guides, assumptions

    /// A scenario is a file, whose own comments explain it, and an assumption belongs to something that has a name.
    static let explained = allCases.filter { $0 != .scenarios && $0 != .assumptions }
}

/// A name that users meet: a row of `list`, a page of `explain`.
struct Entry: Sendable {
    let topic: Topic
    let name: String
    let summary: String
    /// What tables call it, if they do.
    let title: String
    /// Further columns of its list, and fields of its JSON.
    let facts: [EntryField]
    /// Writes what `explain` and the guide say below the name and the summary: a list has no use for it.
    private let write: @Sendable () -> [Block]

    var blocks: [Block] { write() }
    var page: String { TerminalText.text(blocks, .plain) }

    init(
        topic: Topic, name: String, summary: String, title: String = "", facts: [EntryField] = [],
        page: @escaping @autoclosure @Sendable () -> [Block]
    ) {
        self.topic = topic
        self.name = name
        self.summary = summary
        self.title = title
        self.facts = facts
        write = page
    }
}

extension String {
    /// A list has room for one sentence.
    var firstSentence: String {
        let words = utf8.split(separator: UInt8(ascii: " "))
        guard let end = words.firstIndex(where: { $0.last == UInt8(ascii: ".") }) else { return self }
        return words[...end].map { String(Substring($0)) }.joined(separator: " ")
    }
}

struct EntryField: Sendable {
    let name: String
    let value: String
    /// In a column, where the name does not stand beside it.
    let shown: String
}

extension Entry {
    static func strategy(_ kind: StrategyKind, isBuiltIn: Bool) -> Entry {
        Entry(
            topic: .strategies, name: kind.name, summary: kind.about,
            facts: [.family(isBuiltIn ? "built in" : "yours")], page: page(kind))
    }

    private static func page(_ kind: StrategyKind) -> [Block] {
        var reader = SettingsReader.describing("strategy \(kind.name)")
        _ = kind.make(&reader)
        let rows = reader.shape.rows.map(Block.Row.setting)
        return rows.isEmpty ? [.paragraph("It takes no settings.")] : Block.rows("Settings", rows)
    }

    static func metric(_ metric: Metric) -> Entry {
        let goal =
            switch metric.better {
            case .lower: "lower is better"
            case .higher: "higher is better"
            case .neither: "describes the run"
            }
        return Entry(
            topic: .metrics, name: metric.name, summary: metric.meaning, title: metric.label,
            facts: [
                EntryField(name: "title", value: metric.label, shown: metric.label),
                EntryField(name: "unit", value: metric.unit.rawValue, shown: metric.unit.rawValue),
                EntryField(name: "better", value: metric.better.rawValue, shown: goal),
                EntryField(
                    name: "scope", value: metric.scope?.rawValue ?? "pooled", shown: metric.scope?.rawValue ?? "pooled"),
            ],
            page: [
                .paragraph(metric.explanation),
                .paragraph(
                    "Unit: \(metric.unit.rawValue); \(goal)\(metric.scope.map { "; \($0.words)" } ?? "")."
                        + " In tables: \(metric.label)."),
            ])
    }

    static func guide(_ page: GuidePage) -> Entry {
        Entry(topic: .guides, name: page.name, summary: page.summary, title: page.title, page: page.blocks)
    }

    static func link(_ preset: LinkPreset) -> Entry {
        Entry(
            topic: .links, name: preset.name, summary: preset.about,
            page: [
                .paragraph("A scenario has it by name, or as what other settings start from."),
                .code(
                    "links: {cellular: \(preset.name)}\nlinks: {cellular: {preset: \(preset.name), loss: 1%}}",
                    "yaml each"),
            ])
    }

    static func middlebox(_ box: MiddleboxPage) -> Entry {
        Entry(
            topic: .middleboxes, name: box.name, summary: box.about,
            page: [
                .paragraph(box.page),
                .code(
                    "middleboxes: {cellular: [\(box.name)]}\nmiddleboxes: {server: [{preset: \(box.name), idle: 5m}]}",
                    "yaml each"),
            ])
    }

    static func fault(_ code: FaultCode) -> Entry {
        Entry(
            topic: .errors, name: code.rawValue, summary: code.title,
            page: [
                .paragraph(code.explanation),
                .paragraph(
                    "Of a scenario, or another file that is read: the command ends with \(ExitCode.badInput.number)."),
            ])
    }

    static func fault(_ code: ToolFaultCode) -> Entry {
        Entry(
            topic: .errors, name: code.rawValue, summary: code.title,
            page: [.paragraph(code.explanation), .paragraph("The command ends with \(code.exit.number).")])
    }
}

extension Block.Row {
    /// A setting of a part of a scenario.
    static func setting(_ row: SettingRow) -> Self {
        Self(row.key, row.takes, row.help, anchor: row.path, depth: row.depth)
    }
}
