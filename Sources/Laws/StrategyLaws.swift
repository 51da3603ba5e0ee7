public import DeadzoneClient
public import DeadzonePrimitives

/// Invariants that every client strategy must keep, checked on random histories of events. A client never acts on a
/// closed connection and never moves a cursor back. It is deterministic: a copy of it does the same. It produces a
/// bounded number of actions and timers. It reconnects when the network and the server work again.
public struct StrategyLaws: Sendable {
    let strategy: AnyStrategy
    /// Maximum time to reconnect after everything works again. `nil` if the client need not reconnect, because it gives
    /// up or leaves that to the app.
    public var reconnectTimeout: TimeSpan?
    /// Timers that may be armed only while there is a connection or an attempt.
    public var connectionTimers: [TimerSlot] = []

    public init(_ strategy: AnyStrategy, reconnectTimeout: TimeSpan? = .minutes(10)) {
        self.strategy = strategy
        self.reconnectTimeout = reconnectTimeout
    }

    /// A history of events in which a client strategy breaks an invariant.
    public struct Counterexample: Sendable, CustomStringConvertible {
        public let seed: UInt64
        public let history: [TrialEvent]
        public let broken: [String]

        public var description: String {
            "seed \(seed), \(history.map(\.rawValue).joined(separator: ", ")): \(broken.joined(separator: "; "))"
        }
    }

    /// The invariants (laws) that the strategy breaks in this history; empty if all hold.
    public func broken(in history: [TrialEvent], seed: UInt64 = 1) -> [String] {
        let trial = StrategyTrial(strategy, connectionTimers: connectionTimers, seed: seed)
        for (number, trialEvent) in history.enumerated() where trial.broken.isEmpty {
            trial.apply(trialEvent, handle: UInt16(2 + number % 3))
        }
        if let reconnectTimeout, trial.broken.isEmpty { trial.checkRecovery(within: reconnectTimeout) }
        return trial.broken
    }

    /// Checks every history of at most `length` disruptive events, with and without an open connection before it.
    /// Returns the shortest history that breaks a law.
    public func checkAllHistories(_ length: Int) -> (counterexample: Counterexample?, count: Int) {
        var count = 0
        var histories: [[TrialEvent]] = [[]]
        for step in 0...length {
            if step > 0 { histories = histories.flatMap { history in TrialEvent.disruptive.map { history + [$0] } } }
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

    /// Checks a long history drawn from a seed. A counterexample is shrunk to a minimal history.
    public func checkRandomHistory(_ seed: UInt64, length: Int = 120) -> Counterexample? {
        var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
        let history = (0..<length).map { _ in
            let list = dice.next().scaled(below: 2) == 0 ? TrialEvent.allCases : TrialEvent.routine
            return list[Int(dice.next().scaled(below: UInt64(list.count)))]
        }
        return shrunk(history) { broken(in: $0, seed: seed) }.map {
            Counterexample(seed: seed, history: $0.history, broken: $0.broken)
        }
    }
}
