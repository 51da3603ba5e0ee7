import DeadzoneBase
import DeadzoneDevice
import DeadzoneTransport

/// The uplink and downlink settings of a network link as read from the file, not yet checked against each other.
struct LinkSketch {
    struct Way {
        var delay: Distribution
        /// The minimum delay; `nil` if not set, then it is the least value of `delay`.
        var floor: TimeSpan?
        var bitsPerSecond: Int64
        var loss: LossModel = .independent(.zero)
        var trace: NamedTrace?
        var queue: QueueBound?
        var spikes: LatencySpikes?
        var reordering: Reordering?
    }

    var up: Way
    var down: Way

    init(milliseconds: Int64, up: Int64, down: Int64) {
        let delay = Distribution.constant(milliseconds * 1_000_000)
        self.up = Way(delay: delay, bitsPerSecond: up)
        self.down = Way(delay: delay, bitsPerSecond: down)
    }

    init(up: (delay: Distribution, rate: Int64), down: (delay: Distribution, rate: Int64)) {
        self.up = Way(delay: up.delay, bitsPerSecond: up.rate)
        self.down = Way(delay: down.delay, bitsPerSecond: down.rate)
    }

    mutating func setDelay(_ delay: Distribution) {
        up.delay = delay
        down.delay = delay
    }

    var profile: LinkProfile { LinkProfile(up: up.direction, down: down.direction) }
}

extension LinkSketch.Way {
    var direction: LinkDirection {
        LinkDirection(
            delay: delay, floor: floor ?? delay.least, bitsPerSecond: trace?.trace.meanBitsPerSecond ?? bitsPerSecond,
            loss: loss, trace: trace?.trace, queue: queue, spikes: spikes, reordering: reordering)
    }

    /// Reads the settings of one direction, or of both. Settings that are left out keep their value.
    mutating func read(_ settings: inout SettingsReader, _ opened: OpenedFiles) {
        if let delay = settings.value("delay", Self.delays, "one-way delay, without waiting in the queue") {
            self.delay = delay
        }
        if let jitter = settings.span("jitter", "variation of the delay, uniform: plus or minus this") {
            spread(jitter, &settings)
        }
        floor = settings.span("floor", "minimum delay of a packet; default: the minimum of `delay`") ?? floor
        bitsPerSecond =
            settings.rate("rate", in: 1_000...1_000_000_000_000, "bits per second") ?? bitsPerSecond
        loss =
            settings.either("loss", "packet loss", plain: LossModel.share, map: LossModel.init(reading:))
            ?? loss
        if let file = settings.text("trace", "file with the capacity of a link over time, instead of `rate`"),
            let node = settings.peek("trace")
        {
            trace = settings.trace(file, node, opened)
        } else if settings.has("rate") {
            trace = nil
        }
        if settings.has("rate"), settings.has("trace") {
            settings.note(
                Fault(
                    .contradiction, at: settings.mark(of: "rate"), width: 4, "`rate` and `trace`",
                    label: "remove one of the two"))
        }
        queue =
            settings.value("queue", QueueBound.form, "limit of the queue before the link; default: unlimited") ?? queue
        spikes =
            settings.section("spikes", "periods in which every packet has an extra delay", read: LatencySpikes.init)
            ?? spikes
        reordering =
            settings.section(
                "reordering", "packets that arrive late, so that later ones overtake them", read: Reordering.init)
            ?? reordering
    }

    static var delays: ValueFormat<Distribution> { .distribution(.span, in: 0...TimeSpan.minutes(10).nanoseconds) }

    private mutating func spread(_ jitter: TimeSpan, _ settings: inout SettingsReader) {
        guard case .constant(let middle) = delay.law, jitter.nanoseconds <= middle else {
            settings.note(
                Fault(
                    .contradiction, at: settings.mark(of: "jitter"), width: 6, "this `jitter` does not fit the `delay`",
                    label: "needs a constant delay of at least the jitter",
                    help: "write the spread into the delay: delay: {uniform: [30ms, 50ms]}"))
            return
        }
        delay = .uniform(middle - jitter.nanoseconds, middle + jitter.nanoseconds)
    }
}

