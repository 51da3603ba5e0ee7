package import DeadzoneBase
package import DeadzoneClient

/// Invariants that every client strategy must keep, checked on random histories of events. A client never acts on a
/// closed connection and never moves a cursor back. It is deterministic: a copy of it does the same. It produces a
/// bounded number of actions and timers. It reconnects when the network and the server work again. It does not wait
/// without a bound for a server that has gone silent.
package struct StrategyLaws: Sendable {
    let strategy: AnyStrategy
    /// Maximum time to reconnect after everything works again. `nil` if the client need not reconnect, because it gives
    /// up or leaves that to the app.
    package var reconnectTimeout: TimeSpan?
    /// Maximum time that the client waits for the answer to an attempt. `nil` if it leaves that to the system: Linux
    /// ends an unanswered TCP attempt after about two minutes.
    package var attemptTimeout: TimeSpan? = .minutes(5)
    /// Maximum time that the client keeps a connection after a ping without an answer. `nil` if it leaves that to the
    /// system: Linux gives up unacknowledged data after about a quarter of an hour.
    package var pingTimeout: TimeSpan? = .minutes(5)
    /// Timers that may be armed only while there is a connection or an attempt.
    package var connectionTimers: [TimerSlot] = []

    package init(_ strategy: AnyStrategy, reconnectTimeout: TimeSpan? = .minutes(10)) {
        self.strategy = strategy
        self.reconnectTimeout = reconnectTimeout
    }

    /// A history of events in which a client strategy breaks an invariant.
    package struct Counterexample: Sendable, CustomStringConvertible {
        package let seed: UInt64
        package let history: [TrialEvent]
        package let broken: [String]

        /// The broken laws and the events before them, one sentence on each line.
        package var description: String {
            "\(broken.joined(separator: "\n  "))\n  \(historyText)"
        }

        private var historyText: String {
            history.isEmpty ? "nothing happens before" : "before: " + history.map(\.words).joined(separator: ", ")
        }
    }

    /// The invariants (laws) that the strategy breaks in this history; empty if all hold.
    package func broken(in history: [TrialEvent], seed: UInt64 = 1) -> [String] {
        let trial = trial(after: history, seed: seed)
        if let reconnectTimeout, trial.broken.isEmpty { trial.checkRecovery(within: reconnectTimeout) }
        return trial.broken
    }

    private func trial(after history: [TrialEvent], seed: UInt64) -> StrategyTrial {
        let trial = StrategyTrial(strategy, connectionTimers: connectionTimers, seed: seed)
        for (number, trialEvent) in history.enumerated() where trial.broken.isEmpty {
            trial.apply(trialEvent, handle: UInt16(2 + number % 3))
        }
        return trial
    }

    /// Checks that the client does not wait without a bound for a silent server, after every history of at most one
    /// disruptive event.
    package func checkSilence() -> (counterexample: Counterexample?, count: Int) {
        var count = 0
        for history in [[]] + TrialEvent.disruptive.map({ [$0] }) {
            for whole in [history, [.opens] + history] {
                count += 1
                let trial = trial(after: whole, seed: 1)
                if trial.broken.isEmpty { trial.checkSilence(connecting: attemptTimeout, pinging: pingTimeout) }
                if !trial.broken.isEmpty {
                    return (Counterexample(seed: 1, history: whole, broken: trial.broken), count)
                }
            }
        }
        return (nil, count)
    }

    /// Checks every history of at most `length` disruptive events, with and without an open connection before it.
    /// Returns the shortest history that breaks a law.
    package func checkAllHistories(_ length: Int) -> (counterexample: Counterexample?, count: Int) {
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
    package func checkRandomHistory(_ seed: UInt64, length: Int = 120) -> Counterexample? {
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
