/// Whose QUIC an app has.
public enum QUICLibrary: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// As RFC 9002 recommends.
    case standard
    case quicGo, aioquic, quiche
}
