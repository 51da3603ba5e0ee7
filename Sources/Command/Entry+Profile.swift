import DeadzoneRuns
import DeadzoneDevice
import DeadzonePrimitives
import DeadzoneScenarios
import DeadzoneSettings

extension Entry {
    /// A radio: every number with its source, and how far it can be trusted.
    static func profile(_ text: ProfileText) -> Entry? {
        guard let reading = reading(text) else { return nil }
        let sheet = reading.sheet
        let technology = "\(reading.profile.technology.name)"
        let assumed = plural(sheet.assumptions.count, "assumption")
        return Entry(
            topic: .profiles, name: text.name, summary: sheet.about.firstSentence,
            facts: [
                Fact(name: "technology", value: technology, shown: technology),
                Fact(name: "assumptions", value: "\(sheet.assumptions.count)", shown: assumed),
            ],
            page: page(sheet))
    }

    private static func reading(_ text: ProfileText) -> ProfileReading? {
        guard let node = compose(Array(text.text.utf8)).node else { return nil }
        var settings = SettingsReader(node, of: "profile \(text.name)")
        return Vocabulary.standard.readProfile(&settings)
    }

    static func sheet(_ text: ProfileText) -> ProfileSheet? { reading(text)?.sheet }

    static func page(_ sheet: ProfileSheet) -> String {
        let sources = sheet.numbers.map(\.source).reduce(into: [String]()) { known, source in
            if !source.isEmpty, !known.contains(source) { known.append(source) }
        }
        let names = sheet.numbers.map(\.parameter.count).max() ?? 0
        let values = sheet.numbers.map(\.value.count).max() ?? 0
        let more = sheet.about.dropFirst(sheet.about.firstSentence.count).drop { $0 == " " || $0 == "." }
        var text = more.isEmpty ? "" : wrapped(String(more)) + "\n"
        text += "Numbers\n"
        for number in sheet.numbers {
            let source = sources.firstIndex(of: number.source).map { " [\($0 + 1)]" } ?? ""
            let note = number.note.isEmpty ? "" : ": " + number.note
            text += "  " + pad(number.parameter, names) + "  " + pad(number.value, values) + "  "
            text += number.trust.rawValue + source + note + "\n"
        }
        text += "\nTrust\n"
        for trust in Trust.allCases where sheet.numbers.contains(where: { $0.trust == trust }) {
            text += "  \(trust.rawValue)  \(trust.meaning)\n"
        }
        if !sources.isEmpty { text += "\nSources\n" }
        for (index, source) in sources.enumerated() { text += "  [\(index + 1)] \(source)\n" }
        return text
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

extension Entry {
    /// A scenario file by its path.
    static func scenario(_ path: String, _ loaded: LoadedScenarios) -> Entry {
        let cells = loaded.scenarios.count
        let summary = loaded.scenarios.first?.about.firstSentence ?? "cannot be read: deadzone lint \(path)"
        let fact = Fact(name: "scenarios", value: "\(cells)", shown: plural(cells, "scenario"))
        return Entry(topic: .scenarios, name: path, summary: summary, facts: [fact], page: "")
    }
}
