import DeadzoneBase
import DeadzoneClient

/// Performs the strategy's actions that concern messages alone.
extension Delivery {
    /// - Parameters:
    ///   - appRuns: `true` if the app's code can run.
    ///   - arrived: Number of the app's messages that have arrived at the server.
    mutating func perform(
        _ action: Action, appRuns: Bool, arrived: UInt32, _ session: inout Session,
        _ out: inout EffectQueue<DeliveryEffect>
    ) {
        switch action {
        case .deliver(let cursor):
            handOver(upTo: cursor, appRuns: appRuns, &session, &out)
        case .persist(let cursor):
            persist(persistWhenShown(cursor, session), &session)
        case .storeOutgoing(let cursor):
            session.storedOutgoing = max(session.storedOutgoing, min(cursor, session.produced))
        case .requestMessages(let count):
            requestMessages(count, appRuns: appRuns, &session, &out)
        case .deliverAgain(let from, let upTo):
            showAgain(from.position, upTo.position, &session, &out)
        case .discard(let from, let upTo):
            discard(from.position, upTo.position, &session, &out)
        case .refuse(let from, let upTo):
            refuse(from.position, min(upTo, session.produced).position, arrived: arrived, &session, &out)
        case .evict(let cursor):
            evict(before: min(cursor, session.produced), &session, &out)
        case .abandonExchange(_, let end):
            out.note(.exchangeAbandoned)
            skipUp(to: end.position, &session, &out)
        case .markGap(let direction):
            noticeGap(direction, &session, &out)
        default: preconditionFailure("an action that is not of messages alone")
        }
    }
}
