import DeadzonePrimitives
import DeadzoneSettings
import DeadzoneTransport

enum Arrivals: Hashable, Sendable {
    case periodic, poisson
}

extension SettingsReader {
    /// `traffic: {down: {every: 20s, arrivals: poisson, size: 300B}, up: [{…}, {…}], probe: …, calls: {…, answer: 2KiB}}`
    mutating func traffic(until horizon: Instant) -> TrafficSketch {
        group("traffic", "what the app and the server want to say to each other") { settings in
            var sketch = TrafficSketch()
            sketch.traffic.down = settings.streams("down", "messages of the server to the app") { settings in
                StreamSketch(stream: settings.stream(until: horizon))
            }.woven()
            sketch.up = settings.streams("up", "messages of the app to the server") { settings in
                let presence = settings.presence()
                return StreamSketch(stream: settings.stream(until: horizon), presence: presence)
            }
            sketch.traffic.probe = settings.section(
                "probe", "packets of the server that the phone's system answers at once"
            ) {
                $0.stream(until: horizon)
            }
            sketch.calls = settings.streams("calls", "questions of the app that the server answers") { settings in
                let presence = settings.presence()
                let stream = settings.stream(until: horizon)
                let answers = Form<Distribution>.distribution(.size, in: 0...1 << 30)
                let answer = settings.required("answer", answers, standIn: .constant(0), "bytes of an answer")
                return StreamSketch(stream: stream, presence: presence, answer: answer)
            }
            sketch.traffic.envelope = settings.envelope()
            return sketch
        }
    }

    /// One stream, or several at their own times, one after the other or side by side: `up: [{every: 1m, until: 9h, size: 300B}, {every:
    /// 30s, size: 80B}]`
    private mutating func streams(
        _ key: String, _ help: String, read: (inout SettingsReader) -> StreamSketch
    ) -> [StreamSketch] {
        let streams = oneOrMany(key, counts: 1...1_000, help, read: read) ?? []
        guard !isDescribing, !streams.areOne else { return streams }
        let sum = streams.reduce(Int64(0)) { $0 + min($1.stream.typicalCount, Self.mostSideBySide) }
        if sum > Self.mostSideBySide {
            let noun = key == "calls" ? key : "messages"
            note(
                Fault(
                    .outOfRange, at: mark(of: key), width: key.utf8.count, "\(sum) \(noun) in streams side by side",
                    label: "at most \(Self.mostSideBySide)", help: "make `every` longer, or `duration` shorter"))
        }
        return streams
    }

    /// Each of them is kept in a list of its phone.
    private static let mostSideBySide: Int64 = 1_000_000

    private mutating func presence() -> Presence {
        word(
            "while", of: Presence.words, default: .always,
            "foreground: only while the app is what the user looks at; background: only while it is not")
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

extension TrafficStream {
    /// About how many messages it has.
    fileprivate var typicalCount: Int64 {
        moments.isEmpty ? (until - from).nanoseconds / max(1, gap.typical) : Int64(moments.count)
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
