/// A thread pool in which idle threads execute a share of a busy thread's loop (work sharing).
///
///     busy ──no own work left──> idle ──a loop is shared──> helping ──share done──> idle
///     idle ──no thread is busy──> ends
public final class WorkSharingPool: @unchecked Sendable {
    private static let workAvailable = 0, loopDone = 1

    private let monitor = Monitor(conditions: 2)
    private var busy = 0
    /// Number of threads that wait for work.
    private var idle = 0
    /// Shares that no thread has taken yet.
    private var openShares: [LoopShare] = []

    /// The loop iterations that one thread executes: every `stride`th index, starting at `first`.
    private struct LoopShare {
        let loop: SharedLoop
        let first: Int
    }

    /// A loop with iterations that are divided among several threads; it exists until all are done. The body stays on
    /// the stack of the thread that shared the loop, which waits for the others.
    private final class SharedLoop {
        let body: UnsafePointer<@Sendable (Int) -> Void>
        let count: Int
        let stride: Int
        var unfinishedShares: Int

        init(_ body: UnsafePointer<@Sendable (Int) -> Void>, count: Int, among stride: Int) {
            self.body = body
            self.count = count
            self.stride = stride
            unfinishedShares = stride - 1
        }

        /// Not inlined, so that no reference to the body remains after it returns.
        @inline(never) func work(from first: Int) {
            for index in Swift.stride(from: first, to: count, by: stride) { body.pointee(index) }
        }
    }

    /// Calls the body once for each index below `count`, on this thread and on the currently idle threads, and
    /// returns when all calls are done. Shares are fixed at the start instead of taken index by index: in repeated
    /// loops each thread then finds its data in its own caches.
    public func each(_ count: Int, _ body: @Sendable (Int) -> Void) {
        withoutActuallyEscaping(body) { body in
            withUnsafePointer(to: body) { place in
                let loop = share(place, count)
                loop.work(from: 0)
                guard loop.stride > 1 else { return }
                monitor.locked { while loop.unfinishedShares > 0 { monitor.wait(for: Self.loopDone) } }
            }
        }
    }

    private func share(_ body: UnsafePointer<@Sendable (Int) -> Void>, _ count: Int) -> SharedLoop {
        monitor.locked {
            let helpers = max(0, min(idle - openShares.count, count - 1))
            let loop = SharedLoop(body, count: count, among: helpers + 1)
            guard helpers > 0 else { return loop }
            for first in 1...helpers { openShares.append(LoopShare(loop: loop, first: first)) }
            monitor.broadcast(Self.workAvailable)
            return loop
        }
    }

    /// Runs a thread's own work, then helps other threads until no thread is busy.
    func work(_ own: () -> Void) {
        monitor.locked { busy += 1 }
        own()
        monitor.locked {
            busy -= 1
            if busy == 0 { monitor.broadcast(Self.workAvailable) }
        }
        while let share = nextShare() {
            share.loop.work(from: share.first)
            monitor.locked {
                share.loop.unfinishedShares -= 1
                if share.loop.unfinishedShares == 0 { monitor.broadcast(Self.loopDone) }
            }
        }
    }

    private func nextShare() -> LoopShare? {
        monitor.locked {
            idle += 1
            defer { idle -= 1 }
            while openShares.isEmpty {
                if busy == 0 { return nil }
                monitor.wait(for: Self.workAvailable)
            }
            return openShares.removeFirst()
        }
    }
}
