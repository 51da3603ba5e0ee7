import DeadzonePrimitives
import DeadzoneTransport
import DeadzoneWorld

/// Traffic, and what of it the app makes.
struct TrafficSketch {
    /// Without the app's messages and calls.
    var traffic = Traffic()
    var up: [StreamSketch] = []
    var calls: [StreamSketch] = []

    /// By what the timeline says of app and screen.
    /// - Returns: Also where the app never is although a stream waits for it, if there is such a thing.
    func during(_ timeline: [TimelineEntry], until horizon: Instant) -> (traffic: Traffic, missing: Presence?) {
        let times = PresenceTimes(timeline, until: horizon)
        var kept = traffic
        (kept.up, kept.calls) = (up.woven(in: times), calls.woven(in: times))
        let answers = (calls.areOne ? Array(calls.prefix(1)) : calls).compactMap(\.answer)
        if let first = answers.first { kept.answer = first }
        kept.answersBeside = Array(answers.dropFirst())
        return (kept, up.missing(in: times) ?? calls.missing(in: times))
    }
}

/// One stream as it was written.
struct StreamSketch {
    var stream: TrafficStream
    var presence = Presence.always
    /// Bytes of the answer to a call; nil: it is no stream of calls.
    var answer: Distribution?

    fileprivate func within(_ times: PresenceTimes) -> TrafficStream? {
        times[presence].map { stream.within($0) } ?? stream
    }
}

extension [StreamSketch] {
    /// They follow each other, and are alike in all but how often they come: one stream.
    var areOne: Bool {
        count < 2
            || allSatisfy {
                $0.stream.moments.isEmpty && $0.stream.size == self[0].stream.size && $0.presence == self[0].presence
                    && $0.answer == self[0].answer
            } && zip(self, dropFirst()).allSatisfy { $0.stream.until <= $1.stream.from }
    }

    /// All of them, as if the app were wherever they want it.
    func woven() -> TrafficStream? { woven(in: PresenceTimes()) }

    /// All of them, each in its times; nil: there is none, or one has none.
    fileprivate func woven(in times: PresenceTimes) -> TrafficStream? {
        guard let first else { return nil }
        guard areOne else {
            let streams = compactMap { $0.within(times) }
            return streams.count == count ? TrafficStream(sideBySide: streams) : nil
        }
        // One that was recorded has no stretches.
        guard count > 1 else { return first.within(times) }
        guard let whole = TrafficStream(flatMap(\.stream.stretches), size: first.stream.size) else { return nil }
        return StreamSketch(stream: whole, presence: first.presence).within(times)
    }

    /// Where the app never is while one of them would say something.
    fileprivate func missing(in times: PresenceTimes) -> Presence? {
        guard woven(in: times) == nil else { return nil }
        return areOne ? first?.presence : first { $0.within(times) == nil }?.presence
    }
}
