import DeadzonePrimitives

/// A network's page that asks to sign in, in the place of every server: it takes any connection, sends whoever asks there, and ends.
/// It remembers nothing; each of its segments follows from the one that it answers.
enum Portal {
    static let page = Array(
        "HTTP/1.1 302 Found\r\nLocation: http://portal.test/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)

    /// Nil: it says nothing, as to whatever is no TCP.
    static func answer(to packet: Datagram, _ name: FlowName) -> Datagram? {
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
