public import DeadzonePrimitives

/// Whose turn it is on a connection where the server only answers: HTTP/1.1 polling, short and long, as the server sees it.
///
///     quiet ──request, something there, or short──▶ answer
///       └─ request, nothing there, long ──▶ held ──something new, or the hold time──▶ answer
public struct Exchange: Hashable, Sendable, BitwiseCopyable {
    /// How long a request without an answer is held: 30 s is what every proxy is found to bear (RFC 6202 §5.5).
    public static let hold = TimeSpan.seconds(30)

    /// How long the server waits for something to say; zero: a short poll.
    private let patience: TimeSpan
    /// When the request that is held has to be answered, whatever there is.
    public private(set) var deadline = Instant.never

    public init(patience: TimeSpan) { self.patience = patience }

    public var isHeld: Bool { deadline != .never }

    /// A request. True: answer now.
    public mutating func ask(hasNews: Bool, at now: Instant) -> Bool {
        guard !hasNews && patience > .zero else {
            deadline = .never
            return true
        }
        deadline = now + patience
        return false
    }

    /// There is something to say. True: this is the answer to the request that is held; false: it waits for the next one.
    public mutating func tell() -> Bool {
        defer { deadline = .never }
        return isHeld
    }

    /// The hold time is over: an answer without content.
    public mutating func expire() { deadline = .never }
}

/// The keep alive time of an MQTT client, as its broker enforces it: whoever says nothing for one and a half times as long is
/// gone (OASIS MQTT 3.1.1 [MQTT-3.1.2-24]). Any packet counts, not only PINGREQ.
public enum MQTTKeepAlive {
    /// 65,535 s, the largest that CONNECT can say (OASIS MQTT 3.1.1 §3.1.2.10).
    public static let longest = TimeSpan.seconds(65_535)

    /// What a broker bears.
    public static func limit(_ interval: TimeSpan) -> TimeSpan { min(interval, longest) * 3 / 2 }
}
