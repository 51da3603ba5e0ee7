#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// An operating-system thread; its creator must join it.
package struct Thread {
    /// Simulations do not recurse deeply. Half a megabyte, the default on Darwin, keeps many threads cheap.
    package static let usualStackSize = 512 * 1024
    /// Reading a scenario and writing its page recurse by the nesting of the text: as much as the main thread has.
    package static let readingStackSize = 8 << 20

    private let handle: pthread_t

    /// `nil` if the system cannot create another thread.
    init?(stackSize: Int = usualStackSize, _ body: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stackSize)
        let context = Unmanaged.passRetained(Work(body))
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let status = pthread_create(&thread, &attributes, { context in Thread.enter(context) }, context.toOpaque())
        #if canImport(Darwin)
            let made = status == 0 ? thread : nil
        #else
            let made = status == 0 ? thread as pthread_t? : nil
        #endif
        guard let made else {
            context.release()
            return nil
        }
        handle = made
    }

    func join() { pthread_join(handle, nil) }

    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Darwin passes the context as non-optional, Glibc as optional.
    private static func enter(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let context else { return nil }
        Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
        return nil
    }
}
