/// The radio profile settings that were inferred from a power trace, or from round trips after silences.
public struct RadioFitReport: Sendable {
    public struct FittedRadioSetting: Hashable, Sendable {
        /// Name of the setting, such as `long-drx-power`.
        public var setting: String
        /// Value in profile notation.
        public var value: String
        /// The possible values, in seconds, mW, or mW for each Mbit/s, depending on the setting.
        public var range: ClosedRange<Double>
        public var unit: String
        /// Value in the base profile.
        public var base: String?

        public init(setting: String, value: String, range: ClosedRange<Double>, unit: String, base: String?) {
            self.setting = setting
            self.value = value
            self.range = range
            self.unit = unit
            self.base = base
        }

        public var allowed: String { RadioFit.SettingEstimate.words(range, unit) }
    }

    public var tool: String
    public var sources: [String]
    public var base: String
    public var findings: [FittedRadioSetting]
    /// Settings that keep the base profile's value, with the reason.
    public var undetermined: [(setting: String, why: String)]
    public var notes: [String]
    /// YAML file: a profile on top of the base.
    public var yaml: String

    public init(
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
    public var allowed: String { Self.words(range, unit) }

    /// The range as text; radio settings are not negative, so it is cut at zero.
    public static func words(_ range: ClosedRange<Double>, _ unit: String) -> String {
        SettingText.plain(max(range.lowerBound, 0)) + " to " + SettingText.plain(range.upperBound) + " " + unit
    }

    /// Value in profile notation: `265ms`, `178mW`, `14.5mW/Mbps`.
    public var text: String {
        switch unit {
        case "s": "\(Int((value * 10_000).rounded()) * 100)us".shortened
        case "mW": SettingText.plain((value * 10).rounded() / 10) + "mW"
        default: SettingText.plain((value * 100).rounded() / 100) + "mW/Mbps"
        }
    }

    public var unit: String {
        setting.hasPrefix("cost-")
            ? "mW/Mbps" : setting.hasSuffix("-power") || setting.hasPrefix("active-power") ? "mW" : "s"
    }
}

extension String {
    /// Shortens `265000us` to `265ms`.
    fileprivate var shortened: String { hasSuffix("000us") && self != "000us" ? dropLast(5) + "ms" : self }
}
