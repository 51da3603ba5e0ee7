public import DeadzoneClient
public import DeadzonePrimitives

/// The laws of strategies: a client never acts on a closed connection, never moves a cursor back, does the same as its copy, asks
/// for a bounded number of things, lets time go on, and connects again once all is well.
public struct StrategyLaws: Sendable {
    let strategy: AnyStrategy
    /// How long it may take to be connected after all is well; nil: it need not be, since it gives up or leaves that to the app.
    public var patience: TimeSpan?
    /// Timers that may be armed only while there is a connection or an attempt.
    public var connectionTimers: [TimerSlot] = []

    public init(_ strategy: AnyStrategy, patience: TimeSpan? = .minutes(10)) {
        self.strategy = strategy
        self.patience = patience
    }

    /// A history in which a law did not hold.
    public struct Counterexample: Sendable, CustomStringConvertible {
        public let seed: UInt64
        public let history: [Upheaval]
        public let broken: [String]

        public var description: String {
            "seed \(seed), \(history.map(\.rawValue).joined(separator: ", ")): \(broken.joined(separator: "; "))"
        }
    }

    /// What breaks in this history; empty if all laws hold.
    public func broken(in history: [Upheaval], seed: UInt64 = 1) -> [String] {
        let trial = StrategyTrial(strategy, connectionTimers: connectionTimers, seed: seed)
        for (number, upheaval) in history.enumerated() where trial.broken.isEmpty {
            trial.meet(upheaval, handle: UInt16(2 + number % 3))
        }
        if let patience, trial.broken.isEmpty { trial.heal(within: patience) }
        return trial.broken
    }

    /// Every history of at most `length` grave upheavals, with and without a connection before: the shortest that breaks a law.
    public func exhaust(_ length: Int) -> (counterexample: Counterexample?, count: Int) {
        var count = 0
        var histories: [[Upheaval]] = [[]]
        for step in 0...length {
            if step > 0 { histories = histories.flatMap { history in Upheaval.grave.map { history + [$0] } } }
            for history in histories {
                for whole in [history, [.opens] + history] {
                    count += 1
                    let broken = broken(in: whole)
                    if !broken.isEmpty { return (Counterexample(seed: 1, history: whole, broken: broken), count) }
                }
            }
        }
        return (nil, count)
    }

    /// A long history drawn from a seed; what is found is cut down to what it takes.
    public func sample(_ seed: UInt64, length: Int = 120) -> Counterexample? {
        var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
        let history = (0..<length).map { _ in
            let list = dice.next().scaled(below: 2) == 0 ? Upheaval.allCases : Upheaval.usual
            return list[Int(dice.next().scaled(below: UInt64(list.count)))]
        }
        return shrunk(history) { broken(in: $0, seed: seed) }.map {
            Counterexample(seed: seed, history: $0.history, broken: $0.broken)
        }
    }
}
