/// The QUIC library that an app uses; it determines default timeouts.
public enum QUICLibrary: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// A library that follows the recommendations of RFC 9002.
    case standard
    case quicGo, aioquic, quiche
}
