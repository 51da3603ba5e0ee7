import DeadzonePrimitives
import Testing

@testable import DeadzoneQueue

/// What a queue of lanes means, in the plainest words: one instant per lane, and a search through all of them.
struct QueueOracle {
    private var instants: [Instant]

    init(lanes: Int) { instants = Array(repeating: .never, count: lanes) }

    var count: Int { instants.count { $0 != .never } }

    mutating func schedule(_ lane: UInt32, at instant: Instant) { instants[Int(lane)] = instant }

    func instant(of lane: UInt32) -> Instant { instants[Int(lane)] }

    func first(before limit: Instant) -> Due? {
        var best: Due?
        for (lane, at) in instants.enumerated() where at < limit && at < best?.at ?? .never {
            best = Due(at: at, lane: UInt32(lane))
        }
        return best
    }

    mutating func pop(before limit: Instant) -> Due? {
        let due = first(before: limit)
        if let due { instants[Int(due.lane)] = .never }
        return due
    }
}

/// One thing that can be asked of a queue.
enum QueueStep: Hashable {
    case schedule(UInt32, at: Int64)
    case cancel(UInt32)
    case pop(before: Int64)
    case first(before: Int64)
}

/// Does the same to a queue and to the oracle; answers the first difference.
final class QueueTrial {
    private var queue: DueQueue
    private var oracle: QueueOracle
    private let lanes: Int
    /// How many lanes came up.
    private(set) var popped = 0
    private(set) var lastPopped = Instant.zero

    init(lanes: Int) {
        queue = DueQueue(lanes: lanes)
        oracle = QueueOracle(lanes: lanes)
        self.lanes = lanes
    }

    func take(_ step: QueueStep) -> String? {
        switch step {
        case .schedule(let lane, let at):
            queue.schedule(lane, at: Instant(nanoseconds: at))
            oracle.schedule(lane, at: Instant(nanoseconds: at))
        case .cancel(let lane):
            queue.schedule(lane, at: .never)
            oracle.schedule(lane, at: .never)
        case .pop(let limit):
            let expected = oracle.pop(before: Instant(nanoseconds: limit))
            let got = queue.pop(before: Instant(nanoseconds: limit))
            if got != expected { return "pop(before: \(limit)) gave \(got as Any), not \(expected as Any)" }
            if let got {
                popped += 1
                lastPopped = got.at
            }
        case .first(let limit):
            let expected = oracle.first(before: Instant(nanoseconds: limit))
            let got = queue.first(before: Instant(nanoseconds: limit))
            if got != expected { return "first(before: \(limit)) gave \(got as Any), not \(expected as Any)" }
        }
        return nil
    }

    /// Asks for every lane's instant, then pops all that is left.
    func drain() -> String? {
        for lane in 0..<UInt32(lanes) where queue.instant(of: lane) != oracle.instant(of: lane) {
            return "lane \(lane) is due at \(queue.instant(of: lane)), not at \(oracle.instant(of: lane))"
        }
        while oracle.count > 0 {
            if let difference = take(.pop(before: .max)) { return difference }
        }
        if queue.pop() != nil { return "the drained queue is not empty" }
        return queue.stale == 0 ? nil : "\(queue.stale) entries are left behind in a drained queue"
    }
}

/// Takes the first lane out of a queue, which a macro cannot hold because it cannot be copied.
func expectPop(
    _ queue: inout DueQueue, _ expected: Due?, before limit: Instant = .never,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let due = queue.pop(before: limit)
    #expect(due == expected, sourceLocation: sourceLocation)
}
