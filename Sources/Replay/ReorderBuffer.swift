/// Sorts the packets of a capture by time, within a bounded distance.
///
/// A packet that arrives later than the bound is moved to the latest time already processed: radio time never runs
/// backwards.
struct ReorderBuffer: Sendable {
    /// Number of packets held back for stragglers. Captures of several cores or interfaces are out of order by a few
    /// packets.
    static let bound = 256
    /// The most that can be added at once.
    static let batch = 512

    /// In time order: the packets made ready last, then the packets held back, then room for new packets.
    var replayPackets = [ReplayPacket](
        repeating: ReplayPacket(at: 0, bytes: 0, isUp: false), count: ReorderBuffer.bound + ReorderBuffer.batch)
    private var readyCount = 0
    private var count = 0
    private var latest = Int64.min
    private(set) var clamped = 0
    /// `true` while no packet was late by more than the bound, so all packets are in order.
    private var isInOrder = true

    /// Range of the packets that became ready with the last `add`.
    var ready: Range<Int> { 0..<readyCount }

    /// Drops the ready packets and returns the index at which new packets are to be written, in file order.
    mutating func makeRoom() -> Int {
        dropReady()
        return count
    }

    /// Adds the packets that were written there.
    mutating func add(_ appended: AppendedPackets) {
        let places = count..<(count + appended.count)
        if appended.isDisordered
            || count > 0 && appended.count > 0 && replayPackets[count].at < replayPackets[count - 1].at
        {
            Self.sort(&replayPackets, places, &isInOrder)
        }
        count += appended.count
        // The last packet may be earlier than all packets held back; then it is the first to become ready.
        readyCount = max(count - Self.bound, 0)
        clamp()
    }

    private static func sort(_ replayPackets: inout [ReplayPacket], _ appended: Range<Int>, _ isInOrder: inout Bool) {
        var replayPackets = replayPackets.mutableSpan
        for place in appended where place > 0 && replayPackets[place].at < replayPackets[place &- 1].at {
            let replayPacket = replayPackets[place]
            let ready = max(place &- bound, 0)
            var place = place
            while place > ready, replayPacket.at < replayPackets[place &- 1].at {
                replayPackets[place] = replayPackets[place &- 1]
                place &-= 1
            }
            replayPackets[place] = replayPacket
            if place > 0, replayPacket.at < replayPackets[place &- 1].at { isInOrder = false }
        }
    }

    /// Makes all packets ready, at the end of the input.
    mutating func flush() {
        dropReady()
        readyCount = count
        clamp()
    }

    private mutating func dropReady() {
        let waiting = readyCount..<count
        replayPackets.withUnsafeMutableBufferPointer { replayPackets in
            _ = replayPackets.update(fromContentsOf: UnsafeBufferPointer(rebasing: replayPackets[waiting]))
        }
        count = waiting.count
        readyCount = 0
    }

    private mutating func clamp() {
        guard readyCount > 0 else { return }
        if isInOrder, latest <= replayPackets[0].at {
            latest = replayPackets[readyCount - 1].at
        } else {
            Self.clamp(&replayPackets, readyCount, &latest, &clamped)
        }
    }

    private static func clamp(
        _ replayPackets: inout [ReplayPacket], _ count: Int, _ latest: inout Int64, _ clamped: inout Int
    ) {
        var replayPackets = replayPackets.mutableSpan
        for place in 0..<count {
            if replayPackets[place].at < latest {
                clamped += 1
                replayPackets[place].at = latest
            }
            latest = replayPackets[place].at
        }
    }
}

/// Counts packets that are appended to a reorder buffer, and detects whether they are out of order.
struct AppendedPackets {
    var count = 0
    var ofNeighbours = 0
    private var last = -farthest
    private var steps: Int64 = 0

    /// `true` if a packet is earlier than the one before it.
    var isDisordered: Bool { steps < 0 }

    /// Without a branch: any step back sets the sign bit.
    @inline(__always)
    mutating func add(at now: Int64) {
        steps |= now &- last
        last = now
        count &+= 1
    }
}
