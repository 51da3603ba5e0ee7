package import DeadzoneMetrics

/// Gates that the tool brings along. A preset never changes after its release, so that a new version of the tool never
/// fails a build that passed; better bounds become a preset with the next number.
///
/// `extends: recommended@1` adds one to a gate file, and `deadzone check` applies it without a file.
package struct GatePreset: Hashable, Sendable {
    package let name: String
    private let bounds: [PresetBound]

    private struct PresetBound: Hashable, Sendable {
        let metric: String
        let text: String
    }

    package static let all = [recommended1]

    /// Behaviour that users of any app call broken. The recommended gates apply too: no primary metric may become worse
    /// than in the baseline.
    ///
    /// The bounds are assumed, because no source has such numbers.
    package static let recommended1 = GatePreset(
        "recommended@1",
        [
            ("delivery.down.lost", "0"), ("delivery.up.lost", "0"), ("zombie.max", "under 10m"),
            ("recovery.p95", "under 2m"), ("connection.attempts_per_hour", "under 240/h"),
        ])

    private init(_ name: String, _ bounds: [(metric: String, text: String)]) {
        self.name = name
        self.bounds = bounds.map { PresetBound(metric: $0.metric, text: $0.text) }
    }

    package var gates: [Gate] {
        bounds.map { bound in
            guard let known = Catalogue.metric(named: bound.metric),
                let threshold = try? Threshold(bound.text, in: known.unit)
            else { preconditionFailure("\(name): \(bound.metric): \(bound.text)") }
            var gate = Gate(
                .error, scenarios: "*", strategies: "*", metric: bound.metric, threshold: threshold,
                place: BoundLocation(file: name, line: 0, column: 0))
            gate.isPreset = true
            return gate
        }
    }
}
