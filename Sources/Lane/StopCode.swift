/// Why a phone's run was ended before the horizon. A strategy that misbehaves ends its own phone, named, not the program.
public enum StopCode: UInt16, Sendable, BitwiseCopyable, CaseIterable {
    /// More than `Limits.eventsPerInstant` events without time going on.
    case tooManyEventsAtOnce = 1
    /// More actions for one event than an outbox holds.
    case tooManyActions
    /// A message was sent that does not follow the last one while others were in flight.
    case sentOutOfOrder
    /// More than `Limits.eventsPerSecond` events while the phone's time went on by less than a second.
    case tooManyEventsInASecond

    public var explanation: String {
        switch self {
        case .tooManyEventsAtOnce:
            "more than \(Limits.eventsPerInstant) events at one instant: the strategy answers an event with an action that causes it again"
        case .tooManyActions: "more actions for one event than an outbox holds"
        case .tooManyEventsInASecond:
            "more than \(Limits.eventsPerSecond) events within a second: a timer of the strategy goes off again at once, or nearly"
        case .sentOutOfOrder: "a message was sent out of order while others of the connection were in flight"
        }
    }
}

/// The bounds of a run.
public enum Limits {
    public static let eventsPerInstant: UInt32 = 10_000
    /// A link of a gigabit brings 90,000 full packets in a second, each of which is some events; no shipped scenario comes to 20,000,
    /// and waits of 1 ms without a network come to a few thousand. Timers of nanoseconds come to a thousand times this.
    public static let eventsPerSecond: UInt32 = 1_000_000
}
