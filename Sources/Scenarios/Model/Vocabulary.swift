public import DeadzoneClient
public import DeadzoneDevice
public import DeadzoneSettings

/// The names of strategies, metrics, presets and profiles that a scenario file may use. The caller supplies them, so
/// that the scenario reader depends on neither strategies nor metrics.
public struct Vocabulary: Sendable {
    public var strategies: [StrategyKind]
    public let presets: [PresetText]
    /// Metadata of the presets.
    let presetMetadata: PresetMetadataCache
    public var metrics: [MetricKind]
    public var profiles: [ProfileText]
    /// Reads the map of a radio profile.
    public var readProfile: @Sendable (inout SettingsReader) -> ParsedProfile?

    public init(
        strategies: [StrategyKind], presets: [PresetText] = [], metrics: [MetricKind], profiles: [ProfileText],
        readProfile: @escaping @Sendable (inout SettingsReader) -> ParsedProfile?
    ) {
        self.strategies = strategies
        self.presets = presets
        presetMetadata = PresetMetadataCache(presets)
        self.metrics = metrics
        self.profiles = profiles
        self.readProfile = readProfile
    }
}

/// A metric as the scenario reader needs it: its name, and a check of bounds on it.
public struct MetricKind: Sendable {
    public var name: String
    /// Checks whether a text is a valid bound for the metric.
    public var check: @Sendable (_ bound: String) -> Result<ParsedBound, BoundError>

    public init(name: String, check: @escaping @Sendable (_ bound: String) -> Result<ParsedBound, BoundError>) {
        self.name = name
        self.check = check
    }
}

/// The only part of a parsed bound that a scenario needs: the strategy that it refers to.
public struct ParsedBound: Hashable, Sendable {
    /// Name of the strategy that the bound is relative to: `at most 60% of naive`.
    public var reference: String?

    public init(reference: String? = nil) { self.reference = reference }
}

public struct BoundError: Error, Hashable, Sendable {
    public var message: String
    public var help: String

    public init(_ message: String, help: String) {
        self.message = message
        self.help = help
    }
}

/// The name and YAML text of a strategy preset.
public struct PresetText: Sendable {
    public var name: String
    public var text: String

    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}

/// The name and YAML text of a radio profile.
public struct ProfileText: Sendable {
    public var name: String
    public var text: String

    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}

/// A radio profile that has been read from its YAML text.
public struct ParsedProfile: Sendable {
    public var profile: RadioProfile
    public var sheet: ProfileSource
    /// `nil` if the profile has no measurement of a weak signal.
    public var weakSignal: WeakSignal?

    public init(profile: RadioProfile, sheet: ProfileSource, weakSignal: WeakSignal? = nil) {
        self.profile = profile
        self.sheet = sheet
        self.weakSignal = weakSignal
    }
}
