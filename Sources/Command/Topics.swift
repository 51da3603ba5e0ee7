import DeadzoneClient
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
    let facts: [Fact]
    /// Writes the page of `explain`, below the name and the summary: a list has no use for it.
    let write: @Sendable () -> String

    var page: String { write() }

    init(
        topic: Topic, name: String, summary: String, title: String = "", facts: [Fact] = [],
        page: @escaping @autoclosure @Sendable () -> String
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
        let words = split(separator: " ")
        guard let end = words.firstIndex(where: { $0.hasSuffix(".") }) else { return self }
        return words[...end].joined(separator: " ")
    }
}

struct Fact: Sendable {
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

    private static func page(_ kind: StrategyKind) -> String {
        var reader = SettingsReader.describing("strategy \(kind.name)")
        _ = kind.make(&reader)
        let settings = helpText(of: reader.shape, indent: 2)
        return settings.isEmpty ? "It takes no settings.\n" : "Settings\n" + settings
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
                Fact(name: "title", value: metric.label, shown: metric.label),
                Fact(name: "unit", value: metric.unit.rawValue, shown: metric.unit.rawValue),
                Fact(name: "better", value: metric.better.rawValue, shown: goal),
                Fact(
                    name: "scope", value: metric.scope?.rawValue ?? "pooled", shown: metric.scope?.rawValue ?? "pooled"),
            ],
            page: wrapped(metric.explanation)
                + "\nUnit: \(metric.unit.rawValue); \(goal)\(metric.scope.map { "; \($0.words)" } ?? "")."
                + " In tables: \(metric.label).\n")
    }

    static func link(_ preset: LinkPreset) -> Entry {
        Entry(
            topic: .links, name: preset.name, summary: preset.about,
            page: wrapped(
                "A scenario has it by name, links: {cellular: \(preset.name)}, or as what other settings start from, links: {cellular: {preset: \(preset.name), loss: 1%}}."
            ))
    }

    static func middlebox(_ box: MiddleboxPage) -> Entry {
        Entry(topic: .middleboxes, name: box.name, summary: box.about, page: wrapped(box.page))
    }

    static func fault(_ code: FaultCode) -> Entry {
        Entry(topic: .errors, name: code.rawValue, summary: code.title, page: wrapped(code.explanation))
    }

    static func fault(_ code: ToolFaultCode) -> Entry {
        Entry(
            topic: .errors, name: code.rawValue, summary: code.title,
            page: wrapped(code.explanation) + "\nThe command ends with \(code.exit.number).\n")
    }

    /// Prose in lines of at most 100 columns.
    static func wrapped(_ prose: String) -> String {
        var lines = [""]
        for word in prose.split(separator: " ") {
            if !lines[lines.count - 1].isEmpty, lines[lines.count - 1].count + 1 + word.count > 100 { lines.append("") }
            lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
