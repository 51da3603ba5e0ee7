public import DeadzoneClient
public import DeadzoneDevice
public import DeadzoneSettings

/// The names that a scenario may use and that are not its own: handed in by whoever has them, so that reading scenarios
/// depends neither on strategies nor on metrics.
public struct Vocabulary: Sendable {
    public var strategies: [StrategyKind]
    public let presets: [PresetText]
    /// What each says of itself.
    let heads: PresetHeads
    public var metrics: [MetricKind]
    public var profiles: [ProfileText]
    /// Reads the map of a radio profile.
    public var readProfile: @Sendable (inout SettingsReader) -> ProfileReading?

    public init(
        strategies: [StrategyKind], presets: [PresetText] = [], metrics: [MetricKind], profiles: [ProfileText],
        readProfile: @escaping @Sendable (inout SettingsReader) -> ProfileReading?
    ) {
        self.strategies = strategies
        self.presets = presets
        heads = PresetHeads(presets)
        self.metrics = metrics
        self.profiles = profiles
        self.readProfile = readProfile
    }
}

/// A metric, as far as expectations need to know it.
public struct MetricKind: Sendable {
    public var name: String
    /// Whether these words are a bound for it.
    public var check: @Sendable (_ bound: String) -> Result<BoundReading, BoundTrouble>

    public init(name: String, check: @escaping @Sendable (_ bound: String) -> Result<BoundReading, BoundTrouble>) {
        self.name = name
        self.check = check
    }
}

/// What a scenario has to know of a bound.
public struct BoundReading: Hashable, Sendable {
    /// The strategy that it is relative to: `at most 60% of naive`.
    public var reference: String?

    public init(reference: String? = nil) { self.reference = reference }
}

public struct BoundTrouble: Error, Hashable, Sendable {
    public var message: String
    public var help: String

    public init(_ message: String, help: String) {
        self.message = message
        self.help = help
    }
}

/// A preset that can be named, as YAML.
public struct PresetText: Sendable {
    public var name: String
    public var text: String

    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}

/// A radio profile that can be named, as YAML.
public struct ProfileText: Sendable {
    public var name: String
    public var text: String

    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}

/// A radio profile that was read.
public struct ProfileReading: Sendable {
    public var profile: RadioProfile
    public var sheet: ProfileSheet
    /// Nil: no source says what a weak signal changes.
    public var weakSignal: WeakSignal?

    public init(profile: RadioProfile, sheet: ProfileSheet, weakSignal: WeakSignal? = nil) {
        self.profile = profile
        self.sheet = sheet
        self.weakSignal = weakSignal
    }
}
