/// Threads of which those that have nothing of their own to do help the others.
///
///     busy ──nothing left──> idle ──somebody splits work──> helping ──share done──> idle
///     idle ──nobody is busy──> gone
public final class Team: @unchecked Sendable {
    private static let call = 0, done = 1

    private let monitor = Monitor(bells: 2)
    private var busy = 0
    /// Who waits for a call.
    private var idle = 0
    /// Shares that nobody has taken yet.
    private var open: [Share] = []

    /// Every `stride`th index from the first on.
    private struct Share {
        let split: Split
        let first: Int
    }

    /// Work that somebody has split, until all its shares are done. The body stays with who splits, and waits for them.
    private final class Split {
        let body: UnsafePointer<@Sendable (Int) -> Void>
        let count: Int
        let stride: Int
        var missing: Int

        init(_ body: UnsafePointer<@Sendable (Int) -> Void>, count: Int, among stride: Int) {
            self.body = body
            self.count = count
            self.stride = stride
            missing = stride - 1
        }

        /// Not inlined: nothing holds the body any more when it returns.
        @inline(never) func work(from first: Int) {
            for index in Swift.stride(from: first, to: count, by: stride) { body.pointee(index) }
        }
    }

    /// Calls the body once with every index below `count`, here and on the threads that are idle just then, and returns when
    /// all is done. Each of them gets its share at the start: what is done again and again lies in the caches where it was.
    public func each(_ count: Int, _ body: @Sendable (Int) -> Void) {
        withoutActuallyEscaping(body) { body in
            withUnsafePointer(to: body) { place in
                let split = offer(place, count)
                split.work(from: 0)
                guard split.stride > 1 else { return }
                monitor.locked { while split.missing > 0 { monitor.wait(for: Self.done) } }
            }
        }
    }

    private func offer(_ body: UnsafePointer<@Sendable (Int) -> Void>, _ count: Int) -> Split {
        monitor.locked {
            let helpers = max(0, min(idle - open.count, count - 1))
            let split = Split(body, count: count, among: helpers + 1)
            guard helpers > 0 else { return split }
            for first in 1...helpers { open.append(Share(split: split, first: first)) }
            monitor.ring(Self.call)
            return split
        }
    }

    /// What a thread does by itself, and then for others until nobody is busy.
    func work(_ own: () -> Void) {
        monitor.locked { busy += 1 }
        own()
        monitor.locked {
            busy -= 1
            if busy == 0 { monitor.ring(Self.call) }
        }
        while let share = next() {
            share.split.work(from: share.first)
            monitor.locked {
                share.split.missing -= 1
                if share.split.missing == 0 { monitor.ring(Self.done) }
            }
        }
    }

    private func next() -> Share? {
        monitor.locked {
            idle += 1
            defer { idle -= 1 }
            while open.isEmpty {
                if busy == 0 { return nil }
                monitor.wait(for: Self.call)
            }
            return open.removeFirst()
        }
    }
}
