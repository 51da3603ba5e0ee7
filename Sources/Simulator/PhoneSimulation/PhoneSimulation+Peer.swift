import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// The two paths to a peer: a direct one that can be cut off, and a relay that takes longer.
extension PhoneSimulation {
    /// `true` if the packet is on a direct path that is cut off. Packets of both directions meet this check where they
    /// leave the network of the peer, or reach it.
    @inline(__always)
    func isCutOff(_ flight: PacketInFlight, _ context: borrowing WorkerContext) -> Bool {
        guard let peer = context.peer else { return false }
        return peer.pointee.isCutOff && packetNetwork.route(of: flight) == .direct
    }

    /// Returns whether the connection's direct path is dead for good (`isDead`), and whether it is cut off at present
    /// (`isCutOff`).
    func directPath(_ slot: Int, _ context: borrowing WorkerContext) -> (isDead: Bool, isCutOff: Bool) {
        guard let peer = context.peer, packetNetwork.route(of: slot) == .direct else { return (false, false) }
        return (peer.pointee.isDead, peer.pointee.isCutOff)
    }

    /// Notes that the client opens a connection, which may be the direct path.
    func noteOpening(_ transport: Transport, _ context: borrowing WorkerContext) {
        if transport.datagrams.route == .direct { context.peer?.pointee.openDirect() }
    }

    /// Applies a change of the timeline to the direct path.
    mutating func apply(_ change: PeerChange, _ context: inout WorkerContext) -> Bool {
        guard let peer = context.peer, peer.pointee.apply(change) else { return false }
        reassess(&context)
        return true
    }

    /// Notes that the client uses another path.
    func selectPath(_ slot: ConnectionSlot, _ context: inout WorkerContext) {
        guard let peer = context.peer else { return }
        let before = peer.pointee.select(slot.index, at: now)
        recordPath(before, &context)
        if before != nil { journal(.pathSelected, PathCode(slot), &context) }
    }

    /// Records how long the client has used its present path, at the horizon.
    func finishPaths(_ context: inout WorkerContext) {
        guard let peer = context.peer else { return }
        recordPath(peer.pointee.used(until: now), &context)
    }

    private func recordPath(_ used: (slot: UInt8, span: TimeSpan)?, _ context: inout WorkerContext) {
        guard let used, used.span > .zero else { return }
        let kind = PathCode(ConnectionSlot(used.slot)) == .direct ? RecordKind.usedDirect : .usedRelay
        journal(kind, value: used.span.nanoseconds, &context)
    }
}

extension PathCode {
    /// The path of a connection slot of the client `ice`: 0 is the relay, 1 is direct.
    fileprivate init(_ slot: ConnectionSlot) { self = slot.index == 0 ? .relay : .direct }
}
