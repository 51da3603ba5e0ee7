import DeadzoneClient
public import DeadzonePrimitives

/// What an interface asks before packets may leave over its network.
///
///     open ──timeline──> needs a connection ──a packet wants to leave──> being set up ──so long──> open
///     open, needs a connection ──timeline──> refused, besides ──timeline──> open
public struct AccessGate: BitwiseCopyable, Sendable {
    private(set) var isRefused = false
    private(set) var needsConnection = false
    /// What setting it up takes; the longest of all: nobody does.
    private var takes = TimeSpan.longest
    public private(set) var opensAt = Instant.never

    public init() {}

    var isOpen: Bool { !isRefused && !needsConnection }
    /// What is refused to the app the system has all the same.
    public func passes(ofApp: Bool) -> Bool { !needsConnection && !(isRefused && ofApp) }

    /// False: it was so before.
    public mutating func become(_ access: Access) -> Bool {
        switch access {
        case .open:
            guard !isOpen else { return false }
            self = AccessGate()
        case .refused:
            guard !isRefused else { return false }
            isRefused = true
            opensAt = .never
        case .needsConnection(let takes):
            guard !needsConnection else { return false }
            needsConnection = true
            self.takes = takes ?? .longest
        }
        return true
    }

    /// A packet wants to leave.
    public mutating func knock(at now: Instant) {
        guard needsConnection, !isRefused, opensAt == .never, takes < .longest else { return }
        opensAt = now + takes
    }
}

extension NetworkView {
    mutating func show(_ gate: AccessGate) {
        isBlocked = gate.isRefused
        needsConnection = gate.needsConnection
    }
}
