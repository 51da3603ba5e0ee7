import DeadzoneBase

/// A FIFO queue of real packets that wait until the simulated radio can transmit them. Nearly all packets wait for the
/// same time, so this time is compared once, not for each queued packet at every new one.
struct RadioQueue {
    private var packets: [PendingPacket] = []
    /// Index of the first packet still in the queue.
    private var head = 0
    /// The schedule that every queued packet has. `nil` if one of them has another.
    private var lastSchedule: (flowsAt: Instant, isSlow: Bool)?

    var isEmpty: Bool { head == packets.count }
    var count: Int { packets.count - head }
    /// When the first packet can be sent.
    var dueAt: Instant { isEmpty ? .never : packets[head].at }

    mutating func append(_ pending: PendingPacket) {
        if let lastSchedule, pending.at - pending.lag != lastSchedule.flowsAt { self.lastSchedule = nil }
        packets.append(pending)
    }

    mutating func removeFirst() -> PendingPacket {
        let pending = packets[head]
        head += 1
        if isEmpty {
            packets.removeAll(keepingCapacity: true)
            head = 0
        } else if head > 1_024 && head > packets.count / 2 {
            packets.removeFirst(head)
            head = 0
        }
        return pending
    }

    /// Returns the last removed packet to the front of the queue.
    mutating func pushFront(_ pending: PendingPacket) {
        lastSchedule = nil
        if head == 0 {
            packets.insert(pending, at: 0)
        } else {
            head -= 1
            packets[head] = pending
        }
    }

    mutating func removeAll() -> ArraySlice<PendingPacket> {
        defer { self = RadioQueue() }
        return packets[head...]
    }

    /// Moves the queued packets when data flows at another time than the radio announced. Their order stays.
    mutating func reschedule(to flowsAt: Instant, isSlow: Bool, at now: Instant) {
        if let lastSchedule, lastSchedule == (flowsAt, isSlow) { return }
        for index in packets.indices.dropFirst(head) where now <= packets[index].at - packets[index].lag {
            if !isSlow { packets[index].lag = .zero }
            packets[index].at = flowsAt + packets[index].lag
        }
        lastSchedule = (flowsAt, isSlow)
    }
}
