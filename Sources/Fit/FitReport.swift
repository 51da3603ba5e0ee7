/// What recordings say of a client's settings, and of the preset that it is to be like.
public struct FitReport: Sendable {
    /// A setting of `composed` that something in the recordings tells.
    public struct Finding: Hashable, Sendable {
        /// `backoff.base`
        public var setting: String
        /// As YAML has it.
        public var value: String
        /// What would explain the recordings as well, in words.
        public var allowed: String
        /// The same in seconds, or as the setting counts.
        public var range: ClosedRange<Double>?
        /// Of the preset; nil: there is none, or it has no such setting.
        public var preset: String?
        /// The preset's value cannot be.
        public var isRefuted: Bool
    }

    public var tool: String
    public var recordings: [String]
    /// What was to be explained: attempts that followed others, and pings.
    public var waits: Int
    public var pings: Int
    /// The preset.
    public var like: String?
    public var findings: [Finding]
    /// Settings that nothing in the recordings could tell, and why.
    public var untold: [(setting: String, why: String)]
    /// What the client did and the preset does not, in sentences.
    public var complaints: [String]
    /// Attempts that the preset's law allows.
    public var judged: (inside: Int, of: Int)?
    public var notes: [String]
    /// A preset, or settings over one, as a file.
    public var yaml: String

    public init(
        tool: String, recordings: [String], waits: Int, pings: Int, like: String?, findings: [Finding],
        untold: [(setting: String, why: String)], complaints: [String], judged: (inside: Int, of: Int)?,
        notes: [String], yaml: String
    ) {
        self.tool = tool
        self.recordings = recordings
        self.waits = waits
        self.pings = pings
        self.like = like
        self.findings = findings
        self.untold = untold
        self.complaints = complaints
        self.judged = judged
        self.notes = notes
        self.yaml = yaml
    }

    /// Nothing that was recorded speaks against the preset.
    public var isLike: Bool { complaints.isEmpty && !findings.contains(where: \.isRefuted) }
}

/// Numbers of settings as files have them, and as people read them.
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

    /// `0.97 s`
    static func shown(_ seconds: Double) -> String {
        plain((seconds * 1_000).rounded() / 1_000) + " s"
    }

    static func shown(_ range: ClosedRange<Double>, _ text: (Double) -> String, isOpenAbove: Bool = false) -> String {
        isOpenAbove
            ? "at least " + text(range.lowerBound) : text(range.lowerBound) + " to " + text(range.upperBound)
    }
}
