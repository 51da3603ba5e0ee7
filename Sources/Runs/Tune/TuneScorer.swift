import DeadzoneBase
import DeadzoneMetrics

/// Turns samples into the objectives and the violation of a search point. Objectives are ratios to the present
/// settings, so that scenarios of different lengths count alike.
struct TuneScorer: Sendable {
    let goals: [Metric]
    let demands: [TuneReport.TuneDemand]
    /// Samples of the present settings.
    private let present: TuneSamples
    /// For each scenario and goal, the value that counts as 1.
    private let scales: [[Double]]

    /// Largest ratio to the present settings. Values that never arrive count as this ratio, because an infinite
    /// objective would hide every other difference.
    static let worstRatio = 1_000.0

    /// - Parameter others: samples of other points. They give a scale if the present value is zero or never arrives.
    init(
        goals: [Metric], demands: [TuneReport.TuneDemand], present: TuneSamples, beside others: [TuneSamples]
    ) {
        self.goals = goals
        self.demands = demands
        self.present = present
        scales = present.values.indices.map { scenario in
            goals.indices.map { goal in
                let own = Self.finiteMean(present.values[scenario][goal])
                if own > 0 { return own }
                let means = others.map { Self.finiteMean($0.values[scenario][goal]) }.filter { $0 > 0 }.sorted()
                return means.isEmpty ? 1 : means[means.count / 2]
            }
        }
    }

    /// Mean of the values that are numbers; 0 without any.
    private static func finiteMean(_ values: [Int128?]) -> Double {
        let numbers = values.compactMap(\.self).filter { $0 != ReplicaValue.never }.map { Double($0) }
        return numbers.isEmpty ? 0 : numbers.reduce(0, +) / Double(numbers.count)
    }

    /// One number for each goal, lower is better: the mean over scenarios and replicas of the ratio to the present
    /// value.
    func objectives(_ samples: TuneSamples) -> [Double] {
        goals.indices.map { goal in
            guard samples.isSound else { return Self.worstRatio }
            let ratios = samples.values.indices.map { scenario -> Double in
                let ratios = samples.values[scenario][goal].map { ratio($0, goal, scenario) }
                return ratios.reduce(0, +) / Double(max(1, ratios.count))
            }
            return ratios.reduce(0, +) / Double(max(1, ratios.count))
        }
    }

    private func ratio(_ value: Int128?, _ goal: Int, _ scenario: Int) -> Double {
        guard let value, value != ReplicaValue.never else { return Self.worstRatio }
        let (number, scale) = (Double(value), scales[scenario][goal])
        if goals[goal].better == .higher { return number > 0 ? min(Self.worstRatio, scale / number) : Self.worstRatio }
        return min(Self.worstRatio, number / scale)
    }

    /// Sum of the relative amounts by which demands are broken; 0 if all hold in every scenario.
    func violation(_ samples: TuneSamples) -> Double {
        guard samples.isSound else { return .greatestFiniteMagnitude }
        return samples.values.indices.reduce(0) { sum, scenario in
            demands.indices.reduce(sum) { sum, demand in sum + excess(samples, demand, scenario) }
        }
    }

    /// Indices of the demands that are broken in some scenario.
    func brokenDemands(_ samples: TuneSamples) -> [Int] {
        demands.indices.filter { demand in
            samples.values.indices.contains { excess(samples, demand, $0) > 0 }
        }
    }

    private func excess(_ samples: TuneSamples, _ demand: Int, _ scenario: Int) -> Double {
        let metric = goals.count + demand
        let own = Self.combined(samples.values[scenario][metric], demands[demand].name)
        // The present settings in the same replicas.
        let reference = Self.combined(
            Array(present.values[scenario][metric].prefix(samples.replicas)), demands[demand].name)
        return demands[demand].excess(of: own, reference: reference)
    }

    /// The value over several replicas: the largest of a maximum, the mean of others.
    private static func combined(_ values: [Int128?], _ metric: String) -> Figure {
        let known = values.compactMap(\.self)
        if known.isEmpty { return .nothing }
        if known.contains(ReplicaValue.never) { return .never }
        if metric.hasSuffix(".max") { return .value(Billionths(count: known.max() ?? 0)) }
        return .value(Billionths(count: ReplicaValue.mean(known) ?? ReplicaValue.never))
    }

    /// One value for each replica and goal, over all scenarios together, for paired tests: the plain value with one
    /// scenario, otherwise the mean ratio to the present settings in billionths.
    func paired(_ samples: TuneSamples, _ goal: Int) -> [Int128?] {
        if samples.values.count == 1 { return samples.values[0][goal] }
        return (0..<samples.replicas).map { replica in
            var sum = 0.0
            for scenario in samples.values.indices {
                guard let value = samples.values[scenario][goal][replica] else { return nil }
                if value == ReplicaValue.never { return ReplicaValue.never }
                sum += Double(value) / scales[scenario][goal]
            }
            return Int128((sum / Double(samples.values.count) * 1e9).rounded())
        }
    }
}
