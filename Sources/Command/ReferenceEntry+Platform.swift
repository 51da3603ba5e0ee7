import DeadzoneBase
import DeadzoneDevice
import DeadzoneScenarios

extension ReferenceEntry {
    /// An operating system: every number with its source, and how far it can be trusted.
    static func platform(_ shipped: ShippedPlatform) -> ReferenceEntry {
        let sheet = shipped.sheet
        let family = shipped.family == .android ? "Android" : "iOS"
        return ReferenceEntry(
            topic: .platforms, name: shipped.name, summary: shipped.about.firstSentence,
            facts: [
                ReferenceField(name: "family", value: family, displayText: family),
                ReferenceField(
                    name: "assumptions", value: "\(sheet.assumptions.count)",
                    displayText: plural(sheet.assumptions.count, "assumption")),
            ],
            page: page(sheet))
    }
}
