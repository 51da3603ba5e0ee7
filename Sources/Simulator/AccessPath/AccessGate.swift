package import DeadzoneBase

/// Decides whether an app may send packets over a network: access can be refused, or require a connection first.
///
///     open ──timeline──> needs a connection ──packet to send──> being set up ──set-up time──> open
///     open, needs a connection ──timeline──> refused, besides ──timeline──> open
package struct AccessGate: BitwiseCopyable, Sendable {
    private(set) var isRefused = false
    private(set) var needsConnection = false
    /// Time that it takes to set up the required connection; `.longest` if it is never set up automatically.
    private var setupTime = TimeSpan.longest
    package private(set) var opensAt = Instant.never

    var isOpen: Bool { !isRefused && !needsConnection }
    /// `true` if the gate lets packets pass. A refusal (`isRefused`) affects only the app, not the system.
    package func passes(ofApp: Bool) -> Bool { !needsConnection && !(isRefused && ofApp) }

    /// Applies a change of the app's access to the network. Returns `false` if it had no effect.
    package mutating func apply(_ access: Access) -> Bool {
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
            self.setupTime = takes ?? .longest
        }
        return true
    }

    /// Starts setting up the connection that the network requires. Called when a packet is to be sent.
    package mutating func requestConnection(at now: Instant) {
        guard needsConnection, !isRefused, opensAt == .never, setupTime < .longest else { return }
        opensAt = now + setupTime
    }
}

/// Access of the app to a network: conditions that iOS imposes before the app may send packets.
package enum Access: Hashable, Sendable, BitwiseCopyable {
    /// The app may send packets without any condition.
    case open
    /// The user does not permit the app to use the network.
    case refused
    /// The network requires a connection (a tunnel or a data session) first. The first packet to be sent starts the
    /// set-up, which takes this time; `nil` if it is not set up automatically.
    case needsConnection(TimeSpan?)
}
