/// Why a phone's run was ended before the horizon. A strategy that misbehaves ends its own phone, named, not the program.
public enum StopCode: UInt16, Sendable, BitwiseCopyable, CaseIterable {
    /// More than `Limits.eventsPerInstant` events without time going on.
    case tooManyEventsAtOnce = 1
    /// More actions for one event than an outbox holds.
    case tooManyActions
    /// A message was sent that does not follow the last one while others were in flight.
    case sentOutOfOrder

    public var explanation: String {
        switch self {
        case .tooManyEventsAtOnce:
            "more than \(Limits.eventsPerInstant) events at one instant: the strategy answers an event with an action that causes it again"
        case .tooManyActions: "more actions for one event than an outbox holds"
        case .sentOutOfOrder: "a message was sent out of order while others of the connection were in flight"
        }
    }
}

/// The bounds of a run.
public enum Limits {
    public static let eventsPerInstant = 10_000
}
