import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSettings
import DeadzoneTransport
import DeadzoneWorld

/// A world in words, the same for every way of writing the same world. Its fingerprint is the world's hash.
func worldText(
    _ world: World, phone: Node, wifi: RadioSketch?, cellular: RadioSketch?,
    alternates: [(name: String, sketch: RadioSketch)]
) -> String {
    let span = Form<TimeSpan>.span()
    func entry(_ key: String, _ value: Node?) -> [Node.Entry] { value.map { [.init(key: key, value: $0)] } ?? [] }
    let parts: [[Node.Entry]] = [
        entry("duration", span.write(world.horizon - .zero)), entry("phones", .text(String(world.phones))),
        entry("phone", .map(phone.entries?.filter { $0.key != "radios" && $0.key != "platform" } ?? [])),
        entry("kernel", .text(Kernel.shipped.first { $0.kernel == world.kernel }?.name ?? "")),
        entry("platform", world.platform?.node), entry("wifi", wifi?.resolved), entry("cellular", cellular?.resolved),
        alternates.map { .init(key: $0.name, value: $0.sketch.resolved) },
        entry("wifi-link", wifi.map { _ in world.wifiLink.node }),
        entry("cellular-link", cellular.map { _ in world.cellularLink.node }),
        entry("timeline", .list(world.timeline.map(\.node))),
        entry("middleboxes", world.middleboxes.node), entry("resolver", world.resolver?.node),
        entry("wifi-conditions", world.wifiConditions.conditionsNode),
        entry("cellular-conditions", world.cellularConditions.conditionsNode),
        entry("down", world.traffic.down?.node), entry("up", world.traffic.up?.node),
        entry("probe", world.traffic.probe?.node),
        entry("app", world.consumer?.node), world.server.entries,
        entry("encoding", world.traffic.envelope == .none ? nil : .text(Envelope.words.word(world.traffic.envelope))),
        entry("calls", world.traffic.calls?.node),
        entry(
            "answer",
            world.traffic.calls.map { _ in Form<Distribution>.distribution(.size).write(world.traffic.answer) }),
        entry("answers-beside", world.traffic.answersBeside.answersNode),
    ]
    return blockText(.map(parts.flatMap { $0 }))
}

extension TimelineEntry {
    fileprivate var node: Node {
        let span = Form<TimeSpan>.span()
        let parts = [span.write(at - .zero), .text(change.row.text)]
        guard let chance else { return .list(parts) }
        let draws = [span.write(chance.drawnAt - .zero), chance.late.node, chance.longer.node]
        let lot = chance.lot.map { Node.text("\($0.count) of \($0.phones) after \($0.skipped)") }
        let fate = [lot ?? Form<Probability>.probability.write(chance.phones)]
        return .list(parts + draws + fate + (chance.isCommon ? [.text("together")] : []))
    }
}

extension SpanRange {
    /// How far it goes is all that there is to say of a law whose parts are equally likely.
    fileprivate var node: Node {
        switch law.law {
        case .constant, .uniform: Form<TimeSpan>.span().write(spread)
        default: Form<Distribution>.distribution(.span).write(law)
        }
    }
}

extension [LinkProfile] {
    /// What the timeline switches to, by number.
    fileprivate var conditionsNode: Node? { isEmpty ? nil : .list(map(\.node)) }
}

extension [Distribution] {
    /// Bytes of answers, stream by stream.
    fileprivate var answersNode: Node? {
        isEmpty ? nil : .list(map { Form<Distribution>.distribution(.size).write($0) })
    }
}

extension TrafficStream {
    fileprivate var node: Node {
        let span = Form<TimeSpan>.span()
        let recorded = moments.map { span.write($0 - .zero) }
        let parts = later.flatMap { stretch in
            TrafficStream(gap: stretch.gap, size: size, from: stretch.from, until: stretch.until).node.entries ?? []
        }
        return .map(
            [
                .init(key: "gap", value: Form<Distribution>.distribution(.span).write(gap)),
                .init(key: "size", value: Form<Distribution>.distribution(.size).write(size)),
                .init(key: "from", value: span.write(from - .zero)),
                .init(key: "until", value: span.write(until - .zero)),
            ] + (recorded.isEmpty ? [] : [.init(key: "at", value: .list(recorded))])
                + (parts.isEmpty ? [] : [.init(key: "later", value: .list(parts.map(\.value)))])
                + (beside.isEmpty ? [] : [.init(key: "beside", value: .list(beside.map(\.node)))]))
    }
}

extension Array {
    /// As a file spells it, whatever it is called here.
    func word<Value: Equatable>(_ value: Value) -> String where Element == (String, Value) {
        guard let word = first(where: { $0.1 == value }) else { preconditionFailure("\(value) has no word") }
        return word.0
    }
}
