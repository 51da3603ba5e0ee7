package import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Settings of a peer that phones reach over a relay and directly.
package struct PeerRules: Hashable, Sendable {
    /// Time that the way over the relay takes in addition to the direct way, in each direction.
    package var relayDelay = TimeSpan.milliseconds(30)

    package init(relayDelay: TimeSpan = .milliseconds(30)) { self.relayDelay = relayDelay }
}

/// A change of the direct way to the peer.
package enum PeerChange: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// The peer's address changes. Direct paths that were opened before are dead.
    case moves
    /// Nothing passes directly.
    case blocked
    case open

    package var name: String {
        switch self {
        case .moves: "moves"
        case .blocked: "blocked"
        case .open: "open"
        }
    }
}

/// The state of one phone's paths to its peer.
struct PeerPaths: BitwiseCopyable {
    /// Number of the peer's address.
    private var address: UInt16 = 0
    /// The peer's address to which the present direct path was opened.
    private var openedTo: UInt16 = 0
    private var isBlocked = false
    /// The path that the client uses, and since when; `nil` before the first.
    private(set) var selected: UInt8?
    private var since = Instant.zero

    /// `true` if no packet passes on the present direct path now.
    var isCutOff: Bool { isBlocked || isDead }
    /// `true` if no packet will ever pass on the present direct path.
    var isDead: Bool { openedTo != address }

    /// Applies a change of the timeline. Returns `false` if it changes nothing.
    mutating func apply(_ change: PeerChange) -> Bool {
        switch change {
        case .moves: address &+= 1
        case .blocked, .open:
            guard isBlocked != (change == .blocked) else { return false }
            isBlocked = change == .blocked
        }
        return true
    }

    /// Notes that the client opens the direct path: the signalling has told it the peer's present address.
    mutating func openDirect() { openedTo = address }

    /// Selects a path. Returns the path that was used until now, and for how long; `nil` if there is none.
    mutating func select(_ slot: UInt8, at now: Instant) -> (slot: UInt8, span: TimeSpan)? {
        defer { (selected, since) = (slot, now) }
        return used(until: now)
    }

    /// The path in use, and the time since it was selected.
    func used(until now: Instant) -> (slot: UInt8, span: TimeSpan)? { selected.map { ($0, now - since) } }
}

extension Server {
    /// Applies a change of the timeline to the direct path. Returns `false` if it changes nothing.
    func apply(
        _ change: PeerChange, _ paths: UnsafeMutablePointer<PeerPaths>, _ out: inout EffectQueue<ServerEffect>
    ) -> Bool {
        guard paths.pointee.apply(change) else { return false }
        out.append(.connectionChanged)
        return true
    }

    /// The client uses this path from now on.
    func selectPath(
        _ slot: UInt8, _ paths: UnsafeMutablePointer<PeerPaths>, at now: Instant,
        _ out: inout EffectQueue<ServerEffect>
    ) {
        let before = paths.pointee.select(slot, at: now)
        recordPath(before, &out)
        if before != nil { out.note(.pathSelected, PathCode(slot)) }
    }

    /// Records how long the client has used its present path, at the horizon.
    func finishPaths(
        _ paths: UnsafeMutablePointer<PeerPaths>, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        recordPath(paths.pointee.used(until: now), &out)
    }

    private func recordPath(_ used: (slot: UInt8, span: TimeSpan)?, _ out: inout EffectQueue<ServerEffect>) {
        guard let used, used.span > .zero else { return }
        out.note(PathCode(used.slot) == .direct ? .usedDirect : .usedRelay, value: used.span.nanoseconds)
    }

    /// `true` if the connection is a path to a peer, and another one is open.
    func isSecondPath(_ slot: Int) -> Bool {
        ends[slot].isPeerPath && Self.slots.contains { $0 != slot && ends[$0].isAttached && ends[$0].isPeerPath }
    }

    /// Opens another path of an attached session. The peer continues to send on the path that it uses.
    mutating func openSecondPath(_ slot: Int, _ out: inout EffectQueue<ServerEffect>) {
        ends[slot].isHeld = true
        ends[slot].isAttached = true
        ends[slot].isSuperseded = true
        ends[slot].sessionStart.resumedAt = written.index
        out.append(.attached)
    }

    /// Makes the peer send on this path.
    mutating func nominate(_ slot: Int) {
        for other in Self.slots where ends[other].isPeerPath { ends[other].isSuperseded = other != slot }
    }
}

extension ServerEnd {
    /// `true` if the connection is a path to a peer.
    var isPeerPath: Bool { config.pointee.isDatagram && config.pointee.transport.datagrams.route != .none }
}

extension PathCode {
    /// The path of a connection slot of the client `ice`: 0 is the relay, 1 is direct.
    fileprivate init(_ slot: UInt8) { self = slot == 0 ? .relay : .direct }
}
