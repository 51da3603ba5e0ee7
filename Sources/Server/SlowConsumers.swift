public import DeadzonePrimitives

/// What a server's program does with messages that a connection does not take: the phone is on a slow network, or its app has
/// stopped reading.
///
///     written ──▶ [ queue of the program ] ──there is room──▶ [ send buffer of its kernel ] ──▶ network
///
/// Without rules the queue has no end, and its memory grows with the outage: 2.48 GB in three hours at 190 KB/s
/// (livekit/egress#1353, which then bounded a write by 30 s). Others keep the newest only, or end the connection:
/// SignalK/signalk-server#2235 begins to conflate above 512 KB, is done when nothing waits, and terminates what is above 2 MB
/// for 30 s; nats-io/nats-server ends a client whose write takes more than 2 s (`server/const.go`, DEFAULT_FLUSH_DEADLINE).
public struct SlowConsumers: Hashable, Sendable, BitwiseCopyable {
    /// When more than so many bytes wait, only the newest messages are kept, until none waits; nil: all are.
    public var conflatesAbove: UInt64?
    /// The messages are about so many things in turn, and of each only the newest is kept.
    public var keys: UInt32 = 1
    /// When more than so many bytes have waited for so long, the connection is ended; nil: never.
    public var cutsAbove: UInt64?
    public var cutsAfter = TimeSpan.zero

    public init() {}

    public var conflates: Bool { conflatesAbove != nil }

    /// The queue of one connection: messages `first ..< end`.
    public struct Queue: Hashable, Sendable, BitwiseCopyable {
        public private(set) var first: UInt32 = 0
        public private(set) var end: UInt32 = 0
        public private(set) var bytes: UInt64 = 0
        /// The most that it ever held.
        public private(set) var most: UInt64 = 0
        private(set) var isConflating = false
        /// It holds more than is borne, since.
        private(set) var overSince = Instant.never

        public init() {}

        /// Another connection begins with an empty queue; what was the most remains.
        public mutating func restart() {
            let most = most
            self = Queue()
            self.most = most
        }

        /// Now these messages wait: so many bytes more than before, and so many less.
        public mutating func become(_ messages: Range<UInt32>, adding more: UInt64, removing less: UInt64) {
            first = messages.lowerBound
            end = messages.upperBound
            let sum = bytes.addingReportingOverflow(more)
            bytes = messages.isEmpty ? 0 : (sum.overflow ? .max : sum.partialValue) - min(less, bytes)
            most = max(most, bytes)
        }

        fileprivate mutating func judge(_ rules: SlowConsumers, at now: Instant) {
            if first == end {
                isConflating = false
            } else if let limit = rules.conflatesAbove, limit < bytes {
                isConflating = true
            }
            if let limit = rules.cutsAbove, limit < bytes {
                overSince = min(overSince, now)
            } else {
                overSince = .never
            }
        }
    }

    /// What waits has changed. Returns the first message that is still worth sending, if some before it are not.
    public func changed(_ queue: inout Queue, at now: Instant) -> UInt32? {
        queue.judge(self, at: now)
        guard queue.isConflating, queue.end - queue.first > keys else { return nil }
        return queue.end - keys
    }

    /// When the connection is ended unless something leaves.
    public func deadline(_ queue: Queue) -> Instant {
        queue.overSince == .never ? .never : queue.overSince + cutsAfter
    }
}
