import DeadzoneBase
import DeadzoneTransport

/// The outage that lasts: the phone has no working connection for the present reason.
struct OngoingOutage: BitwiseCopyable {
    /// Start of the silence that is being recorded: since when the present reason applies.
    var since: Instant
    /// Index of the timeline change that led to it; `nil` if none did.
    var change: UInt16?
    var cause: LossCause
}

/// Finds out why the phone has no working connection, and which timeline change led to it. Both are recorded when they
/// change, and lost messages are charged to them.
///
/// A change is charged for what it causes at once: a connection that ends, an app that is stopped. A later effect,
/// such as the freezer of the operating system, is charged to the latest change that could lead to it. An outage that
/// goes on for another reason without a new change stays charged to its first change.
extension Connections {
    /// Begins the outage, or updates the reason for which no connection works.
    /// - Parameter cause: The reason; `nil` if it follows from the facts.
    mutating func updateOutage(
        _ facts: OutageFacts, cause: LossCause? = nil, at now: Instant, _ out: inout EffectQueue<ConnectionsEffect>
    ) {
        let cause = cause ?? missingConnectionCause(facts)
        guard outage?.cause != cause else { return }
        let change = changeBehind(cause, facts)
        recordSilence(at: now, &out)
        outage = OngoingOutage(since: now, change: change, cause: cause)
        out.append(.outageChanged)
    }

    /// Ends the outage, because a connection works.
    mutating func endOutage(at now: Instant, _ out: inout EffectQueue<ConnectionsEffect>) {
        guard outage != nil else { return }
        recordSilence(at: now, &out)
        outage = nil
        out.append(.outageChanged)
    }

    /// Records the period of silence that ends now, and begins a new one.
    mutating func recordSilence(at now: Instant, _ out: inout EffectQueue<ConnectionsEffect>) {
        guard let outage, outage.since < now else { return }
        self.outage?.since = now
        out.note(
            .silent, SilenceTag(outage.cause, change: outage.change), value: (now - outage.since).nanoseconds)
    }

    // MARK: The cause

    /// The slot of a connection that the client believes open and that is dead, or else of one that is cut off; `nil`
    /// if there is none.
    var brokenSlot: Int? {
        for slot in Self.slots where truths[slot].state == .dead { return slot }
        return Self.slots.first { truths[$0].state == .blocked }
    }

    /// The reason for which no connection works.
    func missingConnectionCause(_ facts: OutageFacts) -> LossCause {
        if !facts.appLives { return .processEnded }
        if facts.appIsStopped { return .appStopped }
        if let brokenSlot {
            return truths[brokenSlot].state == .dead ? deathCause(facts.connection) : blockedCause(facts)
        }
        if !facts.serverAcceptsSessions { return .serverUnavailable }
        if facts.tokenIsExpired { return .credentialsExpired }
        guard facts.networkWorks else { return .noPath }
        return facts.latestAddressIsOld ? .oldAddress : .notConnected
    }

    /// The reason for which a connection is cut off.
    private func blockedCause(_ facts: OutageFacts) -> LossCause {
        let connection = facts.connection
        if connection.middleboxes == .waitsForUplink && connection.networkWorks { return .mappingForgotten }
        if facts.tunnelMappingIsForgotten { return .mappingForgotten }
        return connection.serverIsFrozen || connection.serverIsDown ? .serverUnavailable : .noPath
    }

    /// The reason for which a connection that the client believes open is dead.
    private func deathCause(_ connection: ConnectionFacts) -> LossCause {
        if connection.isAtOldAddress && !connection.isClosedByKernel { return .oldAddress }
        // A box that cuts off UDP has never had a mapping.
        if connection.middleboxes == .cut { return connection.isUDP ? .deadConnection : .mappingForgotten }
        guard connection.hasItsAddress, !connection.isClosedByKernel else { return .deadConnection }
        // At the beginning of an outage, and when the server changes, the server ended the connection by itself. Later
        // it ended the connection because it got no answers.
        let isByServer = outage == nil || recentChanges.activeIsOfServer
        if connection.serverIsDown || (isByServer && !connection.isServed) { return .serverUnavailable }
        return outage?.cause == .serverUnavailable ? .serverUnavailable : .deadConnection
    }

    // MARK: The change

    private func changeBehind(_ cause: LossCause, _ facts: OutageFacts) -> UInt16? {
        let active = recentChanges.active
        switch cause {
        case .appStopped, .processEnded: return active ?? recentChanges.app
        case .oldAddress: return recentChanges.move ?? active ?? outage?.change ?? recentChanges.network
        case .noPath: return active ?? outage?.change ?? recentChanges.network
        case .notConnected:
            if let outage { return outage.change ?? active }
            // The client left a working connection, for a better network or by its own decision.
            return active ?? (facts.hasMoved ? recentChanges.network : nil)
        case .deadConnection: return active ?? outage?.change ?? (facts.hasLostAddress ? recentChanges.network : nil)
        default: return active ?? outage?.change
        }
    }
}
