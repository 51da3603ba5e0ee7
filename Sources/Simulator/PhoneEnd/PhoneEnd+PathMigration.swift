package import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// The phone's state for migrating a QUIC connection to another network path.
///
/// The current interface is stored in `ClientConnection`.
struct PathMigration: BitwiseCopyable, Sendable {
    /// `true` if the server allows migration.
    var isAllowed = false
    var path = QUICPath()
    var spare = QUICSpareIDs()
}

/// Migrates QUIC connections: the app moves a connection to another address (RFC 9000 §9), and the server detects it.
/// Both ends validate the new path before they trust it. No middlebox changes an address on the way.
///
/// Where this is inaccurate: a challenge of the phone counts as more than a mere probing packet (§9.1), as if a PING
/// came with it, so the server migrates as well. The server's data to an unvalidated address is not limited to three
/// times what came from there (§8.1). Instead its challenge is kept small enough, and its data is one segment at a
/// time.
extension PhoneEnd {
    /// Migrates the connection to the default network. If it may not migrate, it is lost with its path. Returns `true`
    /// if it migrated; the caller then has to call `validatePath`. In a tunnel there is nothing to migrate.
    package mutating func migrate(
        _ slot: Int, _ permissions: AppPermissions, at now: Instant, _ session: SessionView,
        _ out: inout EffectQueue<PhoneEndEffect>
    ) -> Bool {
        guard connections[slot].isQUIC, connections[slot].belief == .open, let path = session.path,
            permissions.mayUseNetwork, !settings.pointee.keepsAddress
        else {
            return false
        }
        let addressNumber = session.handle
        guard connections[slot].interface != path || connections[slot].addressNumber != addressNumber else {
            return false
        }
        guard connections[slot].protocolState.pathMigration.isAllowed,
            connections[slot].protocolState.pathMigration.spare.takeOne()
        else {
            connections[slot].tcp.close()
            reportDeath(slot, &out)
            reportLoss(slot, .pathLost, permissions, &out)
            return false
        }
        connections[slot].interface = path
        connections[slot].addressNumber = addressNumber
        let timeout = connections[slot].tcp.timer.timeout(.quic)
        connections[slot].protocolState.pathMigration.path.validate(at: now, probeTimeout: timeout)
        connections[slot].tcp.changePath(isProven: true, at: now, connections[slot].upward)
        return true
    }

    package mutating func validatePath(_ slot: Int, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>) {
        sendChallenge(slot, at: now, &out)
        flush(slot, at: now, &out)
    }

    private mutating func sendChallenge(_ slot: Int, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>) {
        let number = connections[slot].protocolState.pathMigration.path.challenge
        connections[slot].tcp.sentPathProbe(at: now, connections[slot].upward)
        transmit(
            Packet(.challenge, cause: .connect, bytes: QUICWire.initial, number: number, stamp: now), slot, &out)
    }

    mutating func receiveChallenge(
        _ packet: Packet, _ slot: Int, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        connections[slot].tcp.receivedPathProbe(at: now, connections[slot].upward)
        connections[slot].tcp.sentPathProbe(at: now, connections[slot].upward)
        transmit(
            Packet(
                .challengeAnswer, cause: .connect, bytes: QUICWire.initial, number: packet.number, stamp: now,
                answering: packet), slot, &out)
    }

    mutating func receiveChallengeAnswer(
        _ packet: Packet, _ slot: Int, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        connections[slot].tcp.receivedPathProbe(at: now, connections[slot].upward)
        guard connections[slot].protocolState.pathMigration.path.acceptResponse(to: packet.number) else { return }
        // The answer brings a new connection ID to replace the one that was used (RFC 9000 §5.1.1).
        connections[slot].protocolState.pathMigration.spare.add()
        connections[slot].tcp.measure(now - packet.echo, connections[slot].upward)
        flush(slot, at: now, &out)
    }

    /// Repeats the challenge on the new path if no response has arrived in time. Returns `false` when the attempts are
    /// used up: the connection has no path.
    mutating func expirePath(_ slot: Int, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>) -> Bool {
        guard connections[slot].protocolState.pathMigration.path.dueAt <= now else { return true }
        guard connections[slot].protocolState.pathMigration.path.expire(at: now) else { return false }
        sendChallenge(slot, at: now, &out)
        return true
    }
}
