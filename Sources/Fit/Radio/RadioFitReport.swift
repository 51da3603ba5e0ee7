/// What a power trace, or round trips after silences, say of a radio profile.
public struct RadioFitReport: Sendable {
    public struct Finding: Hashable, Sendable {
        /// `long-drx-power`
        public var setting: String
        /// As profiles have it.
        public var value: String
        /// In seconds, mW, or mW for each Mbit/s.
        public var range: ClosedRange<Double>
        public var unit: String
        /// Of the base.
        public var base: String?

        public init(setting: String, value: String, range: ClosedRange<Double>, unit: String, base: String?) {
            self.setting = setting
            self.value = value
            self.range = range
            self.unit = unit
            self.base = base
        }

        public var allowed: String { RadioFit.Number.words(range, unit) }
    }

    public var tool: String
    public var sources: [String]
    public var base: String
    public var findings: [Finding]
    /// What stays as the base has it, and why.
    public var untold: [(setting: String, why: String)]
    public var notes: [String]
    /// A profile over the base, as a file.
    public var yaml: String

    public init(
        tool: String, sources: [String], base: String, findings: [Finding], untold: [(setting: String, why: String)],
        notes: [String], yaml: String
    ) {
        self.tool = tool
        self.sources = sources
        self.base = base
        self.findings = findings
        self.untold = untold
        self.notes = notes
        self.yaml = yaml
    }
}

extension RadioFit.Number {
    public var allowed: String { Self.words(range, unit) }

    /// Nothing of a radio is less than nothing.
    public static func words(_ range: ClosedRange<Double>, _ unit: String) -> String {
        SettingText.plain(max(range.lowerBound, 0)) + " to " + SettingText.plain(range.upperBound) + " " + unit
    }

    /// As profiles have it: `265ms`, `178mW`, `14.5mW/Mbps`.
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
    /// `265000us` is `265ms`.
    fileprivate var shortened: String { hasSuffix("000us") && self != "000us" ? dropLast(5) + "ms" : self }
}