extension Distribution {
    /// Lower bound of all draws. For laws without a positive lower bound: one millisecond, or `middle` if that is
    /// shorter.
    fileprivate var least: TimeSpan {
        switch law {
        case .constant(let value): .nanoseconds(value)
        case .uniform(let low, _): .nanoseconds(low)
        case .pareto(let scale, _): .nanoseconds(scale)
        case .table(let quantiles): .nanoseconds(quantiles[0].value)
        case .exponential(let middle), .normal(let middle, _), .logNormal(let middle, _):
            min(.milliseconds(1), .nanoseconds(middle))
        }
    }
}

extension LossModel {
    static let share: ValueFormat<LossModel> = ValueFormat<Probability>.probability.map {
        .independent($0)
    } back: { model in
        if case .independent(let share) = model { share } else { .zero }
    }

    /// Reads burst loss: `{gilbert-elliott: {good: 10s, bad: 500ms, loss-in-good: 0%, loss-in-bad: 100%}}`.
    init(reading settings: inout SettingsReader) {
        let bursts = settings.section("gilbert-elliott", "good and bad periods, each with its own loss") { settings in
            LossModel.gilbertElliott(
                goodMean: settings.required(
                    "good", .span(in: Self.dwell), standIn: .seconds(1), "mean length of a good period"),
                badMean: settings.required(
                    "bad", .span(in: Self.dwell), standIn: .seconds(1), "mean length of a bad period"),
                lossInGood: settings.probability("loss-in-good", default: .zero, "loss in good periods"),
                lossInBad: settings.probability("loss-in-bad", default: .one, "loss in bad periods"))
        }
        self = bursts ?? .independent(.zero)
    }

    private static let dwell: ClosedRange<TimeSpan> = .milliseconds(1) ... .hours(24)
}

/// A recorded link trace (network rate over time), with the name of its file.
struct NamedTrace {
    var trace: LinkTrace
    var file: String
}

extension QueueBound {
    /// A queue limit: `64KiB`, `40 packets` of 1,500 bytes, or `500ms`.
    static let form = ValueFormat<QueueBound>(
        "a size, a number of packets or a duration, such as 64KiB, 40 packets or 500ms",
        shape: { .text },
        read: { node, faults in
            guard let (text, _) = node.scalar("a size such as 64KiB, 40 packets, or a wait such as 500ms", &faults)
            else {
                return nil
            }
            if let count = text.split(separator: " ").first, text.hasSuffix(" packets") {
                let part = Node(.scalar(String(count), quoted: false), at: node.mark, width: node.width)
                return ValueFormat<Int64>.count(in: 1...1_000_000).read(part, &faults).map { .bytes($0 * 1_500) }
            }
            if text.hasSuffix("B") {
                return ValueFormat<Int64>.quantity(.size, in: 1...1 << 40).read(node, &faults).map { .bytes($0) }
            }
            return ValueFormat<TimeSpan>.span(in: .milliseconds(1) ... .minutes(10)).read(node, &faults).map {
                .wait($0)
            }
        },
        write: { bound in
            switch bound {
            case .bytes(let bytes): ValueFormat<Int64>.quantity(.size).write(bytes)
            case .wait(let span): ValueFormat<TimeSpan>.span().write(span)
            }
        })
}

extension LatencySpikes {
    private static let longest = TimeSpan.hours(24 * 366).nanoseconds
    /// At least a millisecond. Shorter spikes are the jitter of `delay`, and would cost one random draw each.
    private static let lengths = ValueFormat<Distribution>.distribution(
        .span, in: TimeSpan.milliseconds(1).nanoseconds...longest)
    fileprivate static let form = ValueFormat<Distribution>.distribution(.span, in: 0...longest)

