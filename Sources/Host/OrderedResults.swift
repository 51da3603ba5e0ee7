/// Results that threads compute in any order and one thread takes in order. Threads wait if they are too far ahead, so
/// that few results are in memory.
final class OrderedResults<Result: Sendable>: @unchecked Sendable {
    private static var added: Int { 0 }
    private static var taken: Int { 1 }

    private let monitor = Monitor(conditions: 2)
    private let count: Int
    private var ahead: Int
    private var results: [Int: Result] = [:]
    private var nextIndex = 0
    private var takenCount = 0
    private var threads = 0
    private var isEnded = false

    init(count: Int, ahead: Int) {
        self.count = count
        self.ahead = max(1, ahead)
    }

    func beginThreads(_ count: Int) { monitor.locked { threads += count } }

    /// Call it when a thread adds no further result.
    func endThread() {
        monitor.locked {
            threads -= 1
            monitor.broadcast(Self.added)
        }
    }

    /// Lets threads compute everything before the first result is taken.
    func takesAll() { monitor.locked { ahead = max(1, count) } }

    /// The next index to compute; `nil` if none is left or no result is needed any more.
    func next() -> Int? {
        monitor.locked {
            guard nextIndex < count, !isEnded else { return nil }
            let index = nextIndex
            nextIndex += 1
            while index - takenCount >= ahead, !isEnded { monitor.wait(for: Self.taken) }
            return isEnded ? nil : index
        }
    }

    func add(_ result: Result, _ index: Int) {
        monitor.locked {
            results[index] = result
            monitor.broadcast(Self.added)
        }
    }

    /// Waits for the next result in order; `nil` if there is none.
    func take() -> (index: Int, result: Result)? {
        monitor.locked {
            while results[takenCount] == nil, threads > 0 { monitor.wait(for: Self.added) }
            guard let result = results.removeValue(forKey: takenCount) else { return nil }
            let index = takenCount
            takenCount += 1
            monitor.broadcast(Self.taken)
            return (index, result)
        }
    }

    /// Call it when no further result is needed.
    func end() {
        monitor.locked {
            isEnded = true
            monitor.broadcast(Self.taken)
        }
    }
}
