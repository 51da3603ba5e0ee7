package import DeadzoneBase

/// The technology of a radio profile. Bluetooth and cables use the state machine of Wi-Fi: they join a network, send
/// at once or after a short promotion, and rest after a tail.
package enum Technology: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case lte, nrNSA, nrSA, umts, wifi, bluetooth, wired

    /// The name of the technology in profile files.
    package var name: StaticString {
        switch self {
        case .lte: "lte"
        case .nrNSA: "nr-nsa"
        case .nrSA: "nr-sa"
        case .umts: "umts"
        case .wifi: "wifi"
        case .bluetooth: "bluetooth"
        case .wired: "wired"
        }
    }

    /// `true` if the radio joins a network and leaves it: Wi-Fi, Bluetooth and cables.
    package var isLocal: Bool { self == .wifi || self == .bluetooth || self == .wired }

    /// The interface that usually has a radio of this technology.
    package var interface: Interface {
        switch self {
        case .lte, .nrNSA, .nrSA, .umts: .cellular
        case .wifi: .wifi
        case .bluetooth: .bluetooth
        case .wired: .ethernet
        }
    }

    /// `true` if a radio of this interface can have this technology.
    package func fits(_ other: Interface) -> Bool { other == interface || (!isLocal && other.isCellular) }
}
