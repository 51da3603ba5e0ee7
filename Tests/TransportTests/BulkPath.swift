import DeadzoneBase
@testable import DeadzoneTransport

/// Two ends of a connection over a path with a rate, a bounded queue and losses. Segments that arrive are delivered
/// together with their neighbours of the same packet, as in a simulation.
struct BulkPath: ~Copyable {
    struct Conditions {
        var delay = TimeSpan.milliseconds(25)
        var bitsPerSecond: Int64 = 20_000_000
        var queue: TimeSpan?
        /// Losses of a hundred segments, in both directions.
        var lossPercent = 0.0
        /// Late segments of a hundred, and how late they are.
        var latePercent = 0.0
        var lateness = TimeSpan.zero
    }

    private struct Flight {
        var at: Instant
        var number: Int
        var packet: Packet
        var isUp: Bool
    }

    let conditions: Conditions
    let rules: TCPRules
    let sizes: MessageSizes
    private var dice: Dice
    var client = TCPEnd()
    var server = TCPEnd()
    var now = Instant.zero
    private var busy: InlineArray<2, Instant> = [.zero, .zero]
    private var flights: [Flight] = []
    private var count = 0
    /// Number of the message after the last one that was read, and the time, for each read.
    var arrivals: [(end: UInt32, at: Instant)] = []
    var retransmissions = 0
    var drops = 0
    var gaveUp = false

    init(_ conditions: Conditions, messageBytes: UInt32, seed: UInt64 = 1, kernel: Kernel = .linux) {
        self.conditions = conditions
        rules = TCPRules(kernel: kernel, framing: Framing(.webSocket, .none, .up))
        dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
        sizes = MessageSizes(
            .constant(Int64(messageBytes) - 8), dice: Dice(seed: seed, phone: PhoneID(0), purpose: .sizeUp))
        var out = OutgoingPackets()
        client.connect(at: now, rules, &out)
        post(out, isUp: true)
    }

    private mutating func post(_ out: borrowing OutgoingPackets, isUp: Bool) {
        for index in 0..<out.count { transmit(out[index], isUp: isUp) }
    }

    private mutating func transmit(_ packet: Packet, isUp: Bool) {
        if packet.content == .data && packet.cause == .retransmit { retransmissions += Int(packet.parts) }
        let direction = isUp ? 0 : 1
        let parts = packet.parts
        let airtime = TimeSpan.nanoseconds(
            Int64(packet.bytes) * 8_000_000_000 / conditions.bitsPerSecond / Int64(parts))
        var leaves = max(now, busy[direction])
        var arrived: [(part: UInt32, at: Instant)] = []
        for part in 0..<parts {
            if let queue = conditions.queue, queue < leaves - now {
                drops += 1
                continue
            }
            leaves += airtime
            if Double(dice.next().scaled(below: 1_000_000)) < conditions.lossPercent * 10_000 {
                drops += 1
            } else {
                arrived.append((part, leaves))
            }
        }
        busy[direction] = leaves
        var late: [(part: UInt32, at: Instant)] = []
        // As in a simulation, an acknowledgement stands for several.
        if conditions.latePercent > 0 && packet.content != .acknowledgement {
            let isLate = arrived.map { _ in
                Double(dice.next().scaled(below: 1_000_000)) < conditions.latePercent * 10_000
            }
            late = zip(arrived, isLate).filter(\.1).map(\.0)
            arrived = zip(arrived, isLate).filter { !$0.1 }.map(\.0)
        }
        for (part, at) in late {
            let slice = parts > 1 ? packet.slice(part..<part + 1) : packet
            let due = max(at + conditions.lateness, leaves) + conditions.delay
            flights.append(Flight(at: due, number: count, packet: slice, isUp: isUp))
            count += 1
        }
        var begin = 0
        while begin < arrived.count {
            var end = begin + 1
            while end < arrived.count && arrived[end].part == arrived[end - 1].part + 1 { end += 1 }
            var slice = packet
            if parts > 1 {
                slice = packet.slice(arrived[begin].part..<arrived[end - 1].part + 1)
                slice.setSpread(arrived[end - 1].at - arrived[begin].at)
            }
            flights.append(Flight(at: leaves + conditions.delay, number: count, packet: slice, isUp: isUp))
            count += 1
            begin = end
        }
    }

    private mutating func flush(isUp: Bool) {
        var out = OutgoingPackets()
        if isUp { client.flush(at: now, rules, sizes, &out) } else { server.flush(at: now, rules, sizes, &out) }
        post(out, isUp: isUp)
    }

    /// Hands over all messages with numbers below `end`.
    mutating func offer(upTo end: UInt32) {
        client.offer(from: 0, upTo: end)
        flush(isUp: true)
    }

    /// Handles the next event at or before `limit`. Returns `false` if there is none.
    mutating func step(until limit: Instant) -> Bool {
        let next = flights.indices.min { (flights[$0].at, flights[$0].number) < (flights[$1].at, flights[$1].number) }
        let arrives = next.map { flights[$0].at } ?? .never
        let deadline = min(client.deadline, server.deadline)
        guard !gaveUp, min(arrives, deadline) <= limit else {
            now = max(now, limit)
            return false
        }
        now = max(now, min(arrives, deadline))
        if arrives <= deadline, let next {
            deliver(flights.remove(at: next))
        } else {
            let isUp = client.deadline == deadline
            var out = OutgoingPackets()
            gaveUp = isUp ? !client.expire(at: now, rules, &out) : !server.expire(at: now, rules, &out)
            // No flush, as in a simulation: a timer sends everything itself.
            post(out, isUp: isUp)
        }
        return true
    }

    mutating func run(until limit: Instant) { while step(until: limit) {} }

    private mutating func deliver(_ flight: Flight) {
        var out = OutgoingPackets()
        switch (flight.packet.content, flight.isUp) {
        case (.hello, _): server.accept(flight.packet, at: now, rules, &out)
        case (.helloReply, _): _ = client.established(by: flight.packet, at: now, rules)
        case (_, true):
            _ = server.receive(flight.packet, at: now, rules, sizes)
            while let frames = client.take(upTo: server.expected, rules, sizes) { arrivals.append((frames.last, now)) }
        case (_, false): _ = client.receive(flight.packet, at: now, rules, sizes)
        }
        post(out, isUp: !flight.isUp)
        flush(isUp: flight.isUp ? false : true)
    }
}
