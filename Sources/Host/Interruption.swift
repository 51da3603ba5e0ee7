import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Turns SIGINT and SIGTERM into a stop request that long operations check. The first SIGINT or SIGTERM only sets a
/// flag that long work checks between two steps. The second ends the process immediately.
package enum Interruption {
    /// Number of the first signal, or 0.
    private static let firstSignal = Atomic<Int32>(0)

    package static var requested: Bool { firstSignal.load(ordering: .relaxed) != 0 }

    /// 128 plus the signal number, as shells report it: 130 or 143.
    package static var exitCode: Int32 { 128 + firstSignal.load(ordering: .relaxed) }

    /// Installs the signal handlers. Also ignores SIGPIPE and SIGXFSZ: a closed pipe or an exceeded file size limit
    /// then shows as a failed write.
    package static func installHandlers() {
        // A handler can run between any two instructions. This access initialises the lazy flag before a handler
        // needs it.
        _ = requested
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        for number in [SIGINT, SIGTERM] {
            signal(number) { number in
                let (first, _) = Interruption.firstSignal.compareExchange(
                    expected: 0, desired: number, ordering: .relaxed)
                if !first { _exit(128 + number) }
            }
        }
        // A signal mask is inherited, and the parent process may have blocked these signals.
        var wanted = sigset_t()
        sigemptyset(&wanted)
        sigaddset(&wanted, SIGINT)
        sigaddset(&wanted, SIGTERM)
        pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
    }
}
