import DeadzoneClient
import DeadzonePrimitives

/// What an interface asks before packets may leave over its network.
///
///     open ──timeline──> needs a connection ──a packet wants to leave──> being set up ──so long──> open
///     open, needs a connection ──timeline──> refused, besides ──timeline──> open
struct AccessGate: BitwiseCopyable, Sendable {
    private(set) var isRefused = false
    private(set) var needsConnection = false
    /// What setting it up takes; the longest of all: nobody does.
    private var takes = TimeSpan.longest
    private(set) var opensAt = Instant.never

    var isOpen: Bool { !isRefused && !needsConnection }
    /// What is refused to the app the system has all the same.
    func passes(ofApp: Bool) -> Bool { !needsConnection && !(isRefused && ofApp) }

    /// False: it was so before.
    mutating func become(_ access: Access) -> Bool {
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
    mutating func knock(at now: Instant) {
        guard needsConnection, !isRefused, opensAt == .never, takes < .longest else { return }
        opensAt = now + takes
    }
}

/// The operating system tells of it as `SCNetworkReachability` does: its flags are others, and whoever watches them is called.
/// Assumed: the address stays, so what was open goes on; packets are dropped meanwhile, not kept.
extension Lane {
    mutating func admit(_ access: Access, to interface: Interface, _ stage: inout Stage) -> Bool {
        guard stage.pathRules.system != .android, ports[interface.port].radio != nil,
            ports[interface.port].gate.become(access)
        else { return false }
        guard session.path == interface else { return true }
        session.network.show(ports[interface.port].gate)
        tellNetwork(ports[interface.port].gate.isOpen ? .available : .lost, interface, now: interface, &stage)
        return true
    }

    mutating func mayLeave(_ flight: Flight) -> Bool {
        let port = flight.interface.port
        if ports[port].gate.passes(ofApp: flight.slot != .max) { return true }
        ports[port].gate.knock(at: now)
        pathsAt = min(pathsAt, ports[port].gate.opensAt)
        return false
    }
}

extension NetworkView {
    mutating func show(_ gate: AccessGate) {
        isBlocked = gate.isRefused
        needsConnection = gate.needsConnection
    }
}
