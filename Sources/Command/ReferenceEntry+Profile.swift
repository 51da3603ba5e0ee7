import DeadzoneBase
import DeadzoneDevice
import DeadzoneRuns
import DeadzoneScenarios

extension ReferenceEntry {
    /// A radio: every number with its source, and how far it can be trusted.
    static func profile(_ text: ProfileText) -> ReferenceEntry? {
        guard let reading = reading(text) else { return nil }
        let sheet = reading.sheet
        let technology = "\(reading.profile.technology.name)"
        let assumed = plural(sheet.assumptions.count, "assumption")
        return ReferenceEntry(
            topic: .profiles, name: text.name, summary: sheet.about.firstSentence,
            facts: [
                ReferenceField(name: "technology", value: technology, displayText: technology),
                ReferenceField(name: "assumptions", value: "\(sheet.assumptions.count)", displayText: assumed),
            ],
            page: page(sheet))
    }

    private static func reading(_ text: ProfileText) -> ParsedProfile? {
        guard let node = compose(Array(text.text.utf8)).node else { return nil }
        var settings = SettingsReader(node, of: "profile \(text.name)")
        return Vocabulary.standard.readProfile(&settings)
    }

    static func sheet(_ text: ProfileText) -> ProfileSource? { reading(text)?.sheet }

    static func page(_ sheet: ProfileSource) -> [PageBlock] {
        let sources = sheet.numbers.map(\.source).reduce(into: [String]()) { known, source in
            if !source.isEmpty, !known.contains(source) { known.append(source) }
        }
        let more = sheet.about.dropFirst(sheet.about.firstSentence.count).drop { $0 == " " || $0 == "." }
        let numbers = sheet.numbers.map { number in
            let source = sources.firstIndex(of: number.source).map { " [\($0 + 1)]" } ?? ""
            let note = number.note.isEmpty ? "" : ": " + number.note
            return PageBlock.PageTableRow(
                number.parameter, number.value, number.trust.rawValue + source + note, anchor: number.parameter)
        }
        let trusts = Trust.allCases.filter { trust in sheet.numbers.contains { $0.trust == trust } }
            .map { PageBlock.PageTableRow($0.rawValue, "\($0.meaning)") }
        return (more.isEmpty ? [] : [.paragraph(String(more))]) + PageBlock.rows("Numbers", numbers)
            + PageBlock.rows("Trust", trusts)
            + PageBlock.rows("Sources", sources.enumerated().map { PageBlock.PageTableRow("[\($0 + 1)]", $1) })
    }
}

extension ReferenceEntry {
    /// A scenario file, by its path.
    static func scenario(_ path: String, _ loaded: LoadedScenarios) -> ReferenceEntry {
        let cells = loaded.scenarios.count
        let summary = loaded.scenarios.first?.about.firstSentence ?? "cannot be read: deadzone lint \(path)"
        let fact = ReferenceField(name: "scenarios", value: "\(cells)", displayText: plural(cells, "scenario"))
        return ReferenceEntry(topic: .scenarios, name: path, summary: summary, facts: [fact], page: [])
    }
}
