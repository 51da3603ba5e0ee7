import DeadzonePrimitives
import DeadzoneQueue

/// Every client gets messages at exponential gaps; every message arms its timer anew, three mean gaps ahead, so that 95 % of
/// the timers never fire (e^-3 of them do). Messages are the lanes 0 to n - 1, timers the lanes from n on.
struct RearmedTimers: Sendable {
    let clients: Int

    private static let timeout: Int64 = 3_000_000_000

    var benchmark: Benchmark {
        Benchmark(
            name: "timers/\(clients)", about: "timers re-armed on every message, 95 % never fire",
            event: "message, or timer that fires", clients: { _ in clients }, rounds: clients > 10_000 ? 41 : 101,
            isSameWork: true,
            ours: { _ in queue() },
            bare: [BareLoop(name: "bare radix heap, deadlines in an array") { _ in radix() }],
            goal: .ratio(1.25))
    }

    private var count: Int { max(100_000, clients) }

    private func queue() -> Sample {
        Increments.shared.withPointer { gaps in
            var queue = DueQueue(lanes: 2 * clients)
            for client in 0..<clients {
                let at = gaps[client & Increments.mask] + Int64(client % 977)
                queue.schedule(UInt32(client), at: Instant(nanoseconds: at))
                queue.schedule(UInt32(client + clients), at: Instant(nanoseconds: Self.timeout + Int64(client)))
            }
            func step(_ queue: inout DueQueue, _ count: Int) -> UInt64 {
                var check: UInt64 = 0
                for number in 0..<count {
                    guard let due = queue.pop() else { break }
                    let at = due.at.nanoseconds
                    check = check &* 31 &+ UInt64(bitPattern: at) &+ UInt64(due.lane)
                    if due.lane < clients {
                        queue.schedule(due.lane, at: Instant(nanoseconds: at &+ gaps[number & Increments.mask]))
                        queue.schedule(due.lane &+ UInt32(clients), at: Instant(nanoseconds: at &+ Self.timeout))
                    } else {
                        queue.schedule(due.lane, at: Instant(nanoseconds: at &+ Self.timeout))
                    }
                }
                return check
            }
            _ = step(&queue, 2 * clients)
            return .timed { (count, step(&queue, count)) }
        }
    }

    /// Arming writes the deadline into an array; the key of a timer that comes up before its deadline is put back.
    private func radix() -> Sample {
        Increments.shared.withPointer { gaps in
            var radix = BareRadix()
            let deadlines = UnsafeMutablePointer<Int64>.allocate(capacity: clients)
            defer { deadlines.deallocate() }
            for client in 0..<clients {
                let at = gaps[client & Increments.mask] + Int64(client % 977)
                radix.push(BareKey(at: at, lane: UInt32(client)))
                deadlines[client] = Self.timeout + Int64(client)
                radix.push(BareKey(at: deadlines[client], lane: UInt32(client + clients)))
            }
            func step(_ radix: inout BareRadix, _ count: Int) -> UInt64 {
                var check: UInt64 = 0
                var number = 0
                while number < count {
                    var key = radix.pop()
                    if key.lane >= clients, deadlines[Int(key.lane) &- clients] != key.at {
                        key.at = deadlines[Int(key.lane) &- clients]
                        radix.push(key)
                        continue
                    }
                    check = check &* 31 &+ UInt64(bitPattern: key.at) &+ UInt64(key.lane)
                    if key.lane < clients {
                        deadlines[Int(key.lane)] = key.at &+ Self.timeout
                        key.at &+= gaps[number & Increments.mask]
                    } else {
                        key.at &+= Self.timeout
                        deadlines[Int(key.lane) &- clients] = key.at
                    }
                    radix.push(key)
                    number &+= 1
                }
                return check
            }
            _ = step(&radix, 2 * clients)
            return .timed { (count, step(&radix, count)) }
        }
    }
}
