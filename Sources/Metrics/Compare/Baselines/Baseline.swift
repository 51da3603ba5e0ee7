package import DeadzoneBase

/// The stored form of a minute's hash: the low 12 bits, in two characters of the URL-safe Base64 alphabet. If the
/// events of a minute change, its hash stays equal in one of 4,096 cases. The change is then noticed a minute later,
/// and in any case by the digest of the replica.
package enum MinuteHash {
    package static let length = 2
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    package static func text(_ hash: UInt64) -> String {
        String(decoding: [alphabet[Int(hash >> 6 & 63)], alphabet[Int(hash & 63)]], as: UTF8.self)
    }

    /// Converts the minutes of an older file, with four hexadecimal digits each.
    package static func text(fromHex digits: String) -> String {
        let digits = Array(digits.utf8)
        return stride(from: 0, to: digits.count - digits.count % 4, by: 4).map { start in
            text(UInt64(String(decoding: digits[start..<start + 4], as: UTF8.self), radix: 16) ?? 0)
        }.joined()
    }
}

/// Saved results of scenarios, with which later runs are compared. A run that has just ended is converted to a baseline
/// too, so both sides of a comparison have the same type.
package struct Baseline: Hashable, Sendable {
    package var tool: String
    /// Names of the metrics that the tool could measure. A metric in this list that a strategy omits was zero in every
    /// replica. A metric outside the list was not measured at all.
    package var metrics: [String]
    /// The runs, sorted by name.
    package var runs: [BaselineRun]

    package init(tool: String, metrics: [String], runs: [BaselineRun]) {
        self.tool = tool
        self.metrics = metrics
        self.runs = runs.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    package func run(named name: String) -> BaselineRun? { runs.first { $0.name == name } }

    /// Returns this baseline with the scenarios of an older one that it lacks. Only metrics that both tools measured
    /// remain.
    package func keeping(_ old: Baseline) -> Baseline {
        let known = Set(old.metrics)
        return Baseline(
            tool: tool, metrics: metrics.filter(known.contains),
            runs: runs + old.runs.filter { run(named: $0.name) == nil })
    }
}

/// The results of one scenario (or one cell of its matrix) in a baseline.
package struct BaselineRun: Hashable, Sendable {
    package var name: String
    package var worldHash: String
    package var seed: UInt64
    package var replicas: Int
    /// Duration that one entry of `minutes` covers.
    package var minute: TimeSpan
    package var strategies: [BaselineStrategy]

    package init(
        name: String, worldHash: String, seed: UInt64, replicas: Int, minute: TimeSpan, strategies: [BaselineStrategy]
    ) {
        self.name = name
        self.worldHash = worldHash
        self.seed = seed
        self.replicas = replicas
        self.minute = minute
        self.strategies = strategies
    }

    package func strategy(named name: String) -> BaselineStrategy? { strategies.first { $0.name == name } }

    /// Returns the run with other names for some strategies.
    /// - Parameter names: The new names, by the names in this run.
    package func renamingStrategies(_ names: [String: String]) -> BaselineRun {
        var run = self
        for index in run.strategies.indices {
            if let name = names[run.strategies[index].name] { run.strategies[index].name = name }
        }
        return run
    }

    package func has(_ subject: Subject) -> Bool {
        strategy(named: subject.strategy).map { strategy in
            subject.group.map { strategy.groups[$0] != nil } ?? true
        } ?? false
    }

    /// `nil` if the run has no such strategy or group.
    package func series(of metric: String, _ subject: Subject) -> BaselineStrategy.MetricSeries? {
        guard has(subject), let strategy = strategy(named: subject.strategy) else { return nil }
        return strategy.series(of: metric, in: subject.group)
    }

    /// `true` if both runs have the same world, seed and number of replicas, so that their strategies met the same
    /// conditions.
    package func hasSameConditions(_ other: BaselineRun) -> Bool {
        worldHash == other.worldHash && seed == other.seed && replicas == other.replicas
    }
}

package struct BaselineStrategy: Hashable, Sendable {
    package var name: String
    package var hash: String
    /// Digest of all records, one per replica.
    package var digests: [String]
    /// Hashes of the events of each minute, in the first replicas: two characters per minute (`MinuteHash`). Replicas
    /// beyond the size limit (`mostMinutes`) are omitted.
    package var minutes: [String]
    /// Series by metric name. Series of zeros are omitted.
    package var series: [String: MetricSeries]
    /// Series by group name, then by metric name, for the population groups that are reported separately.
    package var groups: [String: [String: MetricSeries]] = [:]

    /// The values of one metric in a baseline: over all replicas together, and in each replica.
    package struct MetricSeries: Hashable, Sendable {
        /// Value over all replicas, as a report prints it.
        package var whole: Figure
        /// Value of each replica, as a run of that replica alone would print it.
        package var each: FigureColumn

        package init(whole: Figure, each: FigureColumn) {
            self.whole = whole
            self.each = each
        }

        /// Both series over the replicas that both have, if they have different numbers of replicas. The value over
        /// these replicas is their mean, or the largest for a maximum: the samples behind a quantile are not stored.
        static func overCommonReplicas(_ new: Self, _ old: Self, _ metric: String) -> (new: Self, old: Self) {
            let count = min(new.each.count, old.each.count)
            guard new.each.count != old.each.count else { return (new, old) }
            let pair = [new, old].map { series in
                let kept = Array(series.each.prefix(count))
                return Self(whole: common(kept, isMaximum: metric.hasSuffix("max")), each: FigureColumn(kept))
            }
            return (pair[0], pair[1])
        }

        private static func common(_ figures: [Figure], isMaximum: Bool) -> Figure {
            let measured = figures.filter { $0 != .nothing }
            let samples = measured.compactMap(\.sample)
            guard let largest = samples.max() else { return .nothing }
            guard largest != ReplicaValue.never, let mean = ReplicaValue.mean(samples) else { return .never }
            let number = Billionths(count: isMaximum ? largest : mean)
            let isBound = measured.contains { if case .atLeast = $0 { true } else { false } }
            return isBound ? .atLeast(number) : .value(number)
        }

        package var isZero: Bool {
            whole == .value(.zero) && each.isConstant && each.first.map { $0 == .value(.zero) } ?? true
        }
    }

    package init(name: String, hash: String, digests: [String], minutes: [String], series: [String: MetricSeries]) {
        self.name = name
        self.hash = hash
        self.digests = digests
        self.minutes = minutes
        self.series = series
    }

    package func series(of metric: String, in group: String? = nil) -> MetricSeries {
        (group.map { groups[$0] ?? [:] } ?? series)[metric]
            ?? MetricSeries(whole: .value(.zero), each: FigureColumn(repeating: .value(.zero), count: digests.count))
    }
}

extension BaselineStrategy {
    /// Upper bound for the number of minutes per strategy, over all replicas. The first replica is always stored.
    private static let mostMinutes = 2_048

    /// Builds the baseline of one strategy from its measurements.
    /// - Parameters:
    ///   - replicas: One column per metric, in the order of the catalogue, with the value of each replica measured
    ///     alone.
    ///   - minutes: The hashes of each minute, replica by replica.
    package init(
        name: String, hash: String, digests: [String], minutes: [[UInt64]], whole: Measurement, replicas: [FigureColumn]
    ) {
        let fitting = max(1, Self.mostMinutes / max(1, minutes.first?.count ?? 1))
        self.init(
            name: name, hash: hash, digests: digests,
            minutes: minutes.prefix(fitting).map { $0.map { MinuteHash.text($0) }.joined() },
            series: Self.series(whole, replicas))
    }

    private static func series(_ whole: Measurement, _ replicas: [FigureColumn]) -> [String: MetricSeries] {
        var series: [String: MetricSeries] = [:]
        for (metric, (figure, column)) in zip(Catalogue.all, zip(whole.figures, replicas)) {
            let all = MetricSeries(whole: figure.stored, each: column)
            if !all.isZero { series[metric.name] = all }
        }
        return series
    }

    /// Adds the results of one group.
    package mutating func add(group: String, whole: Measurement, replicas: [FigureColumn]) {
        groups[group] = Self.series(whole, replicas)
    }
}
