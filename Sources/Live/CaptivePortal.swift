import DeadzoneBase

/// A simulated captive portal: it answers in place of every server until the user signs in to the network. It accepts
/// any TCP connection, redirects it to the sign-in page, and closes it.
///
/// It keeps no state: each of its segments follows from the segment that it answers.
enum CaptivePortal {
    static let page = Array(
        "HTTP/1.1 302 Found\r\nLocation: http://portal.test/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)

    /// `nil` if the portal stays silent, for example to packets that are not TCP.
    static func answer(to packet: Datagram, _ name: LiveFlowKey) -> Datagram? {
        guard packet.isTCP, !packet.flags.contains(.rst) else { return nil }
        let next = packet.nextSequence
        if packet.flags.contains(.syn) {
            return name.segment(.down, [.syn, .ack], sequence: 0, acknowledgement: next)
        }
        if packet.payloadLength > 0 {
            return name.segment(
                .down, [.ack, .fin], sequence: packet.acknowledgement, acknowledgement: next, payload: page)
        }
        guard packet.flags.contains(.fin) else { return nil }
        return name.segment(.down, [.ack], sequence: packet.acknowledgement, acknowledgement: next)
    }
}
