/// Reason why a phone's run was stopped before the horizon. A misbehaving strategy stops its own phone with a named
/// reason; it does not crash the program.
package enum StopCode: UInt16, Sendable, BitwiseCopyable, CaseIterable {
    /// More than `EventLimits.eventsPerInstant` events occurred without any progress of simulated time.
    case tooManyEventsAtOnce = 1
    /// The strategy answered one event with more actions than an outbox holds.
    case tooManyActions
    /// A message was sent out of order while others were in flight.
    case sentOutOfOrder
    /// More than `EventLimits.eventsPerSecond` events occurred within one second of simulated time.
    case tooManyEventsInASecond

    package var explanation: String {
        switch self {
        case .tooManyEventsAtOnce:
            "more than \(EventLimits.eventsPerInstant) events at one instant: the strategy answers an event with an action that causes it again"
        case .tooManyActions: "more actions for one event than an outbox holds"
        case .tooManyEventsInASecond:
            "more than \(EventLimits.eventsPerSecond) events within a second: a timer of the strategy goes off again at once, or nearly"
        case .sentOutOfOrder: "a message was sent out of order while others of the connection were in flight"
        }
    }
}

/// Upper bounds on the number of events of one phone.
package enum EventLimits {
    /// Maximum number of events of one phone at one instant.
    package static let eventsPerInstant: UInt32 = 10_000
    /// Maximum number of events of one phone per second of simulated time. A gigabit link delivers 90,000 full packets
    /// per second, each of which causes several events. No shipped scenario reaches 20,000 events per second, and waits
    /// of 1 ms without a network cause a few thousand. Timers of nanoseconds cause a thousand times this limit.
    package static let eventsPerSecond: UInt32 = 1_000_000
    /// Number of events between two checks for cancellation, which takes a few milliseconds.
    static let eventsPerCancellationCheck = 1 << 14
}
