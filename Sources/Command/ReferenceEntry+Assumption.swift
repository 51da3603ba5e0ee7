import DeadzoneDevice
import DeadzoneRuns
import DeadzoneScenarios

/// Assumed numbers: values that were neither published, measured nor simulated. They are collected from profiles,
/// platforms and presets, each with its owner, value and reason.
extension ReferenceEntry {
    static func assumptions(_ vocabulary: Vocabulary) -> [ReferenceEntry] {
        vocabulary.profiles.compactMap(sheet).flatMap { assumptions("profile", $0) }
            + ShippedPlatform.all.flatMap { assumptions("platform", $0.sheet, of: $0.name) }
            + vocabulary.presets.compactMap { PresetDescription.read($0, vocabulary).sheet }.flatMap(assumptions)
    }

    private static func assumptions(_ kind: String, _ sheet: ProfileSource, of owner: String? = nil) -> [ReferenceEntry]
    {
        sheet.assumptions.map { number in
            let source = number.source.isEmpty ? "" : ": \(number.source)"
            let why = number.note.isEmpty ? "\(number.trust.meaning)" + source : number.note
            return assumption(kind, owner ?? sheet.name, number.parameter, number.value, why)
        }
    }

    /// Assumptions of a preset. They are recognised by a word in the note of a parameter or in the limits.
    private static func assumptions(_ sheet: PresetDescription) -> [ReferenceEntry] {
        sheet.parameters.filter { $0.note.isAssumption }.map {
            assumption("preset", sheet.name, $0.name, $0.value, $0.note)
        } + sheet.limits.filter(\.isAssumption).map { assumption("preset", sheet.name, "", "", $0) }
    }

    private static func assumption(
        _ kind: String, _ owner: String, _ number: String, _ value: String, _ why: String
    ) -> ReferenceEntry {
        let facts = [("kind", kind), ("number", number), ("value", value)]
        return ReferenceEntry(
            topic: .assumptions, name: owner, summary: why,
            facts: facts.map { ReferenceField(name: $0.0, value: $0.1, displayText: $0.1) }, page: [])
    }
}

extension String {
    fileprivate var isAssumption: Bool { lowercased().contains("assum") }
}
