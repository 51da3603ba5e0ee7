import DeadzoneBase
import DeadzoneTransport

/// The documentation of a predefined middlebox (NAT, firewall or load balancer).
package struct MiddleboxDescription: Sendable {
    package let name: String
    /// The timeouts of the middlebox, with their sources.
    package let about: String
    package let page: String

    package static let all = Middlebox.presets.map(MiddleboxDescription.init)

    private init(_ preset: Middlebox.NamedMiddlebox) {
        name = preset.name
        about = preset.about
        let timers = [("TCP", preset.box.tcp), ("UDP", preset.box.udp)].map { name, idle in
            let rule =
                switch idle {
                case .longest: "never forgotten"
                case Middlebox.blocked: "blocked, so no QUIC connection opens"
                default: "forgotten after \(QuantityKind.span.text(idle.nanoseconds))"
                }
            return "\(name): \(rule)."
        }
        let expiryAction =
            switch preset.box.expiryAction {
            case .drop: "Then packets in both directions are dropped silently."
            case .reset: "Then the next packet is answered with RST to its sender."
            case .oneWay: "Then packets to the phone are dropped until the phone sends a packet."
            case .close: "Then both ends are notified at once."
            }
        page = (timers + [expiryAction]).joined(separator: " ")
    }
}
