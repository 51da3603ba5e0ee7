import Synchronization

/// A thread pool in which idle threads execute a share of a busy thread's loop (work sharing).
///
///     busy ──no own work left──> idle ──a loop is shared──> helping ──share or loop done──> idle
///     idle ──no thread is busy──> ends
package final class WorkSharingPool: @unchecked Sendable {
    private static let workAvailable = 0, loopDone = 1

    private let monitor = Monitor(conditions: 2)
    private var busy = 0
    /// Number of threads that wait for work.
    private var idle = 0
    /// Shares that no thread has taken yet.
    private var openShares: [LoopShare] = []
    /// Loops that idle threads can join, the outermost of each thread first.
    private var openLoops: [OpenLoop] = []

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
    package func each(_ count: Int, _ body: @Sendable (Int) -> Void) {
        withoutActuallyEscaping(body) { body in
            withUnsafePointer(to: body) { place in
                let loop = share(place, count)
                loop.work(from: 0)
                guard loop.stride > 1 else { return }
                monitor.locked { while loop.unfinishedShares > 0 { monitor.wait(for: Self.loopDone) } }
            }
        }
    }

    /// Calls the body once for each index below `count`, on this thread and on all threads that are idle or become idle
    /// meanwhile, and returns when all calls are done. Each thread takes the smallest free index next, so that loops of
    /// unequal steps keep all threads busy until the end.
    /// - Parameter stop: when it returns `true`, no further index is started.
    package func eachInTurn(_ count: Int, stop: @Sendable () -> Bool = { false }, _ body: @Sendable (Int) -> Void) {
        withoutActuallyEscaping(stop) { stop in
            withoutActuallyEscaping(body) { body in
                let loop = OpenLoop(count: count, stop: stop, body)
                monitor.locked {
                    openLoops.append(loop)
                    if idle > 0 { monitor.broadcast(Self.workAvailable) }
                }
                loop.work()
                monitor.locked {
                    openLoops.removeAll { $0 === loop }
                    while loop.helpers > 0 { monitor.wait(for: Self.loopDone) }
                }
                loop.end()
            }
        }
    }

    /// A loop that further threads join while it has free indices. The thread that opened it waits for them.
    private final class OpenLoop {
        private let count: Int
        private let next = Atomic(0)
        private var stop: (@Sendable () -> Bool)?
        private var body: (@Sendable (Int) -> Void)?
        /// Number of other threads that work on it.
        var helpers = 0

        init(count: Int, stop: @escaping @Sendable () -> Bool, _ body: @escaping @Sendable (Int) -> Void) {
            self.count = count
            self.stop = stop
            self.body = body
        }

        var hasFreeIndex: Bool { next.load(ordering: .relaxed) < count }

        func work() {
            guard let stop, let body else { return }
            while !stop() {
                let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard index < count else { return }
                body(index)
            }
        }

        /// Releases the closures, which live only as long as the call that passed them.
        func end() { (stop, body) = (nil, nil) }
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
        while let help = nextHelp() {
            switch help {
            case .share(let share): share.loop.work(from: share.first)
            case .loop(let loop): loop.work()
            }
            monitor.locked {
                let isLast: Bool
                switch help {
                case .share(let share):
                    share.loop.unfinishedShares -= 1
                    isLast = share.loop.unfinishedShares == 0
                case .loop(let loop):
                    loop.helpers -= 1
                    isLast = loop.helpers == 0
                }
                if isLast { monitor.broadcast(Self.loopDone) }
            }
        }
    }

    /// A piece of work that an idle thread can do for a busy one.
    private enum Help {
        case share(LoopShare)
        case loop(OpenLoop)
    }

    private func nextHelp() -> Help? {
        monitor.locked {
            idle += 1
            defer { idle -= 1 }
            while true {
                if !openShares.isEmpty { return .share(openShares.removeFirst()) }
                if let loop = openLoops.first(where: \.hasFreeIndex) {
                    loop.helpers += 1
                    return .loop(loop)
                }
                if busy == 0 { return nil }
                monitor.wait(for: Self.workAvailable)
            }
        }
    }
}
