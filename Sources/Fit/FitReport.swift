/// The client settings that were inferred from recordings, compared with a preset.
package struct FitReport: Sendable {
    /// A client setting (of the strategy `composed`) with the value that the recordings determine.
    package struct FittedSetting: Hashable, Sendable {
        /// Path of the setting, such as `backoff.base`.
        package var setting: String
        /// Value in YAML notation.
        package var value: String
        /// Values that explain the recordings equally well, as text.
        package var allowed: String
        /// The allowed range as numbers, in seconds or in the unit of the setting.
        package var range: ClosedRange<Double>?
        /// Value in the preset; `nil` if there is no preset or it lacks this setting.
        package var preset: String?
        /// `true` if the recordings contradict the preset's value.
        package var isRefuted: Bool
        /// Why the preset's value was not compared with the recordings, although it is not among the possible values;
        /// `nil` if it was compared.
        package var notJudged: String?

        package var isCompared: Bool { preset != nil && notJudged == nil }
    }

    /// The result of the comparison of a client with a preset.
    package enum PresetVerdict: String, Sendable {
        case contradicted
        case notContradicted = "not_contradicted"
        /// The recordings contain nothing that the preset determines.
        case undecided
    }

    package var tool: String
    package var recordings: [String]
    /// Numbers of analysed waits (between an attempt and the next) and of pings.
    package var waits: Int
    package var pings: Int
    /// Name of the preset.
    package var like: String?
    package var findings: [FittedSetting]
    /// Settings that the recordings do not determine, with the reason.
    package var undetermined: [(setting: String, why: String)]
    /// Differences between the client and the preset, as sentences.
    package var mismatches: [String]
    /// Number of attempts within the preset's bounds, and of all that were checked.
    package var judged: (inside: Int, of: Int)?
    package var notes: [String]
    /// Contradictions between the recordings and the estimated settings themselves. A file with them would describe
    /// another client.
    package var unexplained: [String] = []
    /// YAML file: a preset, or settings on top of one.
    package var yaml: String

    package init(
        tool: String, recordings: [String], waits: Int, pings: Int, like: String?, findings: [FittedSetting],
        undetermined: [(setting: String, why: String)], mismatches: [String], judged: (inside: Int, of: Int)?,
        notes: [String], yaml: String
    ) {
        self.tool = tool
        self.recordings = recordings
        self.waits = waits
        self.pings = pings
        self.like = like
        self.findings = findings
        self.undetermined = undetermined
        self.mismatches = mismatches
        self.judged = judged
        self.notes = notes
        self.yaml = yaml
    }

    /// Leaves out an estimated setting, with the reason.
    package mutating func leaveOut(_ setting: String, because why: String) {
        guard findings.contains(where: { $0.setting == setting }) else { return }
        findings.removeAll { $0.setting == setting }
        undetermined.append((setting, "left out: " + why))
    }

    /// `nil` without a preset.
    package var verdict: PresetVerdict? {
        guard like != nil else { return nil }
        if !mismatches.isEmpty || findings.contains(where: \.isRefuted) { return .contradicted }
        let compared = (judged?.of ?? 0) + findings.count(where: \.isCompared)
        return compared > 0 ? .notContradicted : .undecided
    }

    /// `true` if the recordings and the estimated settings agree, so that a file can describe the client.
    package var isWritable: Bool { !findings.isEmpty && unexplained.isEmpty }
}

/// Formats setting values as text, for YAML files and for reports.
enum SettingText {
    static func span(_ seconds: Double) -> String {
        let milliseconds = Int((seconds * 1_000).rounded())
        return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000)s" : "\(milliseconds)ms"
    }

    static func plain(_ number: Double) -> String {
        let thousandths = Int((number * 1_000).rounded())
        guard thousandths % 1_000 != 0 else { return "\(thousandths / 1_000)" }
        var digits = "\(thousandths % 1_000 + 1_000)".dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(thousandths / 1_000).\(digits)"
    }

    static func share(_ number: Double) -> String { plain(number * 100) + "%" }

    /// Text such as `0.97 s`.
    static func shown(_ seconds: Double) -> String {
        plain((seconds * 1_000).rounded() / 1_000) + " s"
    }

    static func shown(_ range: ClosedRange<Double>, _ text: (Double) -> String, isOpenAbove: Bool = false) -> String {
        isOpenAbove
            ? "at least " + text(range.lowerBound) : text(range.lowerBound) + " to " + text(range.upperBound)
    }
}
