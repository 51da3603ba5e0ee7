import DeadzoneBase
import DeadzoneClient
import DeadzoneMetrics
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios

/// The kinds of items that the command `list` can print, such as strategies, metrics and errors.
enum Topic: String, CaseIterable, Sendable {
    case scenarios, strategies, profiles, platforms, links, middleboxes, metrics, errors, settings, guides, assumptions

    /// The topics with `explain` pages. Scenarios are explained by comments in their files, and an assumption belongs
    /// to an entry of another topic.
    static let explainable = allCases.filter { $0 != .scenarios && $0 != .assumptions }
}

/// An item that users refer to by name, such as a metric: a row of `list` and a page of `explain`.
struct ReferenceEntry: Sendable {
    let topic: Topic
    let name: String
    let summary: String
    /// The title in tables. Empty if there is none.
    let title: String
    /// Additional columns of the list and fields of its JSON.
    let facts: [ReferenceField]
    /// Creates the page of `explain` and the guide. It is a closure because lists do not need the page.
    private let makeBlocks: @Sendable () -> [PageBlock]

    var blocks: [PageBlock] { makeBlocks() }
    var page: String { TerminalText.text(blocks, .plain) }

    init(
        topic: Topic, name: String, summary: String, title: String = "", facts: [ReferenceField] = [],
        page: @escaping @autoclosure @Sendable () -> [PageBlock]
    ) {
        self.topic = topic
        self.name = name
        self.summary = summary
        self.title = title
        self.facts = facts
        makeBlocks = page
    }
}

extension String {
    /// The first sentence, for lists.
    var firstSentence: String {
        let words = utf8.split(separator: UInt8(ascii: " "))
        guard let end = words.firstIndex(where: { $0.last == UInt8(ascii: ".") }) else { return self }
        return words[...end].map { String(Substring($0)) }.joined(separator: " ")
    }
}

struct ReferenceField: Sendable {
    let name: String
    let value: String
    /// The value in a column, where the field's name is not shown beside it.
    let displayText: String
}

extension ReferenceEntry {
    static func strategy(_ kind: StrategyKind, isBuiltIn: Bool) -> ReferenceEntry {
        ReferenceEntry(
            topic: .strategies, name: kind.name, summary: kind.about,
            facts: [.family(isBuiltIn ? "built in" : "yours")], page: page(kind))
    }

    private static func page(_ kind: StrategyKind) -> [PageBlock] {
        var reader = SettingsReader.describing("strategy \(kind.name)")
        _ = kind.make(&reader)
        let rows = reader.shape.rows.map(PageBlock.PageTableRow.setting)
        return rows.isEmpty ? [.paragraph("It takes no settings.")] : PageBlock.rows("Settings", rows)
    }

    static func metric(_ metric: Metric) -> ReferenceEntry {
        let goal =
            switch metric.better {
            case .lower: "lower is better"
            case .higher: "higher is better"
            case .neither: "neither is better"
            }
        return ReferenceEntry(
            topic: .metrics, name: metric.name, summary: metric.meaning, title: metric.label,
            facts: [
                ReferenceField(name: "title", value: metric.label, displayText: metric.label),
                ReferenceField(name: "unit", value: metric.unit.rawValue, displayText: metric.unit.rawValue),
                ReferenceField(name: "better", value: metric.better.rawValue, displayText: goal),
                ReferenceField(
                    name: "scope", value: metric.scope?.rawValue ?? "pooled",
                    displayText: metric.scope?.rawValue ?? "pooled"),
            ],
            page: [
                .paragraph(metric.explanation),
                .paragraph(
                    "Unit: \(metric.unit.rawValue); \(goal)\(metric.scope.map { "; \($0.words)" } ?? "")."
                        + " Label in tables: \(metric.label)."),
            ])
    }

    static func guide(_ page: GuidePage) -> ReferenceEntry {
        ReferenceEntry(topic: .guides, name: page.name, summary: page.summary, title: page.title, page: page.blocks)
    }

    static func link(_ preset: LinkPreset) -> ReferenceEntry {
        ReferenceEntry(
            topic: .links, name: preset.name, summary: preset.about,
            page: [
                .paragraph("Use it by name in a scenario, or as a preset and change single settings."),
                .code(
                    "links: {cellular: \(preset.name)}\nlinks: {cellular: {preset: \(preset.name), loss: 1%}}",
                    "yaml each"),
            ])
    }

    static func middlebox(_ box: MiddleboxDescription) -> ReferenceEntry {
        ReferenceEntry(
            topic: .middleboxes, name: box.name, summary: box.about,
            page: [
                .paragraph(box.page),
                .code(
                    "middleboxes: {cellular: [\(box.name)]}\nmiddleboxes: {server: [{preset: \(box.name), idle: 5m}]}",
                    "yaml each"),
            ])
    }

    static func fault(_ code: FaultCode) -> ReferenceEntry {
        ReferenceEntry(
            topic: .errors, name: code.rawValue, summary: code.title,
            page: [
                .paragraph(code.explanation),
                .paragraph(
                    "An error in a scenario or another input file. The exit code is \(ExitCode.badInput.number)."),
            ])
    }

    static func fault(_ code: ToolFaultCode) -> ReferenceEntry {
        ReferenceEntry(
            topic: .errors, name: code.rawValue, summary: code.title,
            page: [.paragraph(code.explanation), .paragraph("The exit code is \(code.exit.number).")])
    }
}

extension PageBlock.PageTableRow {
    /// A row for a setting of a scenario.
    static func setting(_ row: SettingRow) -> Self {
        Self(row.key, row.takes, row.help, anchor: row.path, depth: row.depth)
    }
}
