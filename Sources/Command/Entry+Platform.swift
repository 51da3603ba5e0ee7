import DeadzonePrimitives
import DeadzoneDevice
import DeadzoneScenarios

extension Entry {
    /// An operating system: every number with its source, and how far it can be trusted.
    static func platform(_ shipped: ShippedPlatform) -> Entry {
        let sheet = shipped.sheet
        let family = shipped.family == .android ? "Android" : "iOS"
        return Entry(
            topic: .platforms, name: shipped.name, summary: shipped.about.firstSentence,
            facts: [
                EntryField(name: "family", value: family, shown: family),
                EntryField(
                    name: "assumptions", value: "\(sheet.assumptions.count)",
                    shown: plural(sheet.assumptions.count, "assumption")),
            ],
            page: page(sheet))
    }
}
