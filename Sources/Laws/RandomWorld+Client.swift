import DeadzoneBase
package import DeadzoneClient

extension RandomWorld {
    /// Picks one of these clients, or a simple client with a random transport.
    package mutating func client(of clients: [AnyStrategy]) -> AnyStrategy {
        switch below(4) {
        case 0:
            return AnyStrategy(
                SingleConnectionStrategy(carrier(), ping: once(in: 3) ? nil : seconds(1..<41), migrates: !once(in: 3)))
        case 1: return AnyStrategy(CallingStrategy(timeout: seconds(1..<60), over: carrier()))
        default: return pick(clients)
        }
    }

    private mutating func carrier() -> Transport {
        var carrier = Transport(pick(Transport.TransportKind.allCases), security: pick(Transport.TLSMode.allCases))
        if once(in: 4) { carrier.sendBuffer = 2_000 }
        swap(&dice, &clientDice)
        if carrier.isTCP, once(in: 4) { carrier.setupTimeout = seconds(1..<10) }
        swap(&dice, &clientDice)
        return carrier
    }

    /// Adds a limit for the set-up to the transport of some clients, and lets some wait for a network that is not
    /// metered. With dice of its own, the rest of a world stays as it was.
    mutating func limits(of transport: Node) -> (transport: Node, connect: [Node.MapEntry]) {
        swap(&dice, &clientDice)
        defer { swap(&dice, &clientDice) }
        var limited = transport
        // QUIC has no TCP connection, after which the set-up begins.
        if once(in: 4), transport.scalar != "quic" {
            let limit = Node.MapEntry(key: "setup-timeout", value: .text("\(1 + below(5))s"))
            limited = .map((transport.entries ?? [.init(key: "kind", value: transport)]) + [limit])
        }
        return (limited, once(in: 8) ? [.init(key: "connect", value: .entries([("when", "unmetered")]))] : [])
    }
}
