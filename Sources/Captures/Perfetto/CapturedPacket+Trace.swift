extension CapturedPacket {
    /// Sizes of headers, for packets of which only the length of the IP packet is known.
    private enum HeaderSize {
        /// Longest headers of a TCP segment without payload: IPv6 (RFC 8200 §3), and TCP with 40 bytes of options (RFC
        /// 9293 §3.1). A longer segment contains payload in any case.
        static let longestTCP: UInt32 = 40 + 60
        /// IPv4, TCP and the timestamps option with padding (RFC 7323, appendix A), as Linux sends them.
        static let usualTCP: UInt32 = 20 + 20 + 12
        /// IPv4 and UDP.
        static let usualUDP: UInt32 = 20 + 8
    }

    /// A packet of a Perfetto trace. The trace does not say whether the IP version is 4 or 6, and has no sequence
    /// numbers.
    init(_ traced: NetworkTracePacket, at stamp: Timestamp) {
        self.init(stamp: stamp, wireLength: traced.length, capturedLength: 0)
        network = .unstated
        transport = traced.context.transport
        direction = traced.context.direction
        interface = traced.context.interface
        flags = transport == .tcp ? traced.context.flags.intersection(.all) : []
        payloadLength = Self.payload(traced)
    }

    /// Payload of a packet in bytes, estimated from its length.
    ///
    /// A TCP segment has payload if it has the flag PSH, or if it is longer than the longest headers. Its payload is
    /// the rest after the usual headers of IPv4: with IPv6, 20 bytes too many. A segment of up to 100 bytes without PSH
    /// is taken for an acknowledgement. Linux sets PSH on the last segment of each write.
    private static func payload(_ traced: NetworkTracePacket) -> UInt32 {
        switch traced.context.transport {
        case .udp: return max(traced.length, HeaderSize.usualUDP) - HeaderSize.usualUDP
        case .tcp:
            let flags = traced.context.flags
            guard flags.isDisjoint(with: [.syn, .rst]), flags.contains(.psh) || traced.length > HeaderSize.longestTCP
            else { return 0 }
            return max(traced.length, HeaderSize.usualTCP + 1) - HeaderSize.usualTCP
        case .other, .none: return 0
        }
    }
}

extension Dissection {
    /// The ends of the flow of a packet of a Perfetto trace, from the sender's view. Instead of addresses, which are
    /// not stated, the phone's end has the interface.
    ///
    /// The user id is not part of it: the kernel knows the user only of packets with a socket, not of answers to an
    /// unconnected UDP socket or of the last packets of a connection (`bpf_traffic_account` in Connectivity's netd.c).
    /// A local port belongs to one socket at a time. Without local ports, the user id separates at least the apps.
    init(_ context: NetworkContext) {
        let phone = IPAddress.unstated(
            UInt64(context.interface) << 32 | (context.localPort == 0 ? UInt64(context.user ?? 0) : 0))
        let remote = IPAddress.unstated(0)
        hasPorts = context.hasFlow
        direction = context.direction
        (source, sourcePort) = (phone.bits, context.localPort)
        (destination, destinationPort) = (remote.bits, context.remotePort)
        guard context.direction == .down else { return }
        (source, sourcePort) = (remote.bits, context.remotePort)
        (destination, destinationPort) = (phone.bits, context.localPort)
    }
}
