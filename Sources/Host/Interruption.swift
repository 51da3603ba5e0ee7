import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The user's wish to stop. The first SIGINT or SIGTERM only sets a flag, which long work looks at between two steps; the
/// second ends the process at once.
public enum Interruption {
    /// 0, or the signal that came first.
    private static let signalled = Atomic<Int32>(0)

    public static var requested: Bool { signalled.load(ordering: .relaxed) != 0 }

    /// 128 and the signal's number, as shells report it: 130 or 143.
    public static var exitCode: Int32 { 128 + signalled.load(ordering: .relaxed) }

    /// Also ignores SIGPIPE and SIGXFSZ, so that a reader who leaves, and a file that may not grow, show as writes that
    /// failed.
    public static func watch() {
        // A handler may run between any two instructions: it must find the flag made, not make it.
        _ = requested
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        for number in [SIGINT, SIGTERM] {
            signal(number) { number in
                let (first, _) = Interruption.signalled.compareExchange(
                    expected: 0, desired: number, ordering: .relaxed)
                if !first { _exit(128 + number) }
            }
        }
        // A parent may have had them blocked, and a mask is inherited.
        var wanted = sigset_t()
        sigemptyset(&wanted)
        sigaddset(&wanted, SIGINT)
        sigaddset(&wanted, SIGTERM)
        pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
    }
}
