import DeadzoneBase
import DeadzoneSimulator
import DeadzoneTransport

/// The canonical text of a scenario without its strategies (world): equal for all files that describe the same world.
/// Its fingerprint is the world's hash.
func worldText(
    _ world: World, phone: Node, wifi: RadioSketch?, cellular: RadioSketch?,
    alternates: [(name: String, sketch: RadioSketch)], further: [(interface: Interface, sketch: RadioSketch)]
) -> String {
    let span = ValueFormat<TimeSpan>.span()
    func entry(_ key: String, _ value: Node?) -> [Node.MapEntry] { value.map { [.init(key: key, value: $0)] } ?? [] }
    let parts: [[Node.MapEntry]] = [
        entry("duration", span.write(world.horizon - .zero)), entry("phones", .text(String(world.phones))),
        entry("phone", .map(phone.entries?.filter { $0.key != "radios" && $0.key != "platform" } ?? [])),
        entry("kernel", .text(Kernel.shipped.first { $0.kernel == world.kernel }?.name ?? "")),
        entry("platform", world.platform?.node), entry("wifi", wifi?.resolved.withoutProse),
        entry("cellular", cellular?.resolved.withoutProse),
        alternates.map { .init(key: $0.name, value: $0.sketch.resolved.withoutProse) },
        entry("wifi-link", wifi.map { _ in world.wifiLink.node }),
        entry("cellular-link", cellular.map { _ in world.cellularLink.node }),
        zip(further, world.furtherNetworks).flatMap { radio, network in
            entry(network.interface.name, radio.sketch.resolved.withoutProse)
                + entry("\(network.interface.name)-links", .list(network.links.map(\.node)))
        },
        entry("timeline", .list(world.timeline.map(\.node))),
        entry("middleboxes", world.middleboxes.node), entry("resolver", world.resolver?.node),
        entry("wifi-conditions", world.wifiConditions.conditionsNode),
        entry("cellular-conditions", world.cellularConditions.conditionsNode),
        entry("down", world.traffic.down?.node), entry("up", world.traffic.up?.node),
        entry("probe", world.traffic.probe?.node),
        entry("app", world.consumer?.node), world.server.entries,
        entry("server-versions", world.serverVersions.versionsNode),
        entry("encoding", world.traffic.envelope == .none ? nil : .text(Envelope.words.word(world.traffic.envelope))),
        entry("calls", world.traffic.calls?.node),
        entry(
            "answer",
            world.traffic.calls.map { _ in ValueFormat<Distribution>.distribution(.size).write(world.traffic.answer) }),
        entry("answers-beside", world.traffic.parallelAnswers.answersNode),
    ]
    return blockText(.map(parts.flatMap { $0 }))
}

extension Node {
    /// A profile without its descriptions: a better text or another citation of the same number is the same world.
    fileprivate var withoutProse: Node {
        guard let entries else { return self }
        let prose = ["about", "note", "source", "sources", "trust"]
        return .map(
            entries.filter { !prose.contains($0.key) }.map { .init(key: $0.key, value: $0.value.withoutProse) })
    }
}

extension TimelineEntry {
    fileprivate var node: Node {
        let span = ValueFormat<TimeSpan>.span()
        let parts = [span.write(at - .zero), .text(change.labels.text)]
        guard let occurrence else { return .list(parts) }
        let draws = [span.write(occurrence.drawnAt - .zero), occurrence.extraDelay.node, occurrence.extraLength.node]
        let sampler = occurrence.sampler.map { Node.text("\($0.count) of \($0.phones) after \($0.skipped)") }
        let fate = [sampler ?? ValueFormat<Probability>.probability.write(occurrence.phones)]
        return .list(parts + draws + fate + (occurrence.isCommon ? [.text("together")] : []))
    }
}

extension SpanRange {
    /// For constant and uniform distributions only the spread is relevant; other distributions are written in full.
    fileprivate var node: Node {
        switch law.law {
        case .constant, .uniform: ValueFormat<TimeSpan>.span().write(spread)
        default: ValueFormat<Distribution>.distribution(.span).write(law)
        }
    }
}

extension [ServerProfile] {
    /// The versions that the timeline switches to, in the order of their numbers.
    fileprivate var versionsNode: Node? { isEmpty ? nil : .list(map { .map($0.entries) }) }
}

extension [LinkProfile] {
    /// The links that the timeline switches to, in the order of their numbers.
    fileprivate var conditionsNode: Node? { isEmpty ? nil : .list(map(\.node)) }
}

extension [Distribution] {
    /// Sizes of answers, by stream.
    fileprivate var answersNode: Node? {
        isEmpty ? nil : .list(map { ValueFormat<Distribution>.distribution(.size).write($0) })
    }
}

extension TrafficStream {
    fileprivate var node: Node {
        let span = ValueFormat<TimeSpan>.span()
        let recorded = recordedTimes.map { span.write($0 - .zero) }
        let parts = laterPeriods.flatMap { stretch in
            TrafficStream(gap: stretch.gap, size: size, from: stretch.from, until: stretch.until).node.entries ?? []
        }
        return .map(
            [
                .init(key: "gap", value: ValueFormat<Distribution>.distribution(.span).write(gap)),
                .init(key: "size", value: ValueFormat<Distribution>.distribution(.size).write(size)),
                .init(key: "from", value: span.write(from - .zero)),
                .init(key: "until", value: span.write(until - .zero)),
            ] + (push.map { [.init(key: "push", value: $0.node)] } ?? [])
                + (recorded.isEmpty ? [] : [.init(key: "at", value: .list(recorded))])
                + (parts.isEmpty ? [] : [.init(key: "later", value: .list(parts.map(\.value)))])
                + (parallelStreams.isEmpty ? [] : [.init(key: "beside", value: .list(parallelStreams.map(\.node)))]))
    }
}

extension Array {
    /// The word for a value, as users write it.
    func word<Value: Equatable>(_ value: Value) -> String where Element == (String, Value) {
        guard let word = first(where: { $0.1 == value }) else { preconditionFailure("\(value) has no word") }
        return word.0
    }
}
