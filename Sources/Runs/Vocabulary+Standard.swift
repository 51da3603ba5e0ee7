import DeadzoneClient
import DeadzoneMetrics
package import DeadzoneScenarios
import DeadzoneShipped

extension Vocabulary {
    /// The shipped strategies, presets, metrics and profiles.
    package static let standard: Vocabulary = {
        let profiles = shippedProfiles.map { ProfileText(name: $0.name, text: $0.text) }
        let reader = ProfileReader(inheritingFrom: profiles)
        return Vocabulary(
            strategies: StrategyCatalog.strategies,
            presets: shippedPresets.map { PresetText(name: $0.name, text: $0.text) },
            metrics: Catalogue.all.map(MetricKind.init), profiles: profiles,
            readProfile: { reader.read(&$0) })
    }()
}

extension MetricKind {
    fileprivate init(_ metric: Metric) {
        self.init(name: metric.name) { bound in
            do throws(ThresholdFault) {
                return .success(ParsedBound(reference: try Threshold(bound, in: metric.unit).reference))
            } catch {
                return .failure(BoundError(error.message, help: error.help))
            }
        }
    }
}
