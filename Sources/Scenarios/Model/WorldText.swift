import DeadzoneEngine
import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneSettings

/// A world in words, the same for every way of writing the same world. Its fingerprint is the world's hash.
func worldText(_ world: World, phone: Node, wifi: RadioSketch?, cellular: RadioSketch?) -> String {
    let span = Form<TimeSpan>.span()
    func entry(_ key: String, _ value: Node?) -> [Node.Entry] { value.map { [.init(key: key, value: $0)] } ?? [] }
    let parts: [[Node.Entry]] = [
        entry("duration", span.write(world.horizon - .zero)), entry("phones", .text(String(world.phones))),
        entry("phone", .map(phone.entries?.filter { $0.key != "radios" } ?? [])), entry("wifi", wifi?.resolved),
        entry("cellular", cellular?.resolved), entry("wifi-link", wifi.map { _ in world.wifiLink.node }),
        entry("cellular-link", cellular.map { _ in world.cellularLink.node }),
        entry("timeline", .list(world.timeline.map { .list([span.write($0.at - .zero), $0.change.node]) })),
        entry("down", world.traffic.down?.node), entry("up", world.traffic.up?.node),
        entry("probe", world.traffic.probe?.node),
        entry("accepts-per-second", world.server.acceptsPerSecond.map { .text(String($0)) }),
    ]
    return blockText(.map(parts.flatMap { $0 }))
}

extension Change {
    fileprivate var node: Node {
        switch self {
        case .pathUp(let interface): .text("up-\(interface.name)")
        case .pathDown(let interface, let manner):
            .text("down-\(interface.name)-\(manner == .silent ? "silent" : "error")")
        case .coverage(let interface, let present): .text("\(present ? "light" : "dark")-\(interface.name)")
        case .cellHandover: .text("cell-handover")
        case .app(let foreground): .text(foreground ? "foreground" : "background")
        }
    }
}

extension TrafficStream {
    fileprivate var node: Node {
        let span = Form<TimeSpan>.span()
        return .map([
            .init(key: "gap", value: Form<Distribution>.distribution(.span).write(gap)),
            .init(key: "size", value: Form<Distribution>.distribution(.size).write(size)),
            .init(key: "from", value: span.write(from - .zero)), .init(key: "until", value: span.write(until - .zero)),
        ])
    }
}
