import DeadzoneBase
import DeadzoneCaptures

extension Datagram {
    /// The message of a WebSocket's handshake with which the payload begins.
    var handshake: WebSocketHandshake? { isTCP ? payload.withUnsafeBytes { WebSocketHandshake($0) } : nil }
}
