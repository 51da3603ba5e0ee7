package import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Charges each lost message to a cause, a place and a change of the timeline.
///
/// The place is known where the message is lost. If the loss follows from a missing connection, the cause is the reason
/// that applied when the message was written: see `OutageLog`.
extension Delivery {
    // MARK: The server's messages

    /// Records messages of the server as lost.
    func noteLost(
        down messages: Range<UInt32>, at place: LossPlace, _ out: inout EffectQueue<DeliveryEffect>
    ) {
        var first = messages.lowerBound
        while first < messages.upperBound {
            let (outage, end) = reason(down: first, at: place)
            let count = min(end, messages.upperBound) - first
            let place = outage.cause == .miscounted ? .sessionStart : place
            out.note(
                MessageLoss(outage.cause, place, first: first, count: count, change: outage.change), .down)
            first += count
        }
    }

    /// The reason for which a message of the server is lost at this place, and the index of the first later message
    /// with another reason.
    private func reason(down message: UInt32, at place: LossPlace) -> (OutageLog.OutageReason, end: UInt32) {
        switch place {
        case .serverQueue: return (OutageLog.OutageReason(.serverQueueFull, change: nil), .max)
        case .appBuffer: return (OutageLog.OutageReason(.appBufferFull, change: nil), .max)
        case .appDuplicates, .serverDuplicates: return (OutageLog.OutageReason(.deduplicated, change: nil), .max)
        case .serverProgram: return (OutageLog.OutageReason(.refused, change: nil), .max)
        case .stream: return (OutageLog.OutageReason(.streamDead, change: nil), .max)
        case .appMemory:
            // The client asked from a cursor ahead of what it has: an ended process stored it, or it counts wrongly.
            let ended = outages.latest(.processEnded)
            return (ended ?? OutageLog.OutageReason(.miscounted, change: nil), .max)
        case .unobserved, .sessionStart, .serverHistory, .serverSession, .path, .connection, .appQueue:
            let (outage, end) = outages.outage(of: message, .down)
            let other = place == .path ? LossCause.packetLost : .notConnected
            return (outage ?? OutageLog.OutageReason(other, change: nil), end)
        }
    }

    /// Records messages as lost that the consumer never got: the server did not send them, or the buffer dropped them.
    func noteLost(unseen messages: Range<UInt32>, _ out: inout EffectQueue<DeliveryEffect>) {
        let absent = consumption?.pointee.absent ?? MessageRange()
        let from = min(max(absent.from, messages.lowerBound), messages.upperBound)
        let end = min(max(absent.upTo, from), messages.upperBound)
        noteLost(down: messages.lowerBound..<from, at: .appBuffer, &out)
        noteLost(down: from..<end, at: consumption?.pointee.absentPlace ?? .sessionStart, &out)
        noteLost(down: end..<messages.upperBound, at: .appBuffer, &out)
    }

    // MARK: The app's messages

    /// Records the app's messages `from ..< upTo` as lost: the server has received a later one.
    /// - Parameter isDatagram: `true` if the connection sends datagrams, which are not retransmitted.
    package mutating func loseUp(
        _ from: UInt32, _ upTo: UInt32, isDatagram: Bool, _ out: inout EffectQueue<DeliveryEffect>
    ) {
        var first = from
        while first < upTo {
            let (loss, end) = lossUp(of: first, isDatagram: isDatagram)
            let count = min(end, upTo) - first
            out.note(MessageLoss(loss.cause, loss.place, first: first, count: count, change: loss.change), .up)
            first += count
        }
        if droppedUp.upTo <= upTo { droppedUp = MessageRange() }
        if givenUp.upTo <= upTo { givenUp = MessageRange() }
    }

    private func lossUp(of message: UInt32, isDatagram: Bool) -> (loss: MessageLoss, end: UInt32) {
        let (outage, end) = outages.outage(of: message, .up)
        func loss(_ cause: LossCause, _ place: LossPlace, _ change: UInt16?) -> MessageLoss {
            MessageLoss(cause, place, first: message, count: 1, change: change)
        }
        if droppedUp.contains(message) {
            return (loss(.appQueueFull, .appQueue, outage?.change), min(end, droppedUp.upTo))
        }
        var next = droppedUp.from > message && !droppedUp.isEmpty ? min(end, droppedUp.from) : end
        if givenUp.contains(message) {
            let place = givenUpCause == .processEnded ? LossPlace.appMemory : .appQueue
            return (loss(givenUpCause, place, outages.latest(givenUpCause)?.change), min(next, givenUp.upTo))
        }
        if givenUp.from > message && !givenUp.isEmpty { next = min(next, givenUp.from) }
        let other = isDatagram ? LossCause.packetLost : .notConnected
        return (loss(outage?.cause ?? other, isDatagram ? .path : .connection, outage?.change), next)
    }

    /// Notes messages that the app gave up without sending them. Some may have been sent before; they are not lost.
    package mutating func noteGivenUp(_ messages: Range<UInt32>, _ cause: LossCause) {
        guard !messages.isEmpty else { return }
        givenUp = MessageRange(from: messages.lowerBound, upTo: messages.upperBound)
        givenUpCause = cause
    }

    /// Notes messages that the app forgets now although they were not passed to its open connection: the client takes
    /// them for received.
    /// - Parameter offered: End of the messages that were passed to the connection.
    mutating func noteMiscounted(from offered: UInt32, before end: Cursor, _ session: borrowing Session) {
        let from = max(session.forgotten.position, offered)
        if from < end.position { noteGivenUp(from..<end.position, .miscounted) }
    }

    /// Records the app's messages that its own full queue refused as lost, at the horizon. Their numbers are known
    /// only roughly: the queue may have kept messages between them.
    func noteRefused(_ count: Int64, _ session: borrowing Session, _ out: inout EffectQueue<DeliveryEffect>) {
        guard count > 0 else { return }
        let first = max(session.forgotten.position, droppedUp.from)
        out.note(MessageLoss(.appQueueFull, .appQueue, first: first, count: UInt32(clamping: count)), .up)
    }

    /// Adds messages that the app's own queue dropped or refused. The range also covers what lies in between.
    mutating func addDropped(_ messages: Range<UInt32>, _ session: borrowing Session) {
        guard !droppedUp.isEmpty, session.acknowledged.position < droppedUp.upTo else {
            droppedUp = MessageRange(from: messages.lowerBound, upTo: messages.upperBound)
            return
        }
        droppedUp.from = min(droppedUp.from, messages.lowerBound)
        droppedUp.upTo = max(droppedUp.upTo, messages.upperBound)
    }

    // MARK: Outages

    /// Begins an outage, or gives the present one another reason.
    /// - Parameters:
    ///   - written: Index after the last message of the server.
    ///   - arrived: Index after the last message of the app that the server has received.
    package mutating func noteOutage(_ outage: OutageLog.OutageReason, written: UInt32, arrived: UInt32) {
        let begins = outages.current == nil
        outages.begin(
            outage, down: begins ? min(max(received, seen.index), written) : written,
            up: begins ? arrived : wanted.index)
    }

    /// Ends the outage, because a connection works.
    package mutating func endOutage(written: UInt32) { outages.end(down: written, up: wanted.index) }
}
