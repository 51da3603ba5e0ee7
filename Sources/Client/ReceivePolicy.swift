public import DeadzoneBase

/// Policy for receiving messages: the buffer between an app's library and the consumer of the messages, and how far the
/// library reads ahead.
///
///     connection ──window──▶ library ──requested──▶ buffer ──▶ consumer
///
/// It has an effect only if the scenario has a consumer that takes time. The default is an unbounded buffer.
public struct ReceivePolicy: Hashable, Sendable, BitwiseCopyable {
    public enum BufferOverflow: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// The library stops reading: its receive window closes, and the server waits.
        case suspend
        case dropOldest
        case dropLatest
    }

    /// A buffer for received messages, as in Kotlin's flows or a similar API.
    public struct Buffer: Hashable, Sendable, BitwiseCopyable {
        /// Capacity in messages; 0 counts as one, and `.max` is unbounded.
        public var capacity: UInt32
        public var overflow: BufferOverflow

        public init(_ capacity: UInt32, _ overflow: BufferOverflow = .suspend) {
            self.capacity = capacity
            self.overflow = overflow
        }

        /// A buffer that holds only the latest message.
        public static let conflated = Buffer(0, .dropOldest)
        public static let unlimited = Buffer(.max)

        /// Fuses adjacent buffers into one, as Kotlin's flows do. If the next buffer drops messages, it replaces this
        /// one. If it suspends, its capacity is added to this one (Kotlin/kotlinx.coroutines
        /// `kotlinx-coroutines-core/common/src/flow/internal/ChannelFlow.kt`, `fuse`). So `buffer(64,
        /// DROP_OLDEST).conflate()` holds one message.
        package func fused(with next: Buffer) -> Buffer {
            guard next.overflow == .suspend else { return next }
            let (sum, isEndless) = capacity.addingReportingOverflow(next.capacity)
            return Buffer(isEndless ? .max : sum, overflow)
        }

        /// Number of messages that the buffer can hold. A channel that drops messages holds at least one.
        package var slotCount: UInt32 { max(capacity, 1) }
    }

    /// Event at which the resume cursor moves past a message. It decides which messages are lost if the process ends
    /// while messages wait in the buffer. It cannot recover a message that the buffer drops.
    public enum CursorRule: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// The cursor moves when the consumer has taken the message. Messages that wait in the buffer when the process
        /// ends are sent again. A message that the buffer drops is not: the next taken message moves the cursor past it.
        case shown
        /// The cursor moves when the message enters the buffer. Messages that wait there when the process ends are
        /// lost.
        case received
    }

    /// Rule by which an app requests messages, if messages arrive only on request (gRPC's `receiveNextMessage`).
    /// Requests add up.
    public struct MessageDemand: Hashable, Sendable, BitwiseCopyable {
        /// Number of messages requested at once, at the start.
        public var initial: UInt32 = 1
        /// Number of messages requested each time the consumer has taken `refillAfter` messages; 0 requests none.
        public var refill: UInt32 = 1
        public var refillAfter: UInt32 = 1

        public init() {}

        /// `true` if the server never waits for a request, provided that the app consumes each message at once.
        package var neverBlocksServer: Bool { initial >= refillAfter && refill >= refillAfter }
    }

    public var buffer = Buffer.unlimited
    /// Rule by which the app requests messages; `nil` accepts messages as long as the buffer has space.
    public var demand: MessageDemand?
    public var cursor = CursorRule.shown
    /// Receive window in bytes, used only with HTTP/2: SETTINGS_INITIAL_WINDOW_SIZE. The connection window has the same
    /// size.
    public var window: UInt32 = 65_535
    /// `true` if unconsumed messages also keep the connection window closed, and so block the other streams; `false` if
    /// they close only the window of their own stream.
    public var blocksConnectionWindow = true

    public init() {}

    /// `true` if unconsumed messages make the library stop reading, so that the receive window closes; `false` if the
    /// library reads everything.
    package var stopsReading: Bool { demand != nil || (buffer.overflow == .suspend && buffer.capacity != .max) }
}

extension SettingsReader {
    private static var overflowWords: [(String, ReceivePolicy.BufferOverflow)] {
        [("suspend", .suspend), ("drop-oldest", .dropOldest), ("drop-latest", .dropLatest)]
    }

    /// Reads the settings for receiving messages, written as `intake: {buffer: [{capacity: 64, overflow: drop-oldest},
    /// {conflate: true}], cursor: received, window: 64KiB}`.
    public mutating func receivePolicy(_ key: String, _ help: String = "") -> ReceivePolicy {
        group(key, help) { settings in
            var receivePolicy = ReceivePolicy()
            let buffers = settings.list(
                "buffer", counts: 1...8,
                "buffer before the consumer; several buffers in a row are fused into one, as in Kotlin's flows"
            ) { settings, _ in
                let isConflated = settings.flag("conflate", default: false, "keeps only the latest message")
                let capacity = settings.count(
                    "capacity", default: 64, in: 1...Int64(UInt32.max) - 1, "capacity in messages")
                let overflow = settings.word(
                    "overflow", of: Self.overflowWords, default: .suspend,
                    "reaction of a full buffer: stop reading (suspend), drop the oldest message, or drop the new one")
                return isConflated ? .conflated : ReceivePolicy.Buffer(UInt32(capacity), overflow)
            }
            if let first = buffers?.first {
                receivePolicy.buffer = (buffers ?? []).dropFirst().reduce(first) { $0.fused(with: $1) }
            }
            if let ahead = settings.count(
                "read-ahead", in: 1...1_000_000,
                "flow control by message: messages that the library requests ahead of the consumer; it reads no further"
            ) {
                receivePolicy.demand = ReceivePolicy.MessageDemand()
                receivePolicy.demand?.initial = UInt32(ahead)
                if buffers != nil {
                    settings.note(
                        Fault(
                            .contradiction, at: settings.mark(of: "read-ahead"), width: 10,
                            "`read-ahead` beside `buffer`", label: "keep one of the two"))
                }
            }
            receivePolicy.cursor = settings.word(
                "cursor", of: [("shown", ReceivePolicy.CursorRule.shown), ("received", .received)], default: .shown,
                "the cursor passes a message once the consumer has taken it (shown), or once it enters the buffer (received)"
            )
            receivePolicy.window = UInt32(
                settings.size(
                    "window", default: 65_535, in: 1...2_147_483_647,
                    "HTTP/2: bytes that the server may send before they are consumed"))
            receivePolicy.blocksConnectionWindow = settings.word(
                "connection-window", of: [("consumed", true), ("received", false)], default: true,
                "when bytes are granted again to the whole connection; to the stream always when they are consumed")
            return receivePolicy
        }
    }
}
