#if os(Linux)
    import CTun
#endif

extension Sandbox {
    /// A connection of the phone, TCP or UDP: addresses in network byte order, four bytes for IPv4 and sixteen for IPv6.
    package struct ConnectionEnds: Sendable {
        package var phone: [UInt8]
        package var phonePort: UInt16
        package var server: [UInt8]
        package var serverPort: UInt16
        package var isUDP: Bool

        package init(phone: [UInt8], phonePort: UInt16, server: [UInt8], serverPort: UInt16, isUDP: Bool) {
            self.isUDP = isUDP
            self.phone = phone
            self.phonePort = phonePort
            self.server = server
            self.serverPort = serverPort
        }
    }

    /// State of a connection's socket in the phone's kernel.
    package enum SocketState: Sendable {
        /// The program has not closed it.
        case open
        /// The program has closed it, although the kernel may still have data or a FIN to send.
        case closed
        /// The kernel has no such socket: it never had one, or the socket is gone.
        case absent
        /// The kernel does not report states.
        case unknown
    }

    /// Reads the state of a socket by one exact lookup (sock_diag(7)), so the cost does not depend on the number of
    /// sockets of the host.
    package func socketState(of ends: ConnectionEnds) -> SocketState {
        #if os(Linux)
            var connection = deadzone_connection()
            connection.is_ipv6 = ends.phone.count == 16 ? 1 : 0
            connection.is_udp = ends.isUDP ? 1 : 0
            connection.phone_port = ends.phonePort
            connection.server_port = ends.serverPort
            withUnsafeMutableBytes(of: &connection.phone) { $0.copyBytes(from: ends.phone.prefix(16)) }
            withUnsafeMutableBytes(of: &connection.server) { $0.copyBytes(from: ends.server.prefix(16)) }
            // The states of netinet/tcp.h: 4 FIN_WAIT1, 5 FIN_WAIT2, 6 TIME_WAIT, 7 CLOSE, 9 LAST_ACK, 11 CLOSING.
            switch deadzone_socket_state(&box, &connection) {
            case 0: return .absent
            case 4, 5, 6, 7, 9, 11: return ends.isUDP ? .open : .closed
            case 1...: return .open
            default: return .unknown
            }
        #else
            return .unknown
        #endif
    }
}
