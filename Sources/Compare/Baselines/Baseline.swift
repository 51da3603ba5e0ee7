public import DeadzoneMetrics
public import DeadzonePrimitives

/// What scenarios came to, kept in a file to be compared with later. A run that has just ended is made one of these too, so
/// both sides of a comparison are the same kind of value.
public struct Baseline: Hashable, Sendable {
    public var tool: String
    /// What the tool could measure. A metric that a strategy leaves out was zero in every replica; one that is not in this
    /// list was not measured at all.
    public var metrics: [String]
    /// In the order of their names.
    public var runs: [BaselineRun]

    public init(tool: String, metrics: [String], runs: [BaselineRun]) {
        self.tool = tool
        self.metrics = metrics
        self.runs = runs.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    public func run(named name: String) -> BaselineRun? { runs.first { $0.name == name } }

    /// With what an earlier one has of other scenarios. What one of the two tools did not measure is not known of all.
    public func keeping(_ old: Baseline) -> Baseline {
        let known = Set(old.metrics)
        return Baseline(
            tool: tool, metrics: metrics.filter(known.contains),
            runs: runs + old.runs.filter { run(named: $0.name) == nil })
    }
}

/// One scenario, or one cell of a matrix.
public struct BaselineRun: Hashable, Sendable {
    public var name: String
    public var worldHash: String
    public var seed: UInt64
    public var replicas: Int
    /// How much of a run one entry of `minutes` covers.
    public var minute: TimeSpan
    public var strategies: [BaselineStrategy]

    public init(
        name: String, worldHash: String, seed: UInt64, replicas: Int, minute: TimeSpan, strategies: [BaselineStrategy]
    ) {
        self.name = name
        self.worldHash = worldHash
        self.seed = seed
        self.replicas = replicas
        self.minute = minute
        self.strategies = strategies
    }

    public func strategy(named name: String) -> BaselineStrategy? { strategies.first { $0.name == name } }

    public func has(_ subject: Subject) -> Bool {
        strategy(named: subject.strategy).map { strategy in
            subject.group.map { strategy.groups[$0] != nil } ?? true
        } ?? false
    }

    /// Nil where it has no such strategy, or no such group.
    public func series(of metric: String, _ subject: Subject) -> BaselineStrategy.Series? {
        guard has(subject), let strategy = strategy(named: subject.strategy) else { return nil }
        return strategy.series(of: metric, in: subject.group)
    }

    /// Whether the strategies of both met the same.
    public func isLike(_ other: BaselineRun) -> Bool {
        worldHash == other.worldHash && seed == other.seed && replicas == other.replicas
    }
}

public struct BaselineStrategy: Hashable, Sendable {
    public var name: String
    public var hash: String
    /// Of every record of each replica.
    public var digests: [String]
    /// What happened in each minute of the first replicas: four hexadecimal digits a minute. Of so many replicas as fit.
    public var minutes: [String]
    /// By the name of the metric; zeros are left out.
    public var series: [String: Series]
    /// The same by the name of each group of the population that is told apart.
    public var groups: [String: [String: Series]] = [:]

    /// What one metric came to.
    public struct Series: Hashable, Sendable {
        /// Over all replicas, as a report prints it.
        public var whole: Figure
        /// Replica by replica: what a run of that replica alone would print.
        public var each: FigureColumn

        public init(whole: Figure, each: FigureColumn) {
            self.whole = whole
            self.each = each
        }

        public var isZero: Bool {
            whole == .value(.zero) && each.areSame && each.first.map { $0 == .value(.zero) } ?? true
        }
    }

    public init(name: String, hash: String, digests: [String], minutes: [String], series: [String: Series]) {
        self.name = name
        self.hash = hash
        self.digests = digests
        self.minutes = minutes
        self.series = series
    }

    public func series(of metric: String, in group: String? = nil) -> Series {
        (group.map { groups[$0] ?? [:] } ?? series)[metric]
            ?? Series(whole: .value(.zero), each: FigureColumn(repeating: .value(.zero), count: digests.count))
    }
}

extension BaselineStrategy {
    /// Minutes take no more of a file than this, for each strategy.
    private static let mostMinuteDigits = 65_536
    public static let digitsPerMinute = 4

    /// - Parameters:
    ///   - replicas: each of them measured by itself; one column for each metric, in the order of the catalogue.
    ///   - minutes: the hashes of each minute, replica by replica.
    public init(
        name: String, hash: String, digests: [String], minutes: [[UInt64]], whole: Measurement, replicas: [FigureColumn]
    ) {
        let digits = max(1, minutes.first?.count ?? 1) * Self.digitsPerMinute
        let fitting = max(1, Self.mostMinuteDigits / digits)
        self.init(
            name: name, hash: hash, digests: digests,
            minutes: minutes.prefix(fitting).map { $0.map { String($0.hex.suffix(Self.digitsPerMinute)) }.joined() },
            series: Self.series(whole, replicas))
    }

    private static func series(_ whole: Measurement, _ replicas: [FigureColumn]) -> [String: Series] {
        var series: [String: Series] = [:]
        for (metric, (figure, column)) in zip(Catalogue.all, zip(whole.figures, replicas)) {
            let all = Series(whole: figure.kept, each: column)
            if !all.isZero { series[metric.name] = all }
        }
        return series
    }

    /// With what one group came to.
    public mutating func add(group: String, whole: Measurement, replicas: [FigureColumn]) {
        groups[group] = Self.series(whole, replicas)
    }
}
