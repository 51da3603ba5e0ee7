/// A message of the handshake that makes a WebSocket of an HTTP/1.1 connection (RFC 6455, section 4). Before the server
/// accepts, a client has no connection, although TCP has one.
package enum WebSocketHandshake: UInt8, Hashable, Sendable, BitwiseCopyable {
    case request, accepted
    /// Any other answer than status 101: an error, a redirection, or the page of a captive portal.
    case refused
}
