#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A mutex together with condition variables on which threads can wait.
final class Monitor: @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let conditions: UnsafeMutablePointer<pthread_cond_t>
    private let count: Int

    init(conditions count: Int) {
        self.count = count
        conditions = .allocate(capacity: count)
        pthread_mutex_init(lock, nil)
        for condition in 0..<count { pthread_cond_init(conditions + condition, nil) }
    }

    deinit {
        for condition in 0..<count { pthread_cond_destroy(conditions + condition) }
        pthread_mutex_destroy(lock)
        conditions.deallocate()
        lock.deallocate()
    }

    func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return body()
    }

    /// Waits for a condition variable. Call it with the lock held; the lock is released during the wait. Wake-ups can
    /// be spurious, so check the condition again.
    func wait(for condition: Int) { pthread_cond_wait(conditions + condition, lock) }

    /// Wakes all threads that wait for this condition.
    func broadcast(_ condition: Int) { pthread_cond_broadcast(conditions + condition) }
}
