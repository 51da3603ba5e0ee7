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
        return carrier
    }
}
