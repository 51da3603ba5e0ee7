public import DeadzoneClient
import DeadzoneLaws
public import DeadzonePrimitives
public import Testing

/// Holds a strategy to the laws of strategies (`StrategyLaws`): in every history of at most `length` grave upheavals, and in long
/// ones drawn from seeds. What breaks one is named by the shortest history found.
///
///     @Test func minesIsLawful() { checkStrategyLaws(Mine()) }
///
/// - Parameters:
///   - patience: within which it is connected once all is well; nil for one that gives up, or leaves that to its app.
///   - connectionTimers: timers that may be armed only while there is a connection or an attempt.
public func checkStrategyLaws<S: Strategy>(
    _ strategy: S, patience: TimeSpan? = .minutes(10), connectionTimers: [TimerSlot] = [], length: Int = 2,
    seeds: Int = 50, sourceLocation: SourceLocation = #_sourceLocation
) {
    var laws = StrategyLaws(AnyStrategy(strategy), patience: patience)
    laws.connectionTimers = connectionTimers
    var found = laws.exhaust(length).counterexample
    var seed: UInt64 = 1
    while found == nil && seed <= UInt64(seeds) {
        found = laws.sample(seed)
        seed += 1
    }
    if let found { Issue.record("\(S.name): \(found)", sourceLocation: sourceLocation) }
}
