import DeadzoneBase
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
                return .success(try Threshold(bound, in: metric.unit).parsed(metric.unit))
            } catch {
                return .failure(BoundError(error.message, help: error.help))
            }
        }
    }
}

extension Threshold {
    fileprivate func parsed(_ unit: Metric.Unit) -> ParsedBound {
        var parsed = ParsedBound(reference: reference)
        let zero = Figure.value(Billionths(count: 0))
        if unit == .count, let bounds = resolved(reference: zero) {
            parsed.isKeptByZero = isKept(by: zero, bounds)
            parsed.isKeptByEveryCount = relation == .atLeast && bounds.lowerBound.count == 0 && reference == nil
        }
        let perNanosecond: Int128? = unit == .seconds ? 1 : unit == .milliseconds ? 1_000 : nil
        if let perNanosecond, relation == .below || relation == .atMost, let limit = numbers.first {
            parsed.longestTime = .nanoseconds(Int64(clamping: limit.count / perNanosecond))
        }
        return parsed
    }
}
