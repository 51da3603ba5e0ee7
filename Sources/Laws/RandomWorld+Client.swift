public import DeadzoneClient

extension RandomWorld {
    /// One of these clients, or one that does little but over any carrier.
    public mutating func client(of clients: [AnyStrategy]) -> AnyStrategy {
        switch below(4) {
        case 0: return AnyStrategy(Rider(carrier(), ping: once(in: 3) ? nil : seconds(1..<41), moves: !once(in: 3)))
        case 1: return AnyStrategy(Asker(patience: seconds(1..<60), over: carrier()))
        default: return pick(clients)
        }
    }

    private mutating func carrier() -> Carrier {
        var carrier = Carrier(pick(Carrier.Kind.allCases), security: pick(Carrier.Security.allCases))
        if once(in: 4) { carrier.sendBuffer = 2_000 }
        return carrier
    }
}
