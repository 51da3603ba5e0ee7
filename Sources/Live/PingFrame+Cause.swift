import DeadzoneBase
import DeadzoneCaptures

/// Finds the cause of a segment from its first bytes: ping, pong, TLS handshake.
extension Cause {
    /// The cause of a segment, if its bytes reveal it.
    static func indicated(by payload: ArraySlice<UInt8>) -> Cause? {
        guard let sign = payload.withUnsafeBytes({ PingFrame($0) }) else { return tls(payload) }
        return sign == .ping ? .keepalive : .pong
    }

    /// A TLS handshake record or a change of cipher (RFC 8446, section 5.1).
    private static func tls(_ bytes: ArraySlice<UInt8>) -> Cause? {
        guard bytes.count >= 6, bytes[bytes.startIndex + 1] == 3 else { return nil }
        return bytes.first == 22 || bytes.first == 20 ? .tls : nil
    }
}
