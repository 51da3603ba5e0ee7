import DeadzoneBase
import DeadzoneSimulator
import DeadzoneTransport

/// The traffic settings of a scenario (messages and calls), as read from the file. The app's streams may depend on the
/// app's state.
struct TrafficSketch {
    /// The traffic without the app's messages and calls.
    var traffic = Traffic()
    var up: [StreamSketch] = []
    var calls: [StreamSketch] = []

    /// Restricts the app's streams to their app states, as the timeline defines them.
    /// - Returns: The traffic, and the first state that a stream needs but the timeline never reaches; `nil` if there
    ///   is none.
    func during(_ timeline: [TimelineEntry], until horizon: Instant) -> (traffic: Traffic, missing: AppStateCondition?)
    {
        let times = AppStateIntervals(timeline, until: horizon)
        var kept = traffic
        (kept.up, kept.calls) = (up.mergedStream(in: times), calls.mergedStream(in: times))
        let answers = (calls.formOneStream ? Array(calls.prefix(1)) : calls).compactMap(\.answer)
        if let first = answers.first { kept.answer = first }
        kept.parallelAnswers = Array(answers.dropFirst())
        return (kept, up.missing(in: times) ?? calls.missing(in: times))
    }
}

/// One stream of an app's messages or calls, as read from a scenario file.
struct StreamSketch {
    var stream: TrafficStream
    var appState = AppStateCondition.always
    /// Size of the answer to a call; `nil` if the stream has messages.
    var answer: Distribution?

    fileprivate func within(_ times: AppStateIntervals) -> TrafficStream? {
        times[appState].map { stream.limited($0) } ?? stream
    }
}

extension [StreamSketch] {
    /// `true` if the streams follow each other and differ only in their gaps. They are then merged into one stream.
    var formOneStream: Bool {
        count < 2
            || allSatisfy {
                $0.stream.recordedTimes.isEmpty && $0.stream.size == self[0].stream.size
                    && $0.appState == self[0].appState
                    && $0.answer == self[0].answer && $0.stream.push == self[0].stream.push
            } && zip(self, dropFirst()).allSatisfy { $0.stream.until <= $1.stream.from }
    }

    /// All streams merged, without restriction to app states.
    func mergedStream() -> TrafficStream? { mergedStream(in: AppStateIntervals()) }

    /// All streams merged, each restricted to its app state. `nil` if there are no streams, or if a stream has no time
    /// left.
    fileprivate func mergedStream(in times: AppStateIntervals) -> TrafficStream? {
        guard let first else { return nil }
        guard formOneStream else {
            let streams = compactMap { $0.within(times) }
            return streams.count == count ? TrafficStream(sideBySide: streams) : nil
        }
        // A single stream may be recorded, and then has no stretches.
        guard count > 1 else { return first.within(times) }
        guard var whole = TrafficStream(flatMap(\.stream.periods), size: first.stream.size) else { return nil }
        whole.push = first.stream.push
        return StreamSketch(stream: whole, appState: first.appState).within(times)
    }

    /// The first state that a stream needs but the timeline never reaches; `nil` if there is none.
    fileprivate func missing(in times: AppStateIntervals) -> AppStateCondition? {
        guard mergedStream(in: times) == nil else { return nil }
        return formOneStream ? first?.appState : first { $0.within(times) == nil }?.appState
    }
}
