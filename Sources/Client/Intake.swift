import DeadzonePrimitives
public import DeadzoneSettings

/// How an app takes in what its connections bring: the buffer between its library and whoever consumes the messages, and how
/// far the library reads ahead of it.
///
///     connection ──window──▶ library ──asked for──▶ buffer ──▶ consumer
///
/// It means something only where the world has a consumer that takes its time; a strategy that says nothing has a buffer
/// without end.
public struct Intake: Hashable, Sendable, BitwiseCopyable {
    public enum Overflow: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// The library reads no further: its window closes, and the server waits.
        case suspend
        case dropOldest
        case dropLatest
    }

    /// A buffer of Kotlin's flows, or of anything like them.
    public struct Buffer: Hashable, Sendable, BitwiseCopyable {
        /// Messages; at least one. `.max` is without end.
        public var capacity: UInt32
        public var overflow: Overflow

        public init(_ capacity: UInt32, _ overflow: Overflow = .suspend) {
            self.capacity = capacity
            self.overflow = overflow
        }

        /// Only the latest message.
        public static let conflated = Buffer(0, .dropOldest)
        public static let unlimited = Buffer(.max)

        /// Adjacent buffers become one, as Kotlin's flows fuse them: one that drops replaces what stands before it, one that
        /// suspends adds its places to it (Kotlin/kotlinx.coroutines `kotlinx-coroutines-core/common/src/flow/internal/
        /// ChannelFlow.kt`, `fuse`). So `buffer(64, DROP_OLDEST).conflate()` holds one message.
        public func fused(with next: Buffer) -> Buffer {
            guard next.overflow == .suspend else { return next }
            let (sum, isEndless) = capacity.addingReportingOverflow(next.capacity)
            return Buffer(isEndless ? .max : sum, overflow)
        }

        /// A channel that drops holds one message at least.
        public var places: UInt32 { max(capacity, 1) }
    }

    /// When the cursor that the client resumes from moves past a message.
    public enum CursorRule: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// When the consumer has taken it: what was dropped since is sent again after a new connection.
        case shown
        /// When it enters the buffer: what the buffer drops is never asked for again.
        case received
    }

    /// Messages that come only when they are asked for: gRPC's `receiveNextMessage`, whose calls stack up.
    public struct Asks: Hashable, Sendable, BitwiseCopyable {
        /// At once.
        public var first: UInt32 = 1
        /// So many more, whenever the consumer has taken `after` messages; 0: none.
        public var then: UInt32 = 1
        public var after: UInt32 = 1

        public init() {}

        /// Whoever shows a message at once always has another asked for.
        public var neverHoldsBack: Bool { first >= after && then >= after }
    }

    public var buffer = Buffer.unlimited
    /// Nil: what comes is taken as long as the buffer has room.
    public var asks: Asks?
    public var cursor = CursorRule.shown
    /// Of HTTP/2: SETTINGS_INITIAL_WINDOW_SIZE, and as much for the connection.
    public var window: UInt32 = 65_535
    /// What the consumer has not taken keeps the connection's window shut, too, and so what goes on beside it; otherwise only
    /// its own stream's.
    public var holdsConnection = true

    public init() {}

    /// What the consumer does not take ends the reading, and the window shuts; otherwise everything is read.
    public var stopsReading: Bool { asks != nil || (buffer.overflow == .suspend && buffer.capacity != .max) }
}

extension SettingsReader {
    private static var overflowWords: [(String, Intake.Overflow)] {
        [("suspend", .suspend), ("drop-oldest", .dropOldest), ("drop-latest", .dropLatest)]
    }

    /// `intake: {buffer: [{capacity: 64, overflow: drop-oldest}, {conflate: true}], cursor: received, window: 64KiB}`
    public mutating func intake(_ key: String, _ help: String = "") -> Intake {
        group(key, help) { settings in
            var intake = Intake()
            let buffers = settings.list(
                "buffer", counts: 1...8,
                "what waits for the consumer; of several, one after the other, is made one as Kotlin's flows fuse them"
            ) { settings, _ in
                let isConflated = settings.flag("conflate", default: false, "only the latest message")
                let capacity = settings.count(
                    "capacity", default: 64, in: 1...Int64(UInt32.max) - 1, "messages that it holds")
                let overflow = settings.word(
                    "overflow", of: Self.overflowWords, default: .suspend,
                    "when it is full: reads no further, or drops the oldest, or the one that comes")
                return isConflated ? .conflated : Intake.Buffer(UInt32(capacity), overflow)
            }
            if let first = buffers?.first {
                intake.buffer = (buffers ?? []).dropFirst().reduce(first) { $0.fused(with: $1) }
            }
            if let ahead = settings.count(
                "read-ahead", in: 1...1_000_000,
                "flow control by message: the library asks for so many ahead of the consumer, and reads no further")
            {
                intake.asks = Intake.Asks()
                intake.asks?.first = UInt32(ahead)
                if buffers != nil {
                    settings.note(
                        Fault(
                            .contradiction, at: settings.mark(of: "read-ahead"), width: 10,
                            "`read-ahead` beside `buffer`", label: "say one of the two"))
                }
            }
            intake.cursor = settings.word(
                "cursor", of: [("shown", Intake.CursorRule.shown), ("received", .received)], default: .shown,
                "when the cursor passes a message: when the consumer takes it, or when it enters the buffer")
            intake.window = UInt32(
                settings.size(
                    "window", default: 65_535, in: 1...2_147_483_647, "HTTP/2: bytes that may come unconsumed"))
            intake.holdsConnection = settings.word(
                "connection-window", of: [("consumed", true), ("received", false)], default: true,
                "when its bytes are granted anew to the whole connection; to the stream always when consumed")
            return intake
        }
    }
}
