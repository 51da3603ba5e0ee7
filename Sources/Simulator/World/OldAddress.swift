/// Reaction of the address that the server has left to packets of TCP. Packets of UDP always vanish there.
package enum OldAddress: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// Packets vanish: no host has the address any more.
    case silent
    /// Another host has the address. It knows no connection and no such service, so it answers with a reset.
    case reset

    package var name: String {
        switch self {
        case .silent: "silent"
        case .reset: "reset"
        }
    }
}
