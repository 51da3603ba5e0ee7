import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneSettings

/// Both directions of a link as a user describes them, before they are checked against each other.
struct LinkSketch {
    struct Way {
        var delay: Distribution
        /// Where nobody said: the least that the delay can be.
        var floor: TimeSpan?
        var bitsPerSecond: Int64
        var loss: LossModel = .independent(.zero)
    }

    var up: Way
    var down: Way

    init(milliseconds: Int64, up: Int64, down: Int64) {
        let delay = Distribution.constant(milliseconds * 1_000_000)
        self.up = Way(delay: delay, bitsPerSecond: up)
        self.down = Way(delay: delay, bitsPerSecond: down)
    }

    mutating func setDelay(_ delay: Distribution) {
        up.delay = delay
        down.delay = delay
    }

    var profile: LinkProfile { LinkProfile(up: up.direction, down: down.direction) }
}

extension LinkSketch.Way {
    var direction: LinkDirection {
        LinkDirection(delay: delay, floor: floor ?? delay.least, bitsPerSecond: bitsPerSecond, loss: loss)
    }

    /// Reads what is said of a direction, or of both, over what is known of it.
    mutating func read(_ settings: inout SettingsReader) {
        if let delay = settings.value("delay", Self.delays, "one way, without waiting in the queue") {
            self.delay = delay
        }
        if let jitter = settings.span("jitter", "the delay varies by so much up and down, evenly") {
            spread(jitter, &settings)
        }
        floor = settings.span("floor", "no packet is faster; by default the least that `delay` allows") ?? floor
        bitsPerSecond =
            settings.rate("rate", in: 1_000...1_000_000_000_000, "bits that leave in a second") ?? bitsPerSecond
        loss =
            settings.either("loss", "packets that vanish", plain: LossModel.share, map: LossModel.init(reading:))
            ?? loss
    }

    static var delays: Form<Distribution> { .distribution(.span, in: 0...TimeSpan.minutes(10).nanoseconds) }

    private mutating func spread(_ jitter: TimeSpan, _ settings: inout SettingsReader) {
        guard case .constant(let middle) = delay.law, jitter.nanoseconds <= middle else {
            settings.note(
                Fault(
                    .contradiction, at: settings.mark(of: "jitter"), width: 6, "this `jitter` does not fit the `delay`",
                    label: "needs a constant delay that is no shorter",
                    help: "write the spread into the delay: delay: {uniform: [30ms, 50ms]}"))
            return
        }
        delay = .uniform(middle - jitter.nanoseconds, middle + jitter.nanoseconds)
    }
}

extension Distribution {
    /// No draw is below it, and a millisecond where a draw could be anything.
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
    static let share: Form<LossModel> = Form<Probability>.probability.map {
        .independent($0)
    } back: { model in
        if case .independent(let share) = model { share } else { .zero }
    }

    /// `{gilbert-elliott: {good: 10s, bad: 500ms, loss-in-good: 0%, loss-in-bad: 100%}}`
    init(reading settings: inout SettingsReader) {
        let bursts = settings.section("gilbert-elliott", "good and bad times with their own loss") { settings in
            LossModel.gilbertElliott(
                goodMean: settings.required(
                    "good", .span(in: Self.dwell), standIn: .seconds(1), "mean length of a good time"),
                badMean: settings.required(
                    "bad", .span(in: Self.dwell), standIn: .seconds(1), "mean length of a bad time"),
                lossInGood: settings.probability("loss-in-good", default: .zero, "loss in good times"),
                lossInBad: settings.probability("loss-in-bad", default: .one, "loss in bad times"))
        }
        self = bursts ?? .independent(.zero)
    }

    private static let dwell: ClosedRange<TimeSpan> = .milliseconds(1) ... .hours(24)
}

extension SettingsReader {
    /// `links: {wifi: PRESET or map, cellular: ...}`
    mutating func link(_ interface: Interface, roundTrip: TimeSpan?) -> LinkProfile {
        let key = interface == .wifi ? "wifi" : "cellular"
        let usual = LinkPreset.usual(interface, roundTrip: roundTrip)
        let presets = LinkPreset.all.map(\.name)
        let help = "what packets meet on \(key): \(presets.joined(separator: ", ")), or a map"
        let found = custom(key, help) {
            var reader = SettingsReader.describing("link")
            _ = reader.linkMap(over: usual)
            return .either([.word(LinkPreset.all.map { Shape.Word(name: $0.name, about: $0.about) }), reader.shape])
        }
        var sketch = usual
        if let found, found.entries != nil {
            sketch = read(found, of: "the link") { $0.linkMap(over: usual) }.value
        } else if let found, let name = parse(found, LinkPreset.form) {
            sketch = LinkPreset.named(name) ?? usual
        }
        let profile = sketch.profile
        resolve(key, to: profile.node)
        return profile
    }

    fileprivate mutating func linkMap(over usual: LinkSketch) -> LinkSketch {
        var sketch =
            value("preset", LinkPreset.form, "what the other settings start from").flatMap(LinkPreset.named) ?? usual
        if isDescribing {
            sketch.up.read(&self)
        } else {
            // Faults would be noted twice: once is enough, and the second reading finds the same.
            var again = self
            sketch.up.read(&self)
            sketch.down.read(&again)
        }
        _ = section("up", "only from the phone") { sketch.up.read(&$0) }
        _ = section("down", "only to the phone") { sketch.down.read(&$0) }
        return sketch
    }
}

extension LinkPreset {
    static let form = Form<String>.word(all.map { ($0.name, $0.name) })
}

extension LinkProfile {
    /// In full, as `--print-resolved` shows it.
    var node: Node { .map([.init(key: "down", value: down.node), .init(key: "up", value: up.node)]) }
}

extension LinkDirection {
    fileprivate var node: Node {
        .map([
            .init(key: "delay", value: LinkSketch.Way.delays.write(delay)),
            .init(key: "floor", value: Form<TimeSpan>.span().write(floor)),
            .init(key: "loss", value: loss.node),
            .init(key: "rate", value: Form<Int64>.quantity(.rate).write(bitsPerSecond)),
        ])
    }
}

extension LossModel {
    fileprivate var node: Node {
        guard case .gilbertElliott(let good, let bad, let inGood, let inBad) = self else {
            return Self.share.write(self)
        }
        let span = Form<TimeSpan>.span()
        let share = Form<Probability>.probability
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
