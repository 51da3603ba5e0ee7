package import DeadzoneBase
package import DeadzoneClient
package import DeadzoneDevice

/// The names of strategies, metrics, presets and profiles that a scenario file may use. The caller supplies them, so
/// that the scenario reader depends on neither strategies nor metrics.
package struct Vocabulary: Sendable {
    package var strategies: [StrategyKind]
    package let presets: [PresetText]
    /// Metadata of the presets.
    let presetMetadata: PresetMetadataCache
    package var metrics: [MetricKind]
    package var profiles: [ProfileText]
    /// Reads the map of a radio profile.
    package var readProfile: @Sendable (inout SettingsReader) -> ParsedProfile?

    package init(
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
package struct MetricKind: Sendable {
    package var name: String
    /// Checks whether a text is a valid bound for the metric.
    package var check: @Sendable (_ bound: String) -> Result<ParsedBound, BoundError>

    package init(name: String, check: @escaping @Sendable (_ bound: String) -> Result<ParsedBound, BoundError>) {
        self.name = name
        self.check = check
    }
}

/// The parts of a parsed bound that a scenario needs.
package struct ParsedBound: Hashable, Sendable {
    /// Name of the strategy that the bound is relative to: `at most 60% of naive`.
    package var reference: String?
    /// `true` for a bound on a count that 0 keeps. A relative bound is kept if both counts are 0.
    package var isKeptByZero = false
    /// `true` for a bound on a count that every count keeps: `at least 0`.
    package var isKeptByEveryCount = false
    /// The end of a bound that is only an upper limit of a time: `under 15s`.
    package var longestTime: TimeSpan?

    package init(reference: String? = nil) { self.reference = reference }
}

package struct BoundError: Error, Hashable, Sendable {
    package var message: String
    package var help: String

    package init(_ message: String, help: String) {
        self.message = message
        self.help = help
    }
}

/// The name and YAML text of a strategy preset.
package struct PresetText: Sendable {
    package var name: String
    package var text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}

/// The name and YAML text of a radio profile.
package struct ProfileText: Sendable {
    package var name: String
    package var text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}

/// A radio profile that has been read from its YAML text.
package struct ParsedProfile: Sendable {
    package var profile: RadioProfile
    package var sheet: ProfileSource
    /// `nil` if the profile has no measurement of a weak signal.
    package var weakSignal: WeakSignal?
}
