import DeadzoneBase
import DeadzoneClient
import Testing

/// Each setting of `composed` changes exactly its own property of a policy.
@Suite struct SettingFieldTests {
    /// Broken: a setting is ignored, changes another property, or has another meaning. Or its canonical form means
    /// something else.
    @Test(arguments: SettingFieldTable.rows)
    func changesExactlyItsProperty(base: String, settings: String, expected: String) {
        let plain = SettingLine(base).read()
        #expect(plain.faults == [], "\(base)")
        let changed = SettingLine(base.isEmpty ? settings : base + "; " + settings).read()
        #expect(changed.faults == [], "\(settings)")
        #expect(SettingFields.difference(changed.client, from: plain.client) == expected, "\(base); \(settings)")
        var reader = SettingsReader(changed.resolved, of: "composed")
        let again = Composed(&reader)
        reader.finish()
        #expect(reader.faults.sorted.map(\.message) == [], "canonical form of \(settings)")
        #expect(SettingFields.difference(again, from: changed.client) == "", "canonical form of \(settings)")
        #expect(flowText(reader.resolved) == flowText(changed.resolved), "canonical form of \(settings)")
    }

    /// Broken: a default has moved.
    @Test func hasItsDefaults() {
        let fields = SettingFields.of(SettingLine("").read().client).map { "\($0.path)=\($0.text)" }
        #expect(fields.joined(separator: "\n") == SettingFieldTable.defaults)
    }
}
