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
    private let monitor = Monitor(bells: 1)
    private var filled = 0
    private var emptied = 0
    private var isFinished = false

    init(count: Int) { self.count = count }

    func fill(_ body: (Int) -> Bool) {
        var mine = 0
        while body(mine % count) {
            mine += 1
            monitor.locked {
                filled = mine
                if half <= filled - emptied { monitor.ring(0) }
                guard filled - emptied == count else { return }
                while half < filled - emptied { monitor.wait(for: 0) }
            }
        }
        monitor.locked {
            isFinished = true
            monitor.ring(0)
        }
    }

    func empty(_ body: (Int) -> Void) {
        var mine = 0
        while true {
            let ready = monitor.locked {
                emptied = mine
                if filled - emptied <= half { monitor.ring(0) }
                guard filled == emptied else { return filled }
                while filled - emptied < half, !isFinished { monitor.wait(for: 0) }
                return filled
            }
            guard mine < ready else { return }
            body(mine % count)
            mine += 1
        }
    }

    private var half: Int { (count + 1) / 2 }
}
