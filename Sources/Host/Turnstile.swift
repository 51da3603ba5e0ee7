import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Lets one thread at a time pass. A waiting thread can give up, which a mutex does not offer.
package final class Turnstile: Sendable {
    private static let checkMilliseconds: Int32 = 5

    private let isTaken = Atomic(false)

    package init() {}

    /// Calls the body while no other thread is inside. Returns `nil` if `isStopped` becomes `true` while it waits.
    package func pass<Result, Failure: Error>(
        unless isStopped: () -> Bool, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        while !isTaken.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged {
            if isStopped() { return nil }
            poll(nil, 0, Self.checkMilliseconds)
        }
        defer { isTaken.store(false, ordering: .releasing) }
        return try body()
    }
}
