import DeadzoneCaptures
import DeadzonePrimitives

extension Cause {
    /// Why a segment with these bytes is sent, where they tell.
    static func told(by payload: ArraySlice<UInt8>) -> Cause? {
        guard let sign = payload.withUnsafeBytes({ SignOfLife($0) }) else { return tls(payload) }
        return sign == .ping ? .keepalive : .pong
    }

    /// A handshake record, or a change of ciphers (RFC 8446, section 5.1).
    private static func tls(_ bytes: ArraySlice<UInt8>) -> Cause? {
        guard bytes.count >= 6, bytes[bytes.startIndex + 1] == 3 else { return nil }
        return bytes.first == 22 || bytes.first == 20 ? .tls : nil
    }
}
