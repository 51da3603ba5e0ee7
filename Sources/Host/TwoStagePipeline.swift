/// A pipeline of two threads: the first fills buffers with data, the second consumes them in the same order. The
/// buffers (loads) are reused in a ring, so their number limits the items in flight. The stage that is ahead waits
/// until half of the loads are available to it.
package enum TwoStagePipeline {
    /// Fills loads on the calling thread until `fill` returns `false`, and takes them with `state` on another thread.
    /// Returns when all loads are taken. With one load, or if the system creates no thread, both stages alternate on
    /// the calling thread.
    package static func run<Load: Sendable, State: Sendable>(
        _ loads: [Load], state: inout State, fill: (Load) -> Bool, take: @Sendable @escaping (inout State, Load) -> Void
    ) {
        let buffer = BoundedBuffer(count: loads.count)
        let stateBox = StateBox(state)
        let consumer: Thread? =
            loads.count < 2 ? nil : Thread { stateBox.update { state in buffer.empty { take(&state, loads[$0]) } } }
        guard let consumer else {
            for load in loads.prefix(1) { while fill(load) { take(&state, load) } }
            return
        }
        buffer.fill { fill(loads[$0]) }
        consumer.join()
        state = stateBox.state
    }

    /// Holds the state of the consuming stage while its thread works on it.
    private final class StateBox<State: Sendable>: @unchecked Sendable {
        private(set) var state: State
        init(_ state: State) { self.state = state }

        func update(_ body: (inout State) -> Void) { body(&state) }
    }
}

/// A ring buffer with a fixed number of slots, for one producer thread and one consumer thread. Both counters are
/// updated under the lock.
private final class BoundedBuffer: @unchecked Sendable {
    private let count: Int
    private let monitor = Monitor(conditions: 1)
    private var filled = 0
    private var emptied = 0
    private var isFinished = false

    init(count: Int) { self.count = count }

    func fill(_ body: (Int) -> Bool) {
        var position = 0
        while body(position % count) {
            position += 1
            monitor.locked {
                filled = position
                if half <= filled - emptied { monitor.broadcast(0) }
                guard filled - emptied == count else { return }
                while half < filled - emptied { monitor.wait(for: 0) }
            }
        }
        monitor.locked {
            isFinished = true
            monitor.broadcast(0)
        }
    }

    func empty(_ body: (Int) -> Void) {
        var position = 0
        while true {
            let ready = monitor.locked {
                emptied = position
                if filled - emptied <= half { monitor.broadcast(0) }
                guard filled == emptied else { return filled }
                while filled - emptied < half, !isFinished { monitor.wait(for: 0) }
                return filled
            }
            guard position < ready else { return }
            body(position % count)
            position += 1
        }
    }

    private var half: Int { (count + 1) / 2 }
}
