import DeadzoneBase
import DeadzoneMetrics

/// A demand as users write it on the command line: a metric and its bound, such as `delivery.down.lost: 0`.
struct DemandText {
    let metric: Metric
    let threshold: Threshold
    /// The bound as it stands under `expect`.
    let bound: String

    /// - Parameters:
    ///   - flag: The flag that has the demand, for faults.
    ///   - reference: Completes a bound such as `at most 200%` to `at most 200% of` this strategy; `nil` completes none.
    ///   - referenceFlag: The flag that names the reference, for faults; `nil` if the command has none.
    init(
        _ text: String, flag: String, reference: String? = nil, referenceFlag: String? = nil
    ) throws(ToolFault) {
        let parts = text.split(separator: ":", maxSplits: 1).map { part in
            String(part.drop { " \"'".contains($0) }.reversed().drop { " \"'".contains($0) }.reversed())
        }
        guard parts.count == 2 else {
            throw ToolFault(
                .badFlagValue, "`--\(flag)` cannot be \(quote(text)): there is no colon after the metric",
                help: ["a metric and its bound: --\(flag) 'delivery.down.lost: 0'"])
        }
        metric = try Self.metric(parts[0])
        var bound = parts[1]
        if bound.hasSuffix("%"), metric.unit != .percent, metric.unit != .ratio {
            if let reference {
                bound += " of \(reference)"
            } else if let referenceFlag {
                throw ToolFault(
                    .badFlagValue,
                    "`--\(flag)` cannot be \(quote(text)): the percentage does not say of which strategy",
                    help: ["name the strategy: --\(referenceFlag) NAME, or \(quote("\(bound) of NAME")) in the demand"])
            }
        }
        self.bound = bound
        do throws(ThresholdFault) {
            threshold = try Threshold(bound, in: metric.unit)
        } catch {
            throw ToolFault(
                .badFlagValue, "`--\(flag)` cannot be \(quote(text)): \(error.message)", help: [error.help])
        }
    }

    /// The metric with a name, such as `battery.joules`, or with a title, such as `Energy`.
    static func metric(_ name: String) throws(ToolFault) -> Metric {
        guard let metric = Catalogue.metric(named: name) ?? Catalogue.all.first(where: { $0.label == name }) else {
            throw ToolFault.unknownName(
                name, "metric", among: Catalogue.all.map(\.name), help: "deadzone list metrics shows all metrics")
        }
        return metric
    }
}
