import DeadzoneDevice
import DeadzoneRuns
import DeadzoneScenarios

/// What nobody read, measured or ran, as profiles, platforms and presets say it of themselves: whose it is, the number, and why.
extension Entry {
    static func assumptions(_ vocabulary: Vocabulary) -> [Entry] {
        vocabulary.profiles.compactMap(sheet).flatMap { assumptions("profile", $0) }
            + ShippedPlatform.all.flatMap { assumptions("platform", $0.sheet, of: $0.name) }
            + vocabulary.presets.compactMap { PresetSheet.read($0, vocabulary).sheet }.flatMap(assumptions)
    }

    private static func assumptions(_ kind: String, _ sheet: ProfileSheet, of owner: String? = nil) -> [Entry] {
        sheet.assumptions.map { number in
            let source = number.source.isEmpty ? "" : ": \(number.source)"
            let why = number.note.isEmpty ? "\(number.trust.meaning)" + source : number.note
            return assumption(kind, owner ?? sheet.name, number.parameter, number.value, why)
        }
    }

    /// A word in the comment beside a setting, or in the limits.
    private static func assumptions(_ sheet: PresetSheet) -> [Entry] {
        sheet.parameters.filter { $0.note.isAssumption }.map {
            assumption("preset", sheet.name, $0.name, $0.value, $0.note)
        } + sheet.limits.filter(\.isAssumption).map { assumption("preset", sheet.name, "", "", $0) }
    }

    private static func assumption(
        _ kind: String, _ owner: String, _ number: String, _ value: String, _ why: String
    ) -> Entry {
        let facts = [("kind", kind), ("number", number), ("value", value)]
        return Entry(
            topic: .assumptions, name: owner, summary: why,
            facts: facts.map { EntryField(name: $0.0, value: $0.1, shown: $0.1) }, page: [])
    }
}

extension String {
    fileprivate var isAssumption: Bool { lowercased().contains("assum") }
}
