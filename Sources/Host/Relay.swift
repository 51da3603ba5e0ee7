#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Work in two steps, each on a thread of its own: what the first has filled the second takes, in the same order. The loads
/// go round, so that no more are under way than there are; who is ahead waits until half of them are his.
public enum Relay {
    /// Fills loads on the calling thread until there is nothing more, and takes them with `state` on another one. Back when
    /// all are taken. With one load, or where the system gives no thread, both happen here, in turn.
    public static func run<Load: Sendable, State: Sendable>(
        _ loads: [Load], state: inout State, fill: (Load) -> Bool, take: @Sendable @escaping (inout State, Load) -> Void
    ) {
        let belt = Belt(count: loads.count)
        let desk = Desk(state)
        let runner: Thread? =
            loads.count < 2 ? nil : Thread { desk.work { state in belt.empty { take(&state, loads[$0]) } } }
        guard let runner else {
            for load in loads.prefix(1) { while fill(load) { take(&state, load) } }
            return
        }
        belt.fill { fill(loads[$0]) }
        runner.join()
        state = desk.state
    }

    /// Where the state lies while another thread works on it.
    private final class Desk<State: Sendable>: @unchecked Sendable {
        private(set) var state: State
        init(_ state: State) { self.state = state }

        func work(_ body: (inout State) -> Void) { body(&state) }
    }
}

/// Places that are filled and emptied in turn. How many were, each side tells the other under the lock.
private final class Belt: @unchecked Sendable {
    private let count: Int
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let turn = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var filled = 0
    private var emptied = 0
    private var isFinished = false

    init(count: Int) {
        self.count = count
        pthread_mutex_init(lock, nil)
        pthread_cond_init(turn, nil)
    }

    deinit {
        pthread_cond_destroy(turn)
        pthread_mutex_destroy(lock)
        turn.deallocate()
        lock.deallocate()
    }

    func fill(_ body: (Int) -> Bool) {
        var mine = 0
        while body(mine % count) {
            mine += 1
            locked {
                filled = mine
                if half <= filled - emptied { pthread_cond_signal(turn) }
                guard filled - emptied == count else { return }
                while half < filled - emptied { pthread_cond_wait(turn, lock) }
            }
        }
        locked {
            isFinished = true
            pthread_cond_signal(turn)
        }
    }

    func empty(_ body: (Int) -> Void) {
        var mine = 0
        while true {
            let ready = locked {
                emptied = mine
                if filled - emptied <= half { pthread_cond_signal(turn) }
                guard filled == emptied else { return filled }
                while filled - emptied < half, !isFinished { pthread_cond_wait(turn, lock) }
                return filled
            }
            guard mine < ready else { return }
            body(mine % count)
            mine += 1
        }
    }

    private var half: Int { (count + 1) / 2 }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return body()
    }
}
