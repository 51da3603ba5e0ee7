#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A lock, and bells that who waits under it is woken by.
final class Monitor: @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let bells: UnsafeMutablePointer<pthread_cond_t>
    private let count: Int

    init(bells count: Int) {
        self.count = count
        bells = .allocate(capacity: count)
        pthread_mutex_init(lock, nil)
        for bell in 0..<count { pthread_cond_init(bells + bell, nil) }
    }

    deinit {
        for bell in 0..<count { pthread_cond_destroy(bells + bell) }
        pthread_mutex_destroy(lock)
        bells.deallocate()
        lock.deallocate()
    }

    func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return body()
    }

    /// Under the lock, which is given up meanwhile. It may return without a ring: look again.
    func wait(for bell: Int) { pthread_cond_wait(bells + bell, lock) }

    /// Wakes all who wait for it.
    func ring(_ bell: Int) { pthread_cond_broadcast(bells + bell) }
}
