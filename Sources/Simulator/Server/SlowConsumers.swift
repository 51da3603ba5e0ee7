package import DeadzoneBase

/// Rules for messages that the server cannot send yet, because a phone's network or app is too slow.
///
///     written ──▶ [ queue of the program ] ──there is room──▶ [ send buffer of its kernel ] ──▶ network
///
/// Without rules the queue is unbounded, and its memory grows with the outage: 2.48 GB in three hours at 190 KB/s
/// (livekit/egress#1353, which then limited a write to 30 s). Other servers keep only the newest messages, or close the
/// connection. SignalK/signalk-server#2235 starts to conflate above 512 KB and stops when nothing waits; it terminates
/// a connection that is above 2 MB for 30 s. nats-io/nats-server closes a client if a write takes more than 2 s
/// (`server/const.go`, DEFAULT_FLUSH_DEADLINE).
package struct SlowConsumers: Hashable, Sendable, BitwiseCopyable {
    /// If more than this number of bytes are queued, older messages are dropped and only the newest are kept, until
    /// the queue is empty. `nil` keeps all messages.
    package var conflatesAbove: UInt64?
    /// Number of topics, to which consecutive messages belong in turn. Conflation keeps the newest message of each
    /// topic.
    package var keys: UInt32 = 1
    /// Limit of waiting bytes. A connection that exceeds it for the time `closesAfter` is closed. `nil` disables this.
    package var closesAbove: UInt64?
    package var closesAfter = TimeSpan.zero

    package init() {}

    package var conflates: Bool { conflatesAbove != nil }

    /// The messages `first ..< end` that wait in the server program to be sent on one connection.
    package struct Queue: Hashable, Sendable, BitwiseCopyable {
        package private(set) var first: UInt32 = 0
        package private(set) var end: UInt32 = 0
        package private(set) var bytes: UInt64 = 0
        /// Maximum that `bytes` has reached.
        package private(set) var peakBytes: UInt64 = 0
        private(set) var isConflating = false
        /// Time since which the queue has exceeded `closesAbove`. `.never` if it does not.
        private(set) var overSince = Instant.never

        package init() {}

        /// Empties the queue for a new connection, but keeps `peakBytes`.
        package mutating func restart() {
            let most = peakBytes
            self = Queue()
            self.peakBytes = most
        }

        /// Sets the range of waiting messages, and adds `more` bytes and subtracts `less` bytes from their size.
        package mutating func update(_ messages: Range<UInt32>, adding more: UInt64, removing less: UInt64) {
            first = messages.lowerBound
            end = messages.upperBound
            let sum = bytes.addingReportingOverflow(more)
            bytes = messages.isEmpty ? 0 : (sum.overflow ? .max : sum.partialValue) - min(less, bytes)
            peakBytes = max(peakBytes, bytes)
        }

        fileprivate mutating func applyLimits(_ rules: SlowConsumers, at now: Instant) {
            if first == end {
                isConflating = false
            } else if let limit = rules.conflatesAbove, limit < bytes {
                isConflating = true
            }
            if let limit = rules.closesAbove, limit < bytes {
                overSince = min(overSince, now)
            } else {
                overSince = .never
            }
        }
    }

    /// Applies the limits after the queue has changed. Returns the number of the first message to keep if older
    /// messages must be dropped, otherwise `nil`.
    package func changed(_ queue: inout Queue, at now: Instant) -> UInt32? {
        queue.applyLimits(self, at: now)
        guard queue.isConflating, queue.end - queue.first > keys else { return nil }
        return queue.end - keys
    }

    /// Returns the time at which the connection is closed unless the queue shrinks before; `.never` if it is not too
    /// long.
    package func deadline(_ queue: Queue) -> Instant {
        queue.overSince == .never ? .never : queue.overSince + closesAfter
    }
}
