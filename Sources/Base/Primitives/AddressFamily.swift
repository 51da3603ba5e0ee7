/// Addresses of the server that a client's library uses.
public enum AddressFamily: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// Any that the name has.
    case any
    /// IPv4 alone: the library opens sockets of this family.
    case ipv4
    /// An IPv4 address that is written in the app. No name is resolved.
    case literal
}
