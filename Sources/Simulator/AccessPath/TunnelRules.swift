package import DeadzoneBase

/// Settings of a VPN tunnel on the phone. The defaults are the constants of WireGuard's protocol, and the packet sizes
/// are those of its messages over UDP and IPv4.
///
/// Sources: the protocol page of WireGuard (sizes of messages, timers) and its white paper, section 6: Rekey-After-Time
/// 120 s, Reject-After-Time 180 s, Rekey-Attempt-Time 90 s, Rekey-Timeout 5 s, Keepalive-Timeout 10 s. The queue of 128
/// packets is that of Linux and of wireguard-go.
package struct TunnelRules: Hashable, Sendable, BitwiseCopyable {
    /// The apps that send and receive through the tunnel.
    package enum Routes: UInt8, Hashable, Sendable, BitwiseCopyable { case all, app, otherApps }
    /// The clock of the tunnel's timers on the phone. `uptime` stands still while the processor sleeps.
    package enum TimerClock: UInt8, Hashable, Sendable, BitwiseCopyable { case elapsed, uptime }
    /// Reaction to another default network: move the socket at once, keep it until the session is dead, or end the session
    /// and make a handshake over the new network.
    package enum SocketReaction: UInt8, Hashable, Sendable, BitwiseCopyable { case rebind, keep, renew }

    /// Time without a packet after which the phone sends an empty one; `.longest` if it never does.
    package var keepalive = TimeSpan.longest
    /// Age of a session from which the next packet of the phone starts another handshake.
    package var rekey = TimeSpan.seconds(120)
    /// Time after which a handshake without an answer is repeated.
    package var retry = TimeSpan.seconds(5)
    /// Time after which a handshake is given up, together with the packets that wait for it.
    package var giveUp = TimeSpan.seconds(90)
    /// Age at which both ends refuse a session.
    package var deadAfter = TimeSpan.seconds(180)
    package var clock = TimerClock.elapsed
    package var onPathChange = SocketReaction.rebind
    package var routes = Routes.all
    /// Largest packet of an app that fits into the tunnel, in bytes. IPv6 and QUIC need 1,280.
    package var mtu: UInt16 = 1_420
    /// Bytes that the tunnel adds to each packet of an app: 20 for IPv4, 8 for UDP, 32 for the tunnel.
    package var overhead: UInt16 = 60
    /// Largest number of packets that wait for a session. A further one drops the oldest.
    package var queue: UInt16 = 128

    package init() {}

    /// Time after which an end that has received data, and sent nothing, sends an empty packet. The other end learns
    /// from it that the tunnel works.
    static let passiveKeepalive = TimeSpan.seconds(10)
    /// Time after which the phone starts another handshake, if it has sent data and received nothing.
    var unanswered: TimeSpan { Self.passiveKeepalive + retry }

    /// Sizes in bytes of the messages: 148, 92 and 32 bytes after the headers of UDP and IPv4.
    package static let initiationBytes: UInt32 = 148 + 28
    package static let responseBytes: UInt32 = 92 + 28
    package static let keepaliveBytes: UInt32 = 32 + 28
}
