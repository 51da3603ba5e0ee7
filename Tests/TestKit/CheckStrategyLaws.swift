public import DeadzoneBase
public import DeadzoneClient
import DeadzoneLaws
public import Testing

/// Checks a strategy against the laws of strategies (`StrategyLaws`): in every history of at most `length` disruptive
/// events, and in long random histories drawn from seeds. A violation is reported with the shortest history found.
///
///     @Test func minesIsLawful() { checkStrategyLaws(Mine()) }
///
/// - Parameters:
///   - reconnectTimeout: Maximum time to reconnect after everything works again. `nil` for a strategy that gives up, or
///     leaves reconnecting to its app.
///   - attemptTimeout: Maximum time to wait for the answer to an attempt. `nil` for a strategy that leaves that to the
///     system.
///   - pingTimeout: Maximum time to keep a connection after a ping without an answer. `nil` for a strategy that leaves
///     that to the system.
///   - connectionTimers: Timers that may be armed only while there is a connection or an attempt.
///   - length: Maximum length of the histories that are checked exhaustively.
///   - seeds: Number of random histories.
public func checkStrategyLaws<S: Strategy>(
    _ strategy: S, reconnectTimeout: TimeSpan? = .minutes(10), attemptTimeout: TimeSpan? = .minutes(5),
    pingTimeout: TimeSpan? = .minutes(5), connectionTimers: [TimerSlot] = [], length: Int = 2, seeds: Int = 50,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    var laws = StrategyLaws(AnyStrategy(strategy), reconnectTimeout: reconnectTimeout)
    laws.attemptTimeout = attemptTimeout
    laws.pingTimeout = pingTimeout
    laws.connectionTimers = connectionTimers
    var found = laws.checkAllHistories(length).counterexample ?? laws.checkSilence().counterexample
    var seed: UInt64 = 1
    while found == nil && seed <= UInt64(seeds) {
        found = laws.checkRandomHistory(seed)
        seed += 1
    }
    if let found { Issue.record("\(S.name): \(found)", sourceLocation: sourceLocation) }
}
