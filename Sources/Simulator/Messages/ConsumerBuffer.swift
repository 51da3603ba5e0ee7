package import DeadzoneBase

/// The part of an app that processes the server's messages one at a time, such as a screen or a database.
package struct Consumer: Hashable, Sendable {
    /// Processing time of one message, in nanoseconds.
    package var service: Distribution
    /// Time from the end of one stall to the next stall, in nanoseconds. `nil` if only the timeline causes stalls.
    package var stallGap: Distribution?
    /// Length of a stall, in nanoseconds.
    package var stall: Distribution
    /// Most bytes of unread messages that the process may hold. If it holds more, the system ends it. `nil` if memory
    /// has no limit.
    package var memoryLimit: UInt64?

    package init(
        service: Distribution = .constant(0), stallGap: Distribution? = nil, stall: Distribution = .constant(0)
    ) {
        self.service = service
        self.stallGap = stallGap
        self.stall = stall
    }
}

/// The messages that wait until the consumer of one phone processes them (its buffer).
///
///     shown ≤ buffered ≤ handed ≤ received      the buffer holds shown..<buffered, without the missing messages
///
/// Messages in `buffered..<handed` are still in the library, because the buffer has no space for them (`suspend`).
/// Allocated separately from the phone.
struct ConsumerBuffer: BitwiseCopyable {
    var handed: UInt32 = 0
    var buffered: UInt32 = 0
    var missing = MissingRanges()
    /// Messages that the client requested when it last resumed, but that the server skipped.
    var skipped = MessageRange()
    /// Missing messages that the server did not send, and those in between; the place at which they are lost. The
    /// buffer has dropped the others.
    var absent = MessageRange()
    var absentPlace = LossPlace.sessionStart
    /// Missing messages that the client knows about.
    var knownMissing = MessageRange()
    /// Time at which the consumer finishes its current message.
    var busyUntil = Instant.zero
    var stallUntil = Instant.zero
    var nextStall: UInt32 = 0
    var nextStallAt = Instant.never
    /// Time at which the unread messages exceeded the memory limit. `.never` if they do not.
    var outOfMemoryAt = Instant.never
    /// Cursor that the client wants to persist as soon as all messages below it are shown.
    var toPersist: UInt32 = 0
    /// Number of requested messages that have not entered the buffer yet.
    var credits: UInt32 = 0
    /// Number of messages shown since the app's last request for messages.
    var shownSinceAsk: UInt32 = 0
    /// `true` if the buffer was full at the last check.
    var isFull = false

    var peakCount: UInt32 = 0
    var bytes: UInt64 = 0
    var peakBytes: UInt64 = 0

    mutating func forgetMissing() {
        missing = MissingRanges()
        skipped = MessageRange()
        knownMissing = MessageRange()
        absent = MessageRange()
    }

    /// Adds messages that the server did not send.
    mutating func addAbsent(_ messages: Range<UInt32>, _ place: LossPlace, seen: UInt32) {
        if absent.isEmpty || absent.upTo <= seen { absent.from = messages.lowerBound }
        absent.upTo = messages.upperBound
        absentPlace = place
    }
}
