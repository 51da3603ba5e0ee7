import DeadzoneBase
import DeadzoneClient
import DeadzoneSimulator

extension SettingsReader {
    /// Reads errors and limits: `errors: {transient: 10%, permanent: 1%, pushback: 2s}`, `rate-limit: …`, `capacity:
    /// …`.
    mutating func troubles() -> ServerFaults {
        var troubles = ServerFaults()
        group("errors", "errors of the server's program") { settings in
            troubles.transient = settings.probability(
                "transient", default: .zero, "share of calls answered with UNAVAILABLE")
            troubles.afterHeaders = settings.probability(
                "after-headers", default: .zero,
                "share of these that fail after the headers of an answer and may not be retried")
            troubles.permanent = settings.probability(
                "permanent", default: .zero, "share of calls that fail at every attempt")
            troubles.unprocessed = settings.probability(
                "refused-streams", default: .zero, "share of calls that the program never sees (REFUSED_STREAM)")
            troubles.pushback = settings.pushback("with a transient error")
            troubles.messages = settings.section(
                "messages", "messages of the app that the program refuses while the connection continues; needs `acks`"
            ) { settings in
                var faults = MessageFaults()
                faults.transient = settings.probability(
                    "transient", default: .zero, "share of attempts that are refused now (HTTP 5xx)")
                faults.permanent = settings.probability(
                    "permanent", default: .zero, "share of messages that are refused at every attempt (HTTP 4xx)")
                faults.lock = settings.span(
                    "locked", in: .milliseconds(1) ... .hours(24),
                    "time after its last byte for which an upload that broke off still locks its message (423, 409)")
                return faults
            }
            _ = settings.section("sessions", "sessions that the server refuses") { settings in
                troubles.sessionTransient = settings.probability(
                    "transient", default: .zero, "share of session requests that are refused now")
                troubles.sessionPermanent = settings.probability(
                    "permanent", default: .zero, "share of phones that never get a session")
                troubles.retryAfter = settings.span("retry-after", "retry time that the server sends")
            }
        }
        let limit = section("rate-limit", "limit of the calls from each phone") { settings in
            troubles.rateLimitPushback = settings.pushback("beyond the limit")
            return RateLimit(
                every: settings.required(
                    "every", .span(in: .microseconds(1) ... .hours(24)), standIn: .seconds(1),
                    "time in which one more call is allowed"),
                burst: UInt32(settings.count("burst", default: 1, in: 1...1_000_000, "most calls at once")))
        }
        troubles.rateLimit = limit
        _ = section("capacity", "limit of the calls from all phones together") { settings in
            troubles.requestsPerSecond = UInt32(
                settings.required(
                    "requests-per-second", .count(in: 1...1_000_000_000), standIn: 1,
                    "calls per second, processed one at a time"))
            troubles.queue = UInt32(
                settings.count(
                    "queue", default: 1_000, in: 0...1_000_000_000, "most calls that wait; further ones are refused"))
            troubles.queueTimeout = settings.span(
                "queue-timeout", in: .milliseconds(1) ... .hours(24),
                "longest wait; after it a call is refused, and costs no work")
            troubles.overloadPushback = settings.pushback("when the queue is full")
        }
        return troubles
    }

    private mutating func pushback(_ when: String) -> CallRefusal.Pushback {
        value("pushback", .pushback, default: .none, "retry time that the server sends \(when): a duration, or stop")
    }
}

extension ValueFormat where Value == CallRefusal.Pushback {
    /// A duration, `stop`, or `none`.
    static var pushback: ValueFormat {
        let word = ValueFormat.word([("stop", CallRefusal.Pushback.stop), ("none", .none)])
        let span = ValueFormat<TimeSpan>.span()
        return ValueFormat(
            "a duration such as 2s, stop or none",
            shape: { .either([word.shape(), span.shape()]) },
            read: { node, faults in
                let isNumber = node.scalar?.utf8.first.map { 48...57 ~= $0 } ?? false
                guard isNumber else { return word.read(node, &faults) }
                return span.read(node, &faults).map { .after($0) }
            },
            write: { pushback in
                if case .after(let wait) = pushback { return span.write(wait) }
                return word.write(pushback)
            })
    }
}

extension ServerFaults {
    /// The settings that differ from a server without errors and limits.
    var entries: [Node.MapEntry] {
        let usual = ServerFaults()
        let span = ValueFormat<TimeSpan>.span()
        let pushing = ValueFormat<CallRefusal.Pushback>.pushback
        func entry<Value: Equatable>(
            _ key: String, _ value: KeyPath<Self, Value>, _ write: (Value) -> Node
        ) -> [Node.MapEntry] {
            self[keyPath: value] == usual[keyPath: value] ? [] : [.init(key: key, value: write(self[keyPath: value]))]
        }
        let share: (Probability) -> Node = { .text(String($0.halves)) }
        let parts: [[Node.MapEntry]] = [
            entry("transient", \.transient, share), entry("after-headers", \.afterHeaders, share),
            entry("permanent", \.permanent, share), entry("refused-streams", \.unprocessed, share),
            entry("message-errors", \.messages) {
                .list($0.map { [share($0.transient), share($0.permanent), span.write($0.lock ?? .zero)] } ?? [])
            },
            entry("session-transient", \.sessionTransient, share),
            entry("session-permanent", \.sessionPermanent, share),
            entry("retry-after", \.retryAfter) { span.write($0 ?? .zero) },
            entry("pushback", \.pushback, pushing.write),
            entry("rate-limit", \.rateLimit) {
                .list($0.map { [span.write($0.every), .text(String($0.burst))] } ?? [])
            },
            entry("rate-limit-pushback", \.rateLimitPushback, pushing.write),
            entry("requests-per-second", \.requestsPerSecond) { .text($0.map { String($0) } ?? "") },
            entry("queue", \.queue) { .text(String($0)) },
            entry("queue-timeout", \.queueTimeout) { span.write($0 ?? .zero) },
            entry("overload-pushback", \.overloadPushback, pushing.write),
        ]
        return parts.flatMap { $0 }
    }
}
