package import DeadzoneBase

/// The network of one interface as it is: its signal, what lies behind the radio, and what the app may use. The
/// simulated phone and a live run hold the same value.
package struct NetworkCondition: BitwiseCopyable, Sendable {
    package private(set) var hasCoverage = true
    private var passesUp = true
    private var passesDown = true
    private var hasUplink = true
    /// The hosts that packets from the network can reach.
    package private(set) var reach = Reach.all
    private var usableFrom = Instant.zero
    /// Until this instant only the captive portal's sign-in page answers.
    package private(set) var portalUntil = Instant.zero
    package private(set) var gate = AccessGate()

    package init() {}

    // MARK: Packets

    /// `true` if the network lets the packet through. Coverage and addresses are not considered.
    /// - Parameters:
    ///   - isOfPortal: `true` for responses of a captive portal, the only packets that reach the phone before sign-in.
    ///   - target: The host to which the packet goes, or from which it comes.
    package func passes(
        _ direction: Direction, ofApp: Bool, isOfPortal: Bool, target: Reach.RemoteHost = .server, at now: Instant
    ) -> Bool {
        guard hasUplink && usableFrom <= now, gate.passes(ofApp: ofApp), reach.contains(target) else { return false }
        if now < portalUntil && direction == .down && !isOfPortal { return false }
        return direction == .up ? passesUp : passesDown
    }

    /// `true` if the phone may send a packet. If the network requires a connection first, this call starts setting it
    /// up. Call it only for packets with coverage and a valid address: no other packet can set up a connection.
    package mutating func maySend(ofApp: Bool, at now: Instant) -> Bool {
        if gate.passes(ofApp: ofApp) { return true }
        gate.requestConnection(at: now)
        return false
    }

    /// `true` while only the captive portal answers.
    package func isPortal(at now: Instant) -> Bool { now < portalUntil }

    /// `true` if a request to the internet would be answered if the interface has signal.
    package func isOnline(at now: Instant) -> Bool {
        isOpen(at: now) && reach.contains(.internet)
    }

    /// `true` if the app's server would answer if the interface has signal.
    package func reachesServer(at now: Instant) -> Bool { isOpen(at: now) && reach.contains(.server) }

    private func isOpen(at now: Instant) -> Bool {
        passesUp && passesDown && hasUplink && usableFrom <= now && portalUntil <= now && gate.isOpen
    }

    /// `true` if the internet is connected and has no captive portal, whatever the app may use. A push needs no more.
    package func isConnected(at now: Instant) -> Bool {
        hasUplink && usableFrom <= now && portalUntil <= now && reach.contains(.internet)
    }

    /// Returns the next instant at which the network changes by itself; `.never` if there is none.
    package func due(after now: Instant) -> Instant {
        var at = gate.opensAt
        if now < usableFrom { at = min(at, usableFrom) }
        if now < portalUntil { at = min(at, portalUntil) }
        return at
    }

    // MARK: Changes. These return `false` if they had no effect

    package mutating func setCoverage(_ isThere: Bool) -> Bool { Self.set(&hasCoverage, isThere) }

    package mutating func setDirection(_ direction: Direction, _ passes: Bool) -> Bool {
        direction == .up ? Self.set(&passesUp, passes) : Self.set(&passesDown, passes)
    }

    package mutating func setUplink(_ isThere: Bool) -> Bool { Self.set(&hasUplink, isThere) }

    package mutating func setAccess(_ access: Access) -> Bool { gate.apply(access) }

    /// The interface has joined the network.
    package mutating func join(
        usableAfter: TimeSpan, portal: TimeSpan?, reach: Reach = .all, at now: Instant
    ) {
        self.reach = reach
        usableFrom = now + usableAfter
        portalUntil = portal.map { now + $0 } ?? .zero
    }

    /// The interface has left the network.
    package mutating func leave() { (usableFrom, portalUntil, reach) = (.zero, .zero, .all) }

    private static func set(_ flag: inout Bool, _ value: Bool) -> Bool {
        guard flag != value else { return false }
        flag = value
        return true
    }
}
