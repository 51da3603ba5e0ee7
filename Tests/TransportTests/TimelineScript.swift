import DeadzoneBase
import DeadzoneTransport

/// Timeline of one end of a connection, as in packetdrill: its inputs and the expected packets, one per line.
///
///     0.000 connect        an input: connect, answer (SYN-ACK, with its round trip), write N, ack (all data), hear
///     0.000 > SYN          a packet that leaves: SYN, data, repeat, probe, ack
///     127.000 fail         the end gives up
struct TimelineScript {
    let lines: [String]

    init(_ text: String) {
        lines = text.split(separator: "\n").map { $0.trimmingPrefix(while: \.isWhitespace) }.map(String.init)
            .filter { !$0.isEmpty }
    }

    /// Plays the inputs and returns the actual timeline. It equals `lines` if the script is right.
    func play(_ rules: TCPRules, until end: TimeSpan = .hours(24)) -> [String] {
        let inputs = lines.compactMap { line -> (at: Instant, words: [Substring])? in
            let words = line.split(separator: " ")
            return words[1] == ">" || words[1] == "fail" ? nil : (Self.instant(words[0]), Array(words.dropFirst()))
        }
        let sizes = MessageSizes(.constant(0), dice: Dice(seed: 1, phone: PhoneID(0), purpose: .sizeUp))
        var played: [String] = []
        var socket = TCPEnd()
        var item: UInt32 = 0
        var sent: UInt64 = 0
        func note(_ out: borrowing OutgoingPackets, _ at: Instant) {
            for index in 0..<out.count {
                sent = max(sent, out[index].offset + UInt64(out[index].length))
                played.append("\(Self.text(at)) > \(Self.name(out[index]))")
            }
        }
        func runTimers(before limit: Instant) -> Bool {
            while socket.deadline < limit {
                let at = socket.deadline
                var out = OutgoingPackets()
                let goesOn = socket.expire(at: at, rules, &out)
                note(out, at)
                if !goesOn {
                    played.append("\(Self.text(at)) fail")
                    return false
                }
            }
            return true
        }
        for (at, words) in inputs {
            guard runTimers(before: at) else { return played }
            played.append("\(Self.text(at)) \(words.joined(separator: " "))")
            var out = OutgoingPackets()
            switch words[0] {
            case "connect": socket.connect(at: at, rules, &out)
            case "answer":
                var reply = Packet(.helloReply, cause: .connect, bytes: 60, stamp: at)
                // Without a given round trip, one so short that the minimum timeout applies.
                reply.echo = at - (words.count > 1 ? .milliseconds(Int64(words[1])!) : .nanoseconds(8))
                _ = socket.established(by: reply, at: at, rules)
            case "write":
                _ = socket.write(.control, item, bytes: UInt32(words[1])!, cause: .payload, rules)
                item += 1
            case "ack":
                var ack = Packet(.acknowledgement, cause: .ack, bytes: 52, stamp: at)
                ack.received = sent
                _ = socket.receive(ack, at: at, rules, sizes)
            case "hear":
                var data = Packet(.data, cause: .payload, bytes: 62, stamp: at)
                data.offset = socket.expected
                data.length = 10
                _ = socket.receive(data, at: at, rules, sizes)
            default: preconditionFailure("no such input: \(words)")
            }
            if words[0] != "connect" { socket.flush(at: at, rules, sizes, &out) }
            note(out, at)
        }
        _ = runTimers(before: .zero + end)
        return played
    }

    private static func name(_ packet: Packet) -> String {
        switch (packet.content, packet.cause) {
        case (.hello, _): "SYN"
        case (.data, .retransmit): "repeat"
        case (.data, _): "data"
        case (.keepaliveProbe, _): "probe"
        default: "ack"
        }
    }

    private static func instant(_ text: Substring) -> Instant {
        let parts = text.split(separator: ".")
        return .zero + .seconds(Int64(parts[0])!) + .milliseconds(Int64(parts[1])!)
    }

    private static func text(_ at: Instant) -> String {
        let milliseconds = (at.nanoseconds + 500_000) / 1_000_000
        let fraction = String(milliseconds % 1_000 + 1_000).dropFirst()
        return "\(milliseconds / 1_000).\(fraction)"
    }
}
