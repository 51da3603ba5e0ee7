import DeadzoneBase
import DeadzoneTransport

enum Arrivals: Hashable, Sendable {
    case periodic, poisson
}

extension SettingsReader {
    /// Reads the messages between app and server:
    /// `traffic: {down: {every: 20s, arrivals: poisson, size: 300B}, up: [{…}, {…}], probe: …,`
    /// `calls: {…, answer: 2KiB}}`
    mutating func traffic(until horizon: Instant, canPush: Bool) -> TrafficSketch {
        group("traffic", "messages and calls between the app and the server") { settings in
            var sketch = TrafficSketch()
            sketch.traffic.down = settings.streams("down", "messages of the server to the app") { settings in
                var stream = settings.stream(until: horizon)
                stream.push = settings.streamPush(canPush: canPush)
                return StreamSketch(stream: stream)
            }.mergedStream()
            sketch.up = settings.streams("up", "messages of the app to the server") { settings in
                let appState = settings.appState()
                return StreamSketch(stream: settings.stream(until: horizon), appState: appState)
            }
            sketch.traffic.probe = settings.section(
                "probe", "packets from the server that the phone's system answers at once"
            ) {
                $0.stream(until: horizon)
            }
            sketch.calls = settings.streams("calls", "calls of the app that the server answers") { settings in
                let appState = settings.appState()
                let stream = settings.stream(until: horizon)
                let answers = ValueFormat<Distribution>.distribution(.size, in: 0...1 << 30)
                let answer = settings.required("answer", answers, standIn: .constant(0), "size of an answer")
                return StreamSketch(stream: stream, appState: appState, answer: answer)
            }
            sketch.traffic.envelope = settings.envelope()
            return sketch
        }
    }

    /// Reads one stream, or several streams one after the other or side by side:
    /// `up: [{every: 1m, until: 9h, size: 300B}, {every: 30s, size: 80B}]`
    private mutating func streams(
        _ key: String, _ help: String, read: (inout SettingsReader) -> StreamSketch
    ) -> [StreamSketch] {
        let streams = oneOrMany(key, counts: 1...1_000, help, read: read) ?? []
        guard !isDescribing, !streams.formOneStream else { return streams }
        let sum = streams.reduce(Int64(0)) { $0 + min($1.stream.typicalCount, Self.mostSideBySide) }
        if sum > Self.mostSideBySide {
            let noun = key == "calls" ? key : "messages"
            note(
                Fault(
                    .outOfRange, at: mark(of: key), width: key.utf8.count, "\(sum) \(noun) in parallel streams",
                    label: "at most \(Self.mostSideBySide)", help: "make `every` longer, or `duration` shorter"))
        }
        return streams
    }

    /// Maximum number of messages in streams side by side, because each phone keeps a list of them.
    private static let mostSideBySide: Int64 = 1_000_000

    private mutating func appState() -> AppStateCondition {
        word(
            "while", of: AppStateCondition.words, default: .always,
            "foreground: only while the app is in the foreground; background: only while it is not")
    }

    /// Reads the encoding of messages: `encoding: protobuf`.
    private mutating func envelope() -> Envelope {
        word(
            "encoding",
            of: Envelope.words, default: .none,
            "encoding of messages: `size` is then the payload of a StreamEvent; text is JSON inside JSON")
    }

    private mutating func stream(until horizon: Instant) -> TrafficStream {
        let gaps = ValueFormat<Distribution>.distribution(.span, in: 1_000_000...TimeSpan.hours(24 * 366).nanoseconds)
        let limits = TimeSpan.zero...(horizon - .zero)
        let moments = moments(in: limits)
        // `at` can replace `every`, so the schema does not require `every`.
        let everyHelp = "time between two messages"
        let anyGap = Distribution.constant(1_000_000_000)
        let every =
            moments == nil && !isDescribing
            ? required("every", gaps, standIn: anyGap, everyHelp) : value("every", gaps, everyHelp) ?? anyGap
        let arrivals = word(
            "arrivals", of: [("periodic", Arrivals.periodic), ("poisson", .poisson)],
            "periodic: evenly spaced; poisson: random, with `every` as the mean")
        let jitter = ratio("jitter", in: 0...1_000_000, "variation of each gap: plus or minus this share")
        let size = required(
            "size", ValueFormat<Distribution>.distribution(.size, in: 0...1 << 30), standIn: .constant(0),
            "size of a message"
        )
        // `at` already implies the start. A default `from` in the resolved text would contradict `at` when the text is
        // read again.
        let from =
            moments == nil || isDescribing || has("from")
            ? value(
                "from", .moment(in: limits, startingAt: startOfDay), default: .zero,
                "start of the stream; the first message comes one gap later")
            : .zero
        let until = value(
            "until", .moment(in: limits, startingAt: startOfDay), default: horizon - .zero, "end of the stream")
        if until <= from {
            let key = has("until") ? "until" : "from"
            note(
                Fault(
                    .contradiction, at: mark(of: key), width: key.utf8.count,
                    "traffic that ends before it begins", label: "`from` comes before `until`"))
        }
        let gap = spaced(every, arrivals, jitter)
        if moments == nil { checkCount(gap, until - from) }
        var stream = TrafficStream(gap: gap, size: size, from: .zero + from, until: .zero + until)
        stream.recordedTimes = (moments ?? []).map { .zero + $0 }
        return stream
    }

    /// Reads the times of recorded messages, used instead of a distribution: `at: [1.5s, 3s]`.
    private mutating func moments(in limits: ClosedRange<TimeSpan>) -> [TimeSpan]? {
        let most = 20_000
        guard
            let moments = list(
                "at", of: .moment(in: limits, startingAt: startOfDay), counts: 1...most,
                "times of recorded messages, instead of `every`")
        else { return nil }
        for key in ["every", "arrivals", "jitter", "from"] where has(key) {
            note(
                Fault(
                    .contradiction, at: mark(of: key), width: key.utf8.count,
                    "`\(key)` beside `at`, which sets the time of each message", label: "remove one of the two"))
        }
        if zip(moments, moments.dropFirst()).contains(where: { $1 <= $0 }) {
            note(
                Fault(
                    .contradiction, at: mark(of: "at"), width: 2, "messages that are not in order",
                    label: "each time must be later than the previous one"))
        }
        return moments
    }

    private mutating func spaced(_ every: Distribution, _ arrivals: Arrivals?, _ jitter: Int64?) -> Distribution {
        guard case .constant(let gap) = every.law else {
            for key in ["arrivals", "jitter"] where has(key) {
                note(
                    Fault(
                        .contradiction, at: mark(of: key), width: key.utf8.count,
                        "`\(key)` beside an `every` that already varies", label: "remove it"))
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

    /// Refuses more messages than a phone can plausibly have; the cause is usually a wrong unit.
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
    /// Approximate number of messages.
    fileprivate var typicalCount: Int64 {
        recordedTimes.isEmpty ? (until - from).nanoseconds / max(1, gap.typical) : Int64(recordedTimes.count)
    }
}

extension Distribution {
    /// Approximate mean of the distribution.
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
