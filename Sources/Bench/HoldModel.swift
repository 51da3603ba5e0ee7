import DeadzonePrimitives
import DeadzoneQueue

/// The hold model (Vaucher and Duval, "A comparison of simulation event list algorithms", Communications of the ACM 18(4),
/// 1975): the earliest of n keys is taken out and put back an exponential gap later, again and again.
struct HoldModel: Sendable {
    let lanes: Int

    /// Bytes of a lane's own state that each event reads and writes; with 0 nothing but the queue is timed.
    var touches = false

    var benchmark: Benchmark {
        Benchmark(
            name: touches ? "lanes/\(lanes)" : "hold/\(lanes)",
            about: touches
                ? "hold model in which each event also writes 64 bytes of its lane"
                : "hold model: pop the first, schedule it anew",
            event: "pop and schedule", clients: { _ in lanes }, rounds: lanes > 100_000 ? 9 : 101, isSameWork: true,
            ours: { _ in queue() },
            bare: [
                BareLoop(name: "bare radix heap") { _ in radix() },
                BareLoop(name: "bare 4-ary heap") { _ in heap() },
            ],
            goal: .ratio(1.25))
    }

    private var count: Int { max(100_000, lanes) }

    private func first(_ lane: Int, _ gaps: UnsafePointer<Int64>) -> Int64 {
        gaps[lane & Increments.mask] + Int64(lane % 977)
    }

    private func queue() -> Sample {
        Increments.shared.withPointer { gaps in
            var queue = DueQueue(lanes: lanes)
            let states = LaneStates(touches ? lanes : 0)
            for lane in 0..<lanes { queue.schedule(UInt32(lane), at: Instant(nanoseconds: first(lane, gaps))) }
            func step(_ queue: inout DueQueue, _ count: Int) -> UInt64 {
                var check: UInt64 = 0
                for number in 0..<count {
                    guard let due = queue.pop() else { break }
                    if touches { states.touch(due.lane) }
                    check = check &* 31 &+ UInt64(bitPattern: due.at.nanoseconds) &+ UInt64(due.lane)
                    let next = due.at.nanoseconds &+ gaps[number & Increments.mask]
                    queue.schedule(due.lane, at: Instant(nanoseconds: next))
                }
                return check
            }
            _ = step(&queue, lanes)
            return .timed { (count, step(&queue, count)) }
        }
    }

    private func radix() -> Sample {
        Increments.shared.withPointer { gaps in
            var radix = BareRadix()
            let states = LaneStates(touches ? lanes : 0)
            for lane in 0..<lanes { radix.push(BareKey(at: first(lane, gaps), lane: UInt32(lane))) }
            func step(_ radix: inout BareRadix, _ count: Int) -> UInt64 {
                var check: UInt64 = 0
                for number in 0..<count {
                    var key = radix.pop()
                    if touches { states.touch(key.lane) }
                    check = check &* 31 &+ UInt64(bitPattern: key.at) &+ UInt64(key.lane)
                    key.at &+= gaps[number & Increments.mask]
                    radix.push(key)
                }
                return check
            }
            _ = step(&radix, lanes)
            return .timed { (count, step(&radix, count)) }
        }
    }

    private func heap() -> Sample {
        Increments.shared.withPointer { gaps in
            var heap = BareHeap(capacity: lanes)
            let states = LaneStates(touches ? lanes : 0)
            for lane in 0..<lanes { heap.push(BareKey(at: first(lane, gaps), lane: UInt32(lane))) }
            func step(_ heap: inout BareHeap, _ count: Int) -> UInt64 {
                var check: UInt64 = 0
                for number in 0..<count {
                    var key = heap.top
                    if touches { states.touch(key.lane) }
                    check = check &* 31 &+ UInt64(bitPattern: key.at) &+ UInt64(key.lane)
                    key.at &+= gaps[number & Increments.mask]
                    heap.replaceTop(by: key)
                }
                return check
            }
            _ = step(&heap, lanes)
            return .timed { (count, step(&heap, count)) }
        }
    }
}

/// A cache line of state for each lane, as any engine has that does something when a lane is due. It owns its buffer.
struct LaneStates: ~Copyable {
    private let words: UnsafeMutablePointer<UInt64>

    init(_ lanes: Int) {
        words = .allocate(capacity: lanes * 8)
        words.initialize(repeating: 0, count: lanes * 8)
    }

    deinit { words.deallocate() }

    @inline(__always) func touch(_ lane: UInt32) { words[Int(lane) &* 8] &+= 1 }
}
