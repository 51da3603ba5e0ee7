import DeadzoneClient
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSettings

extension SettingsReader {
    /// `errors: {transient: 10%, permanent: 1%, pushback: 2s}`, `rate-limit: …`, `capacity: …`
    mutating func troubles() -> ServerTroubles {
        var troubles = ServerTroubles()
        group("errors", "what the server's program gets wrong") { settings in
            troubles.transient = settings.probability(
                "transient", default: .zero, "of the calls that come, answered with UNAVAILABLE")
            troubles.afterHeaders = settings.probability(
                "after-headers", default: .zero, "of those, after the headers of an answer: nobody may retry them")
            troubles.permanent = settings.probability(
                "permanent", default: .zero, "calls that it will never do, however often they come")
            troubles.unprocessed = settings.probability(
                "refused-streams", default: .zero, "of the calls that come, never looked at (REFUSED_STREAM)")
            troubles.pushback = settings.pushback("it says with a transient error")
            _ = settings.section("sessions", "sessions that the server does not open") { settings in
                troubles.sessionTransient = settings.probability(
                    "transient", default: .zero, "of the sessions asked for, not opened now")
                troubles.sessionPermanent = settings.probability(
                    "permanent", default: .zero, "phones whose sessions are never opened")
                troubles.retryAfter = settings.span("retry-after", "when it wishes to be asked again")
            }
        }
        let limit = section("rate-limit", "how often each phone may call") { settings in
            troubles.rateLimitPushback = settings.pushback("it says beyond the limit")
            return RateLimit(
                every: settings.required(
                    "every", .span(in: .microseconds(1) ... .hours(24)), standIn: .seconds(1), "one more call each"),
                burst: UInt32(settings.count("burst", default: 1, in: 1...1_000_000, "calls that may come at once")))
        }
        troubles.rateLimit = limit
        _ = section("capacity", "how many calls of all phones together it can do") { settings in
            troubles.requestsPerSecond = UInt32(
                settings.required(
                    "requests-per-second", .count(in: 1...1_000_000_000), standIn: 1, "one after the other"))
            troubles.queue = UInt32(
                settings.count("queue", default: 1_000, in: 0...1_000_000_000, "so many may wait; the next is refused"))
            troubles.queueTimeout = settings.span(
                "queue-timeout", in: .milliseconds(1) ... .hours(24),
                "a request on which work has not begun after so long is refused, and costs none")
            troubles.overloadPushback = settings.pushback("it says when the queue is full")
        }
        return troubles
    }

    private mutating func pushback(_ when: String) -> CallRefusal.Pushback {
        value("pushback", .pushback, default: .none, "when the client shall try again, as \(when): a span, or stop")
    }
}

extension Form where Value == CallRefusal.Pushback {
    /// A span, `stop`, or `none`.
    static var pushback: Form {
        let word = Form.word([("stop", CallRefusal.Pushback.stop), ("none", .none)])
        let span = Form<TimeSpan>.span()
        return Form(
            "a span such as 2s, stop or none",
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

extension ServerTroubles {
    /// What differs from a server without troubles.
    var entries: [Node.Entry] {
        let usual = ServerTroubles()
        let span = Form<TimeSpan>.span()
        let pushing = Form<CallRefusal.Pushback>.pushback
        func entry<Value: Equatable>(
            _ key: String, _ value: KeyPath<Self, Value>, _ write: (Value) -> Node
        ) -> [Node.Entry] {
            self[keyPath: value] == usual[keyPath: value] ? [] : [.init(key: key, value: write(self[keyPath: value]))]
        }
        let share: (Probability) -> Node = { .text(String($0.halves)) }
        let parts: [[Node.Entry]] = [
            entry("transient", \.transient, share), entry("after-headers", \.afterHeaders, share),
            entry("permanent", \.permanent, share), entry("refused-streams", \.unprocessed, share),
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
