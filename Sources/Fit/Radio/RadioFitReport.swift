/// The radio profile settings that were inferred from a power trace, or from round trips after silences.
package struct RadioFitReport: Sendable {
    package struct FittedRadioSetting: Hashable, Sendable {
        /// Name of the setting, such as `long-drx-power`.
        package var setting: String
        /// Value in profile notation.
        package var value: String
        /// The possible values, in seconds, mW, or mW for each Mbit/s, depending on the setting.
        package var range: ClosedRange<Double>
        package var unit: String
        /// Value in the base profile.
        package var base: String?

        package init(setting: String, value: String, range: ClosedRange<Double>, unit: String, base: String?) {
            self.setting = setting
            self.value = value
            self.range = range
            self.unit = unit
            self.base = base
        }

        package var allowed: String { RadioFit.SettingEstimate.words(range, unit) }
    }

    package var tool: String
    package var sources: [String]
    package var base: String
    package var findings: [FittedRadioSetting]
    /// Settings that keep the base profile's value, with the reason.
    package var undetermined: [(setting: String, why: String)]
    package var notes: [String]
    /// YAML file: a profile on top of the base.
    package var yaml: String

    package init(
        tool: String, sources: [String], base: String, findings: [FittedRadioSetting],
        undetermined: [(setting: String, why: String)],
        notes: [String], yaml: String
    ) {
        self.tool = tool
        self.sources = sources
        self.base = base
        self.findings = findings
        self.undetermined = undetermined
        self.notes = notes
        self.yaml = yaml
    }
}

extension RadioFit.SettingEstimate {
    package var allowed: String { Self.words(range, unit) }

    /// The range as text; radio settings are not negative, so it is cut at zero.
    package static func words(_ range: ClosedRange<Double>, _ unit: String) -> String {
        SettingText.plain(max(range.lowerBound, 0)) + " to " + SettingText.plain(range.upperBound) + " " + unit
    }

    /// Value in profile notation: `265ms`, `178mW`, `14.5mW/Mbps`.
    package var text: String {
        switch unit {
        case "s": "\(Int((value * 10_000).rounded()) * 100)us".shortened
        case "mW": SettingText.plain((value * 10).rounded() / 10) + "mW"
        default: SettingText.plain((value * 100).rounded() / 100) + "mW/Mbps"
        }
    }

    package var unit: String {
        setting.hasPrefix("cost-")
            ? "mW/Mbps" : setting.hasSuffix("-power") || setting.hasPrefix("active-power") ? "mW" : "s"
    }
}

extension String {
    /// Shortens `265000us` to `265ms`.
    fileprivate var shortened: String { hasSuffix("000us") && self != "000us" ? dropLast(5) + "ms" : self }
}
