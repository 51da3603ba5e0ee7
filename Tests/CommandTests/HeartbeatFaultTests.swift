import DeadzoneCommand
import Testing

/// Broken: a heartbeat that nobody can be given is nothing, in silence; or one that somebody is given is refused for the others.
@Test(
    arguments: [
        ("grpc", "asks", false), ("grpc", "expects", false), ("grpc", "beats", true), ("polling", "beats", false),
        ("{kind: grpc, stream: false}", "beats", false), ("datagram", "asks", false), ("websocket", "expects", true),
        ("quic", "asks", true),
    ])
func aHeartbeatForNobodyIsAFault(_ transport: String, _ kind: String, _ isFine: Bool) throws {
    let shop = try Workshop()
    let text = """
        version: 1
        name: Beats
        duration: 5m
        phone: {radios: {wifi: wifi-aro}}
        server: {heartbeat: {kind: \(kind), every: 30s}}
        strategies: {a: {strategy: composed, transport: \(transport)}}
        """
    try shop.write("a.yaml", text)
    let alone = shop.run("lint @a.yaml")
    #expect((alone.code == .ok) == isFine, "\(alone.errors)")
    #expect(isFine || (alone.output + alone.errors).contains("`heartbeat` that no strategy here can be given"))
    try shop.write("b.yaml", text.replacing("{a:", with: "{b: {strategy: composed}, a:"))
    #expect(shop.run("lint @b.yaml").code == .ok)
}
