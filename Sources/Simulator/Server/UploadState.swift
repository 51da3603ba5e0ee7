package import DeadzoneBase
import DeadzoneClient

/// The server's memory of one phone's next message, if its program may refuse it or keep a part of it.
///
/// The server takes the messages of a phone in order, as an idempotent producer of Kafka demands it, or an outbox that
/// sends one request at a time. So only the next message can be refused or incomplete.
package struct UploadState: BitwiseCopyable {
    /// Number of times in a row that the next message was refused.
    package internal(set) var refusals: UInt8 = 0
    /// Slot of the connection that carries the part that has arrived.
    var slot: UInt8 = 0
    /// Index of the message of which a part has arrived.
    var message: UInt32 = 0
    /// Bytes of this message that have arrived on the present connection.
    var arrived: UInt32 = 0
    /// Bytes of it that the client did not have to send again on the present connection.
    var resumedFrom: UInt32 = 0
    /// Bytes of it that the server has kept from a connection that broke off.
    var kept: UInt32 = 0
    /// Time at which the latest part arrived.
    var arrivedAt = Instant.zero
    /// Time until which a connection that broke off still holds the message.
    var lockedUntil = Instant.zero

    func isLocked(_ message: UInt32, at now: Instant) -> Bool { self.message == message && now < lockedUntil }

    /// Forgets the message, because the server has it completely or never gets it.
    mutating func finish() { self = UploadState() }
}

/// Errors of the server's program for single messages of the app, while the connection continues. A fault depends only
/// on the message and on how often it has arrived, so two strategies meet the same errors.
package struct MessageFaults: Hashable, Sendable {
    /// Share of attempts that are refused and may succeed when the message is sent again.
    package var transient = Probability.zero
    /// Share of messages that are refused at every attempt.
    package var permanent = Probability.zero
    /// Time after the last byte for which an upload that broke off still holds its message, so that another attempt is
    /// refused (tus: 423 Locked). `nil` holds none.
    package var lock: TimeSpan?

    package init() {}

    /// First address of the random numbers; beyond those of calls, sessions and tokens.
    private static let diceBase: UInt64 = 1 << 42

    func refusal(of message: UInt32, _ upload: UploadState, _ dice: Dice, at now: Instant) -> MessageRefusal? {
        if upload.isLocked(message, at: now) { return .locked }
        let first = Self.diceBase + UInt64(message) * 8
        if permanent.hits(dice.pair(at: first).1) { return .permanent }
        return transient.hits(dice.pair(at: first + 1 + UInt64(min(upload.refusals, 6))).0) ? .transient : nil
    }
}

extension MessageRefusalCode {
    init(_ refusal: MessageRefusal) {
        switch refusal {
        case .transient: self = .transient
        case .permanent: self = .permanent
        case .locked: self = .locked
        }
    }
}
