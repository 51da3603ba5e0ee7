package import DeadzoneBase
package import DeadzoneClient
package import DeadzoneTransport

/// The ledger of one phone's messages: which were produced, arrived, shown, confirmed or lost, in both directions.
///
/// It makes no decisions. It records the facts, and the part of them that the app can know (`Session`).
package struct Delivery: ~Copyable {
    let traffic: UnsafePointer<TrafficPlan>
    let receivePolicy: UnsafePointer<ReceivePolicy>
    let consumer: UnsafePointer<Consumer>?

    /// Walks through the server's messages: its index is the first message that the app has not shown.
    package internal(set) var seen: TrafficWalker
    /// The first message of the server that the phone has not received.
    package internal(set) var received: UInt32 = 0
    /// Walks through the app's messages: its index is the next message that the app produces.
    package internal(set) var wanted: TrafficWalker
    /// Walks through the app's messages: its index is the first one that the server has not confirmed.
    package internal(set) var confirmed: TrafficWalker
    /// The app's messages below this index were announced to the strategy.
    var announced: UInt32 = 0

    /// Messages that the server skipped without telling the client, and that the app has not passed yet.
    var gapRange = MessageRange()
    var gapIsNoticed = false
    /// Place at which the messages of the gap are lost.
    var gapPlace = LossPlace.sessionStart
    /// `true` if the client requested a full snapshot because of a gap. The app shows nothing behind the gap before the
    /// snapshot has arrived.
    var gapAwaitsSnapshot = false
    /// Messages that an earlier process of the app has shown and that this process would show again.
    var seenBefore = MessageRange()
    /// Number of messages that arrived again and have not been shown again yet.
    var receivedAgain: UInt32 = 0
    /// Messages that the server left out, while the app has not shown all messages before them; `nil` if the server
    /// never leaves messages out.
    let leftOut: UnsafeMutablePointer<MissingRanges>?
    /// Number of the app's messages that were dropped from its send queue although earlier ones were kept.
    var refused: UInt32 = 0
    /// The app's messages that are never sent, although the server has not confirmed all messages before them.
    var skippedUp = MessageRange()
    /// The app's messages that its own full queue dropped or refused, and those in between.
    var droppedUp = MessageRange()
    /// The app's messages that were given up without being sent, and why: their process ended, or the client took
    /// them for received.
    var givenUp = MessageRange()
    var givenUpCause = LossCause.processEnded
    /// The reasons why the phone had no working connection.
    package internal(set) var outages = OutageLog()
    /// Time at which the user opened the app, until the app shows all messages that existed then; otherwise `.never`.
    var openedAt = Instant.never
    /// Number of messages that the server had written when the user opened the app.
    var freshFrom: UInt32 = 0
    /// Buffer and state of the app's consumer; `nil` if the app processes each message at once and does not limit
    /// requests.
    let consumption: UnsafeMutablePointer<ConsumerBuffer>?
    /// `true` if the messages go through a consumer's buffer.
    package let hasConsumer: Bool
    private let addressStable = AddressStable()

    /// Creates the ledger of one phone.
    /// - Parameter leavesOut: `true` if the server leaves out messages for a slow consumer.
    package init(
        _ traffic: UnsafePointer<TrafficPlan>, _ intake: UnsafePointer<ReceivePolicy>,
        _ consumer: UnsafePointer<Consumer>?,
        leavesOut: Bool
    ) {
        self.traffic = traffic
        self.receivePolicy = intake
        self.consumer = consumer
        seen = TrafficWalker(traffic.pointee.downSchedule)
        wanted = TrafficWalker(traffic.pointee.upSchedule)
        confirmed = wanted
        leftOut = leavesOut ? .allocate(capacity: 1) : nil
        leftOut?.initialize(to: MissingRanges())
        let isPlain = consumer == nil && intake.pointee.demand?.neverBlocksServer ?? true
        hasConsumer = !isPlain
        consumption = isPlain ? nil : .allocate(capacity: 1)
        consumption?.initialize(to: ConsumerBuffer())
    }

    deinit {
        leftOut?.deallocate()
        consumption?.deallocate()
    }

    /// `true` if the library grants flow control credit only when a message enters the consumer's buffer, not already
    /// when it arrives.
    package var holdsCredit: Bool { consumption != nil && receivePolicy.pointee.stopsReading }
}

/// Effects that `Delivery`, the ledger of messages, requests from the simulation.
package enum DeliveryEffect: BitwiseCopyable, Sendable, JournalingEffect {
    /// Write a journal entry.
    case note(JournalEntry)
    /// A message has moved from the library to the consumer's buffer, which frees its bytes in the library.
    case enteredBuffer(UInt32)
    /// Messages may have left the library, so that receive credit can be granted to the server immediately.
    case creditFreed
}

/// The messages with an index in `from ..< upTo`.
struct MessageRange: BitwiseCopyable, Sendable {
    var from: UInt32 = 0
    var upTo: UInt32 = 0

    var isEmpty: Bool { upTo <= from }
    var count: UInt32 { isEmpty ? 0 : upTo - from }
    func contains(_ index: UInt32) -> Bool { from <= index && index < upTo }

    /// Removes the messages with an index below `end` from the range and returns their number.
    mutating func take(before end: UInt32) -> UInt32 {
        guard from < min(end, upTo) else { return 0 }
        defer { from = min(end, upTo) }
        return min(end, upTo) - from
    }
}
