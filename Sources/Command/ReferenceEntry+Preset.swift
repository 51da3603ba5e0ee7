import DeadzoneBase
import DeadzoneScenarios

extension ReferenceEntry {
    /// A preset: every parameter with its value and source.
    static func preset(_ text: PresetText, _ vocabulary: Vocabulary) -> ReferenceEntry {
        guard let (family, about) = vocabulary.summary(of: text) else {
            return ReferenceEntry(
                topic: .strategies, name: text.name, summary: "cannot be read", facts: [.family("broken")],
                page: page(text, vocabulary))
        }
        return ReferenceEntry(
            topic: .strategies, name: text.name, summary: about.firstSentence, facts: [.family(family)],
            page: page(text, vocabulary))
    }

    private static func page(_ text: PresetText, _ vocabulary: Vocabulary) -> [PageBlock] {
        let reading = PresetDescription.read(text, vocabulary)
        guard let sheet = reading.sheet else {
            return reading.faults.sorted.map { .code(faultText($0, files: reading.files)) }
        }
        return page(sheet)
    }

    private static func page(_ sheet: PresetDescription) -> [PageBlock] {
        let more = sheet.about.dropFirst(sheet.about.firstSentence.count)
        let rows = { (isOwn: Bool) in
            sheet.parameters.filter { $0.isOwn == isOwn }.map {
                PageBlock.PageTableRow($0.name, $0.value, $0.note, anchor: $0.name)
            }
        }
        return (more.allSatisfy { $0 == " " } ? [] : [.paragraph(String(more))])
            + [
                .paragraph(
                    "A preset of `\(sheet.strategy)`. Settings beside `strategy: \(sheet.name)` override those of the preset."
                )
            ] + PageBlock.rows("Settings of the preset", rows(true))
            + PageBlock.rows("Settings left at the defaults of \(sheet.strategy)", rows(false))
            + PageBlock.items("Sources", sheet.sources) + PageBlock.items("Not modelled, or assumed", sheet.limits)
    }
}

extension ReferenceField {
    /// The family of related strategies that a strategy belongs to.
    static func family(_ name: String) -> ReferenceField {
        ReferenceField(name: "family", value: name, displayText: name)
    }
}