    /// Reads latency spikes: `{every: {exponential: 60s}, for: 5s, add: 3s}`.
    init(reading settings: inout SettingsReader) {
        self.init(
            every: settings.required(
                "every", Self.lengths, standIn: .constant(TimeSpan.minutes(1).nanoseconds),
                "time from the end of one to the next"),
            length: settings.required(
                "for", Self.lengths, standIn: .constant(TimeSpan.seconds(1).nanoseconds), "duration of one"),
            extra: settings.required(
                "add", Self.form, standIn: .constant(0), "extra delay of each packet meanwhile"))
    }
}

extension Reordering {
    fileprivate static let form = ValueFormat<TimeSpan>.span(in: .microseconds(1) ... .minutes(1))

    /// Reads packets that arrive late: `{share: 2%, by: 20ms}`.
    init(reading settings: inout SettingsReader) {
        self.init(
            share: settings.probability("share", default: .zero, "share of the packets that arrive late"),
            delay: settings.required("by", Self.form, standIn: .milliseconds(1), "how late they arrive"))
    }
}

extension SettingsReader {
    /// Reads a trace file relative to the file that names it. Each file is read once.
    fileprivate mutating func trace(_ file: String, _ node: Node, _ opened: OpenedFiles) -> NamedTrace? {
        switch opened.trace(opened.path(file, from: node.mark)) {
        case .success(let trace): return NamedTrace(trace: trace, file: file)
        case .failure(let trouble):
            note(
                node.fault(
                    .badTrace, "cannot read the trace \(quote(file)): \(trouble.message)",
                    help: "a trace is a file beside the scenario: Mahimahi, or columns of time and rate"))
            return nil
        }
    }

    /// Reads the link of an interface: `links: {wifi: PRESET or map, cellular: ...}`.
    mutating func link(_ interface: Interface, roundTrip: TimeSpan?, _ opened: OpenedFiles) -> LinkProfile {
        link(interface.name, over: LinkPreset.usual(interface, roundTrip: roundTrip), opened)
    }

    /// Reads the links of further radios, in their order. A link of a radio that the phone lacks is a fault.
    mutating func furtherLinks(of phone: PhoneSketch, _ opened: OpenedFiles) -> [LinkProfile] {
        if isDescribing {
            for interface in Interface.further { _ = link(interface, roundTrip: nil, opened) }
            return []
        }
        refuseWithoutRadio(phone)
        return phone.further.map { network in
            link(network.interface, roundTrip: network.sketch.parsed.sheet.baseRoundTrip, opened)
        }
    }

    /// Notes a fault for each key of a further interface that the phone does not have.
    mutating func refuseWithoutRadio(_ phone: PhoneSketch) {
        for interface in Interface.further where !phone.radios.contains(interface) {
            refuse([interface.name], "without a \(interface.name) radio", label: "add one under phone: radios:")
        }
    }

    /// Reads a link under any key: the name of a preset, or a map.
    mutating func link(_ key: String, over usual: LinkSketch, _ opened: OpenedFiles) -> LinkProfile {
        let help = "link of \(key): a name such as \(LinkPreset.all[0].name), or a map"
        let found = custom(key, help) {
            var reader = SettingsReader.describing("link")
            _ = reader.linkMap(over: usual, opened)
            return .either([.word(LinkPreset.all.map { Shape.Keyword(name: $0.name, about: $0.about) }), reader.shape])
        }
        var sketch = usual
        if let found, found.entries != nil {
            sketch = read(found, of: "the link") { $0.linkMap(over: usual, opened) }.value
        } else if let found, let name = parse(found, LinkPreset.form) {
            sketch = LinkPreset.named(name) ?? usual
        }
        let profile = sketch.profile
        resolve(key, to: sketch.node)
        return profile
    }

    /// Reads links with names of the user's own: `others: {crowded: {preset: lte, rate: 200kbps}}`.
    mutating func otherLinks(_ opened: OpenedFiles) -> [(name: String, value: LinkProfile)] {
        namedSections("others", noun: "link", "links with names of your own, for `conditions` in the timeline") {
            _, settings in
            settings.linkMap(over: LinkPreset.usual(.cellular, roundTrip: nil), opened).profile
        } ?? []
    }

