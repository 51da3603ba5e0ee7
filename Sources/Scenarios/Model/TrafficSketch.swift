import DeadzonePrimitives
import DeadzoneTransport
import DeadzoneWorld

/// Traffic, and what of it the user makes.
struct TrafficSketch {
    /// Without the app's messages.
    var traffic = Traffic()
    var up: [StreamSketch] = []
    /// Only while the app is in front.
    var callsInFront = false

    /// By what the timeline says of app and screen; nil: there is no such time, but there ought to be.
    func during(_ timeline: [TimelineEntry], until horizon: Instant) -> Traffic? {
        let times = timeline.timesInFront(until: horizon)
        var kept = traffic
        if !up.isEmpty {
            guard let stream = up.woven(in: times) else { return nil }
            kept.up = stream
        }
        if callsInFront { kept.calls = traffic.calls?.within(times) }
        return (kept.calls == nil) == (traffic.calls == nil) ? kept : nil
    }
}

/// One stream of a direction as it was written.
struct StreamSketch {
    var stream: TrafficStream
    /// Only while the app is in front.
    var isInFront = false

    fileprivate func within(_ times: [Range<Instant>]) -> TrafficStream? { isInFront ? stream.within(times) : stream }
}

extension [StreamSketch] {
    /// They follow each other, and are alike in all but how often they come: one stream.
    var areOne: Bool {
        count < 2
            || allSatisfy {
                $0.stream.moments.isEmpty && $0.stream.size == self[0].stream.size && $0.isInFront == self[0].isInFront
            } && zip(self, dropFirst()).allSatisfy { $0.stream.until <= $1.stream.from }
    }

    /// All of them, each in its times; nil: one has none.
    func woven(in times: [Range<Instant>] = []) -> TrafficStream? {
        guard areOne else {
            let streams = compactMap { $0.within(times) }
            return streams.count == count ? TrafficStream(sideBySide: streams) : nil
        }
        guard let first else { return nil }
        // One that was recorded has no stretches.
        guard count > 1 else { return first.within(times) }
        let whole = TrafficStream(flatMap(\.stream.stretches), size: first.stream.size)
        return first.isInFront ? whole?.within(times) : whole
    }
}

extension [TimelineEntry] {
    /// Those of every phone. Where a system ends the app by itself it is taken to stay where it was: nobody knows that before the
    /// run.
    func timesInFront(until horizon: Instant) -> [Range<Instant>] {
        var times: [Range<Instant>] = []
        var (isOpen, isLit) = (true, true)
        var since: Instant? = .zero
        for entry in self {
            switch entry.change {
            case .app(let foreground): isOpen = foreground
            case .screen(let on): isLit = on
            case .kill where isLit, .forceStop: isOpen = false
            default: continue
            }
            if isOpen && isLit {
                since = since ?? entry.latest
            } else if let from = since {
                if from < entry.at { times.append(from..<entry.at) }
                since = nil
            }
        }
        if let since, since < horizon { times.append(since..<horizon) }
        return times
    }
}
