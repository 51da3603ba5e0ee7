import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSettings
import DeadzoneTransport
import DeadzoneWorld

/// Traffic, and what of it the user makes.
struct TrafficSketch {
    var traffic = Traffic()
    /// Only while the app is in front.
    var upInFront = false
    var callsInFront = false

    /// By what the timeline says of app and screen; nil: there is no such time, but there ought to be.
    func during(_ timeline: [TimelineEntry], until horizon: Instant) -> Traffic? {
        guard upInFront || callsInFront else { return traffic }
        let times = timeline.timesInFront(until: horizon)
        var kept = traffic
        if upInFront { kept.up = traffic.up?.within(times) }
        if callsInFront { kept.calls = traffic.calls?.within(times) }
        return (kept.up == nil) == (traffic.up == nil) && (kept.calls == nil) == (traffic.calls == nil) ? kept : nil
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

enum Arrivals: Hashable, Sendable {
    case periodic, poisson
}

extension SettingsReader {
    /// `traffic: {down: {every: 20s, arrivals: poisson, size: 300B}, up: …, probe: …, calls: {…, answer: 2KiB}}`
    mutating func traffic(until horizon: Instant) -> TrafficSketch {
        group("traffic", "what the app and the server want to say to each other") { settings in
            var sketch = TrafficSketch()
            sketch.traffic.down = settings.streams("down", "messages of the server to the app", until: horizon) {
                $0.stream(until: horizon)
            }
            var inFront: Set<Bool> = []
            sketch.traffic.up = settings.streams("up", "messages of the app to the server", until: horizon) {
                settings in
                inFront.insert(settings.isInFront())
                return settings.stream(until: horizon)
            }
            sketch.upInFront = inFront.contains(true)
            if inFront.count > 1 { settings.contradict("up", "`while` beside some streams", "write it beside all") }
            sketch.traffic.probe = settings.section(
                "probe", "packets of the server that the phone's system answers at once"
            ) {
                $0.stream(until: horizon)
            }
            let calls = settings.section("calls", "questions of the app that the server answers") { settings in
                sketch.callsInFront = settings.isInFront()
                let stream = settings.stream(until: horizon)
                let answers = Form<Distribution>.distribution(.size, in: 0...1 << 30)
                return (stream, settings.required("answer", answers, standIn: .constant(0), "bytes of an answer"))
            }
            if let calls { (sketch.traffic.calls, sketch.traffic.answer) = calls }
            sketch.traffic.envelope = settings.envelope()
            return sketch
        }
    }

    /// One stream, or several that follow each other: `down: [{every: 1m, until: 9h, size: 300B}, {every: 10m, from: 9h, size: 300B}]`
    private mutating func streams(
        _ key: String, _ help: String, until horizon: Instant, read: (inout SettingsReader) -> TrafficStream
    ) -> TrafficStream? {
        guard let streams = oneOrMany(key, counts: 1...1_000, help, read: read) else { return nil }
        guard let first = streams.first, streams.count > 1 else { return streams.first }
        if streams.contains(where: { !$0.moments.isEmpty }) {
            contradict(key, "`at` in a list of streams", "one list of moments is enough")
        } else if streams.contains(where: { $0.size != first.size }) {
            contradict(key, "streams of one direction with messages of different size", "write the same `size` for all")
        } else if zip(streams, streams.dropFirst()).contains(where: { $1.from < $0.until }) {
            contradict(
                key, "streams of one direction at the same time", "each begins at the `until` before it, or later")
        }
        return TrafficStream(streams.flatMap(\.stretches), size: first.size)
    }

    private mutating func contradict(_ key: String, _ message: String, _ label: String) {
        note(Fault(.contradiction, at: mark(of: key), width: key.utf8.count, message, label: label))
    }

    private mutating func isInFront() -> Bool {
        word(
            "while", of: [("always", false), ("foreground", true)], default: false,
            "foreground: only while the app is what the user looks at")
    }

    /// `encoding: protobuf`
    private mutating func envelope() -> Envelope {
        word(
            "encoding",
            of: Envelope.words, default: .none,
            "how messages are written down: `size` is then the payload of a StreamEvent; text is JSON with JSON inside")
    }

    private mutating func stream(until horizon: Instant) -> TrafficStream {
        let gaps = Form<Distribution>.distribution(.span, in: 1_000_000...TimeSpan.hours(24 * 366).nanoseconds)
        let limits = TimeSpan.zero...(horizon - .zero)
        let moments = moments(in: limits)
        // `at` stands for it, so nothing that describes the keys demands it.
        let everyHelp = "from one message to the next"
        let anyGap = Distribution.constant(1_000_000_000)
        let every =
            moments == nil && !isDescribing
            ? required("every", gaps, standIn: anyGap, everyHelp) : value("every", gaps, everyHelp) ?? anyGap
        let arrivals = word(
            "arrivals", of: [("periodic", Arrivals.periodic), ("poisson", .poisson)],
            "periodic: evenly spaced; poisson: at random, `every` being the mean")
        let jitter = ratio("jitter", in: 0...1_000_000, "each gap varies by so much up and down")
        let size = required(
            "size", Form<Distribution>.distribution(.size, in: 0...1 << 30), standIn: .constant(0), "bytes of a message"
        )
        // Moments say it themselves; a default beside them would contradict them when what was resolved is read again.
        let from =
            moments == nil || isDescribing || has("from")
            ? span("from", default: .zero, in: limits, "the first message comes one gap later") : .zero
        let until = span("until", default: horizon - .zero, in: limits, "no message from here on")
        if until <= from {
            note(
                Fault(
                    .contradiction, at: mark(of: has("until") ? "until" : "from"), width: 5,
                    "traffic that ends before it begins", label: "`from` comes before `until`"))
        }
        let gap = spaced(every, arrivals, jitter)
        if moments == nil { checkCount(gap, until - from) }
        var stream = TrafficStream(gap: gap, size: size, from: .zero + from, until: .zero + until)
        stream.moments = (moments ?? []).map { .zero + $0 }
        return stream
    }

    /// `at: [1.5s, 3s]`: messages that were recorded, instead of a law.
    private mutating func moments(in limits: ClosedRange<TimeSpan>) -> [TimeSpan]? {
        let most = 20_000
        guard
            let moments = list(
                "at", of: .span(in: limits), counts: 1...most,
                "the moments of recorded messages, instead of `every`")
        else { return nil }
        for key in ["every", "arrivals", "jitter", "from"] where has(key) {
            note(
                Fault(
                    .contradiction, at: mark(of: key), width: key.utf8.count,
                    "`\(key)` beside `at`, which says when each message comes", label: "remove one of the two"))
        }
        if zip(moments, moments.dropFirst()).contains(where: { $1 <= $0 }) {
            note(
                Fault(
                    .contradiction, at: mark(of: "at"), width: 2, "messages that do not follow each other",
                    label: "each moment comes after the one before"))
        }
        return moments
    }

    private mutating func spaced(_ every: Distribution, _ arrivals: Arrivals?, _ jitter: Int64?) -> Distribution {
        guard case .constant(let gap) = every.law else {
            for key in ["arrivals", "jitter"] where has(key) {
                note(
                    Fault(
                        .contradiction, at: mark(of: key), width: key.utf8.count,
                        "`\(key)` beside an `every` that varies already", label: "remove it"))
            }
            return every
        }
        if arrivals == .poisson {
            if has("jitter") {
                note(
                    Fault(
                        .contradiction, at: mark(of: "jitter"), width: 6, "`jitter` beside `arrivals: poisson`",
                        label: "remove one of the two"))
            }
            return .exponential(mean: gap)
        }
        guard let jitter, jitter > 0 else { return every }
        let reach = Int64(clamping: Int128(gap) * Int128(jitter) / 1_000_000)
        return .uniform(max(1, gap - reach), gap + reach)
    }

    /// More than that in one stream of one phone is a unit that was mistaken.
    private mutating func checkCount(_ gap: Distribution, _ length: TimeSpan) {
        let most = 10_000_000
        let count = length.nanoseconds / max(1, gap.typical)
        guard count > most else { return }
        note(
            Fault(
                .outOfRange, at: mark(of: "every"), width: 5, "\(count) messages in one stream",
                label: "at most \(most)", help: "make `every` longer or `duration` shorter"))
    }
}

extension Distribution {
    /// Something like a mean.
    fileprivate var typical: Int64 {
        switch law {
        case .constant(let value), .exponential(let value), .normal(let value, _), .logNormal(let value, _),
            .pareto(let value, _):
            value
        case .uniform(let low, let high): low / 2 + high / 2
        case .table(let quantiles): quantiles[quantiles.count / 2].value
        }
    }
}

extension Envelope {
    static let words: [(String, Self)] = [("none", .none), ("protobuf", .protobuf), ("json", .json), ("text", .text)]
}