    fileprivate mutating func linkMap(over usual: LinkSketch, _ opened: OpenedFiles) -> LinkSketch {
        var sketch =
            value("preset", LinkPreset.form, "preset that supplies the values of all other settings").flatMap(
                LinkPreset.named)
            ?? usual
        if isDescribing {
            sketch.up.read(&self, opened)
        } else {
            // Both directions are read from the same settings. The faults of the second reader are dropped, because
            // they are the same.
            var again = self
            sketch.up.read(&self, opened)
            sketch.down.read(&again, opened)
        }
        _ = section("up", "settings for packets from the phone") { sketch.up.read(&$0, opened) }
        _ = section("down", "settings for packets to the phone") { sketch.down.read(&$0, opened) }
        return sketch
    }
}

extension LinkPreset {
    static let form = ValueFormat<String>.word(all.map { ($0.name, $0.name) })
}

extension LinkSketch {
    /// The complete link, as `--print-resolved` shows it.
    fileprivate var node: Node {
        .map([
            .init(key: "down", value: down.direction.node(trace: down.trace.map { .text($0.file) })),
            .init(key: "up", value: up.direction.node(trace: up.trace.map { .text($0.file) })),
        ])
    }
}

extension LinkProfile {
    /// The complete link with the trace's content hash instead of its file name, so that copies of the file are the
    /// same link.
    var node: Node {
        .map([
            .init(key: "down", value: down.node(trace: down.trace?.fingerprint)),
            .init(key: "up", value: up.node(trace: up.trace?.fingerprint)),
        ])
    }
}

extension LinkTrace {
    fileprivate var fingerprint: Node {
        .text("\(Fingerprint(of: rows.map { "\($0.time) \($0.rate)" }.joined(separator: "\n")))")
    }
}

extension LinkDirection {
    fileprivate func node(trace: Node?) -> Node {
        var entries: [Node.MapEntry] = [
            .init(key: "delay", value: LinkSketch.Way.delays.write(delay)),
            .init(key: "floor", value: ValueFormat<TimeSpan>.span().write(floor)),
            .init(key: "loss", value: loss.node),
        ]
        if let queue { entries.append(.init(key: "queue", value: QueueBound.form.write(queue))) }
        if let trace {
            entries.append(.init(key: "trace", value: trace))
        } else {
            entries.append(.init(key: "rate", value: ValueFormat<Int64>.quantity(.rate).write(bitsPerSecond)))
        }
        if let spikes {
            let span = LatencySpikes.form
            entries.append(
                .init(
                    key: "spikes",
                    value: .map([
                        .init(key: "add", value: span.write(spikes.extra)),
                        .init(key: "every", value: span.write(spikes.every)),
                        .init(key: "for", value: span.write(spikes.length)),
                    ])))
        }
        if let reordering {
            entries.append(
                .init(
                    key: "reordering",
                    value: .map([
                        .init(key: "by", value: Reordering.form.write(reordering.delay)),
                        .init(key: "share", value: ValueFormat<Probability>.probability.write(reordering.share)),
                    ])))
        }
        return .map(entries.sorted { $0.key < $1.key })
    }
}

extension LossModel {
    fileprivate var node: Node {
        guard case .gilbertElliott(let good, let bad, let inGood, let inBad) = self else {
            return Self.share.write(self)
        }
        let span = ValueFormat<TimeSpan>.span()
        let share = ValueFormat<Probability>.probability
        return .map([
            .init(
                key: "gilbert-elliott",
                value: .map([
                    .init(key: "bad", value: span.write(bad)), .init(key: "good", value: span.write(good)),
                    .init(key: "loss-in-bad", value: share.write(inBad)),
                    .init(key: "loss-in-good", value: share.write(inGood)),
                ]))
        ])
    }
}
