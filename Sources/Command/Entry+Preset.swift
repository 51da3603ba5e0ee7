import DeadzoneScenarios
import DeadzoneSettings

extension Entry {
    /// A preset: every parameter with its value and where it comes from.
    static func preset(_ text: PresetText, _ vocabulary: Vocabulary) -> Entry {
        guard let (family, about) = vocabulary.summary(of: text) else {
            return Entry(
                topic: .strategies, name: text.name, summary: "cannot be read", facts: [.family("broken")],
                page: page(text, vocabulary))
        }
        return Entry(
            topic: .strategies, name: text.name, summary: about.firstSentence, facts: [.family(family)],
            page: page(text, vocabulary))
    }

    private static func page(_ text: PresetText, _ vocabulary: Vocabulary) -> String {
        let reading = PresetSheet.read(text, vocabulary)
        guard let sheet = reading.sheet else {
            return reading.faults.sorted.map { faultText($0, files: reading.files) }.joined(separator: "\n")
        }
        return page(sheet)
    }

    private static func page(_ sheet: PresetSheet) -> String {
        let more = sheet.about.dropFirst(sheet.about.firstSentence.count)
        var text = more.allSatisfy { $0 == " " } ? "" : wrapped(String(more)) + "\n"
        text += "A preset of `\(sheet.strategy)`. Settings written beside `strategy: \(sheet.name)` override its own.\n"
        text += table("\nWhat it sets\n", sheet.parameters.filter(\.isOwn))
        text += table(
            "\nWhat it leaves at the defaults of `\(sheet.strategy)`\n", sheet.parameters.filter { !$0.isOwn })
        text += list("\nSources\n", sheet.sources)
        text += list("\nNot modelled, or assumed\n", sheet.limits)
        return text
    }

    private static func table(_ title: String, _ rows: [PresetSheet.Parameter]) -> String {
        guard !rows.isEmpty else { return "" }
        let names = rows.map(\.name.count).max() ?? 0
        let values = rows.map(\.value.count).filter { $0 <= 32 }.max() ?? 0
        return title
            + rows.map { row in
                var line = "  " + padded(row.name, names) + "  " + padded(row.value, values) + "  " + row.note
                while line.last == " " { line.removeLast() }
                return line + "\n"
            }.joined()
    }

    private static func list(_ title: String, _ items: [String]) -> String {
        items.isEmpty
            ? ""
            : title
                + items.map { item in
                    "  - " + wrapped(item).dropLast().replacing("\n", with: "\n    ") + "\n"
                }.joined()
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

extension Fact {
    /// Which others a strategy belongs to.
    static func family(_ name: String) -> Fact { Fact(name: "family", value: name, shown: name) }
}
