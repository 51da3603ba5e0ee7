import DeadzoneBase
import DeadzoneSimulator

/// A queue of real packets that wait until the simulated radio can transmit them, ordered by the time at which they can be
/// sent; packets of one time leave in the order of their arrival. A packet on a slow shared channel does not hold up the
/// other direction. Nearly all packets wait for the same time, so this time is compared once, not for each queued packet
/// at every new one.
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

    mutating func insert(_ pending: PendingPacket) {
        if let lastSchedule, pending.at - pending.lag != lastSchedule.flowsAt { self.lastSchedule = nil }
        var place = packets.count
        while place > head, pending.at < packets[place - 1].at { place -= 1 }
        packets.insert(pending, at: place)
    }

    mutating func removeFirst() -> PendingPacket {
        let pending = packets[head]
        head += 1
        if isEmpty {
            packets.removeAll(keepingCapacity: true)
            head = 0
            lastSchedule = nil
        } else if head > 1_024 && head > packets.count / 2 {
            packets.removeFirst(head)
            head = 0
        }
        return pending
    }

    mutating func removeAll() -> ArraySlice<PendingPacket> {
        defer { self = RadioQueue() }
        return packets[head...]
    }

    /// Moves the queued packets when data flows at another time than the radio announced.
    mutating func reschedule(to flowsAt: Instant, isSlow: Bool, at now: Instant) {
        if let lastSchedule, lastSchedule == (flowsAt, isSlow) { return }
        for index in packets.indices.dropFirst(head) {
            let times = HeldTimes(at: packets[index].at, lag: packets[index].lag)
            if let moved = times.moved(to: flowsAt, isSlow: isSlow, at: now) {
                (packets[index].at, packets[index].lag) = (moved.at, moved.lag)
            }
        }
        // Usually all have moved to one time, and nothing has to be sorted.
        for index in packets.indices.dropFirst(head + 1) {
            var place = index
            while place > head, packets[place].at < packets[place - 1].at {
                packets.swapAt(place, place - 1)
                place -= 1
            }
        }
        lastSchedule = (flowsAt, isSlow)
    }
}
