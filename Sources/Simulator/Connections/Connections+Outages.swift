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
    /// Begins the outage, or gives it another cause.
    /// - Parameters:
    ///   - hasMoved: `true` if a slot's latest connection is not on the phone's default path.
    ///   - hasLostAddress: `true` if the phone has no address any more that one of its connections used.
    mutating func setOutage(_ cause: LossCause, hasMoved: Bool, hasLostAddress: Bool, at now: Instant) {
        let change = changeBehind(cause, hasMoved: hasMoved, hasLostAddress: hasLostAddress)
        outage = OngoingOutage(since: now, change: change, cause: cause)
    }

    /// Ends the period of silence that is being recorded, and begins a new one. Returns the period and its cause; `nil`
    /// if it is empty.
    mutating func endSilence(at now: Instant) -> (tag: SilenceTag, span: TimeSpan)? {
        guard let outage, outage.since < now else { return nil }
        self.outage?.since = now
        return (SilenceTag(outage.cause, change: outage.change), now - outage.since)
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

    private func changeBehind(_ cause: LossCause, hasMoved: Bool, hasLostAddress: Bool) -> UInt16? {
        let active = recentChanges.active
        switch cause {
        case .appStopped, .processEnded: return active ?? recentChanges.app
        case .oldAddress: return recentChanges.move ?? active ?? outage?.change ?? recentChanges.network
        case .noPath: return active ?? outage?.change ?? recentChanges.network
        case .notConnected:
            if let outage { return outage.change ?? active }
            // The client left a working connection, for a better network or by its own decision.
            return active ?? (hasMoved ? recentChanges.network : nil)
        case .deadConnection: return active ?? outage?.change ?? (hasLostAddress ? recentChanges.network : nil)
        default: return active ?? outage?.change
        }
    }
}
