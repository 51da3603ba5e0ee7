import DeadzoneGuide
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

    private static func page(_ text: PresetText, _ vocabulary: Vocabulary) -> [Block] {
        let reading = PresetSheet.read(text, vocabulary)
        guard let sheet = reading.sheet else {
            return reading.faults.sorted.map { .code(faultText($0, files: reading.files)) }
        }
        return page(sheet)
    }

    private static func page(_ sheet: PresetSheet) -> [Block] {
        let more = sheet.about.dropFirst(sheet.about.firstSentence.count)
        let rows = { (isOwn: Bool) in
            sheet.parameters.filter { $0.isOwn == isOwn }.map { Block.Row($0.name, $0.value, $0.note, anchor: $0.name) }
        }
        return (more.allSatisfy { $0 == " " } ? [] : [.paragraph(String(more))])
            + [
                .paragraph(
                    "A preset of `\(sheet.strategy)`. Settings written beside `strategy: \(sheet.name)` override its own."
                )
            ] + Block.rows("What it sets", rows(true))
            + Block.rows("What it leaves at the defaults of \(sheet.strategy)", rows(false))
            + Block.items("Sources", sheet.sources) + Block.items("Not modelled, or assumed", sheet.limits)
    }
}

extension EntryField {
    /// Which others a strategy belongs to.
    static func family(_ name: String) -> EntryField { EntryField(name: "family", value: name, shown: name) }
}
