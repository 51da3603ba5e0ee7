package import DeadzoneBase

/// Decides, for an HTTP/1.1 server that is polled, if a request is answered now or held until there is data. Short
/// polls are always answered at once, long polls can be held:
///
///     quiet ──request, something there, or short──▶ answer
///       └─ request, nothing there, long ──▶ held ──something new, or the hold time──▶ answer
package struct PollHold: Hashable, Sendable, BitwiseCopyable {
    /// Usual maximum time that a server holds a request without data for it: 30 s, which every proxy tolerates (RFC
    /// 6202 §5.5).
    package static let hold = TimeSpan.seconds(30)

    /// Maximum time that the server holds a request. Zero for a short poll, which is answered at once.
    private let holdTime: TimeSpan
    /// Time at which the held request must be answered, even without content; `.never` if no request is held.
    package private(set) var deadline = Instant.never

    package init(holdTime: TimeSpan) { self.holdTime = holdTime }

    package var isHeld: Bool { deadline != .never }

    /// Handles a request. Returns `true` if it must be answered now.
    package mutating func receiveRequest(hasNews: Bool, at now: Instant) -> Bool {
        guard !hasNews && holdTime > .zero else {
            deadline = .never
            return true
        }
        deadline = now + holdTime
        return false
    }

    /// Handles new data. Returns `true` if the held request is answered with it. `false` if no request is held, so the
    /// data waits for the next request.
    package mutating func answerHeldRequest() -> Bool {
        defer { deadline = .never }
        return isHeld
    }

    /// Handles expiry of the hold time: the server sends an empty response.
    package mutating func expire() { deadline = .never }
}

/// The keepalive limit that an MQTT broker enforces: it disconnects a client that is silent for 1.5 times its
/// keep-alive time. Any packet of the client counts, not only PINGREQ (OASIS MQTT 3.1.1 [MQTT-3.1.2-24]).
package enum MQTTKeepAlive {
    /// Largest keep-alive time that CONNECT can carry: 65,535 s (OASIS MQTT 3.1.1 §3.1.2.10).
    package static let longest = TimeSpan.seconds(65_535)

    /// Returns the maximum silence that a broker accepts from a client with this keep-alive time.
    package static func limit(_ interval: TimeSpan) -> TimeSpan { min(interval, longest) * 3 / 2 }
}
