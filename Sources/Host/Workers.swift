import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Work that is split by index and joined by index: who did which part cannot show in the result.
public enum Workers {
    /// Deep recursion has no place in the work; half a megabyte, Darwin's own default, keeps many threads cheap.
    private static let stackSize = 512 * 1024

    /// Calls the body once with every index below `count`, on `jobs` threads (the calling one among them), and returns the
    /// results in order of their index. The smallest index not yet taken goes first. Once `stop` says so no index is begun
    /// any more, and what was not done is nil.
    public static func run<Result: Sendable>(
        count: Int, jobs: Int, stop: @Sendable () -> Bool = { false }, body: @Sendable (Int) -> Result
    ) -> [Result?] {
        let next = Atomic(0)
        let results = Mutex([Result?](repeating: nil, count: count))
        parallel(max(1, min(jobs, count))) {
            while !stop() {
                let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard index < count else { return }
                let result = body(index)
                results.withLock { $0[index] = result }
            }
        }
        return results.withLock { $0 }
    }

    /// Runs the body on so many threads at once and returns when all are done.
    private static func parallel(_ threads: Int, _ body: @Sendable () -> Void) {
        withoutActuallyEscaping(body) { body in
            let work = Work(body)
            let others = (1..<threads).compactMap { _ in begin(work) }
            body()
            for thread in others { pthread_join(thread, nil) }
        }
    }

    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Nil where the system gives no further thread: the others then do its share.
    private static func begin(_ work: Work) -> pthread_t? {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stackSize)
        let context = Unmanaged.passRetained(work)
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let status = pthread_create(&thread, &attributes, { context in Workers.enter(context) }, context.toOpaque())
        guard status == 0 else {
            context.release()
            return nil
        }
        return thread
    }

    /// Darwin hands the context over as non-optional, Glibc as optional.
    private static func enter(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let context else { return nil }
        Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
        return nil
    }
}
