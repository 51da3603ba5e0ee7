package import DeadzoneBase

#if os(Linux)
    import CTun
    import Glibc
#endif

extension Sandbox {
    /// Result of the wait for the server.
    package enum ServerStart: Hashable, Sendable {
        /// The exit of a program that left a daemon behind; `nil` if the program still runs.
        case listening(ProgramExit?)
        case exited(ProgramExit)
        /// Nothing listened within the time limit.
        case silent
    }

    #if os(Linux)
        /// Waits until a program listens on the server, at most for `span`. A program that exits with 0 may have left
        /// a daemon behind, so the wait goes on for `daemonSpan`. A UDP socket may also belong to a name lookup, so it
        /// only counts after `datagramSpan` without a TCP listener.
        package func waitForServer(
            within span: TimeSpan, daemonWithin daemonSpan: TimeSpan, datagramsFor datagramSpan: TimeSpan,
            unless isStopped: () -> Bool
        ) -> ServerStart {
            let watch = Stopwatch()
            var limit = span
            var exit: ProgramExit?
            var datagramsSince: TimeSpan?
            while watch.elapsed < limit, !isStopped() {
                deadzone_ask_listening(box.control)
                var end = deadzone_end()
                var answer: Int32 = 0
                // An exit may be reported before the answer.
                while answer == 0 || answer == 1 {
                    var one = pollfd(fd: box.control, events: Int16(POLLIN), revents: 0)
                    guard poll(&one, 1, 1_000) > 0 else { return .silent }
                    answer = deadzone_hear(box.control, &end)
                    guard answer == 1 else { continue }
                    let ended = ProgramExit(end)
                    if ended.code != 0 { return .exited(ended) }
                    exit = ended
                    limit = min(limit, watch.elapsed + daemonSpan)
                }
                guard answer == 2 else { return .silent }
                if end.listens & Int32(DEADZONE_LISTENS_TCP) != 0 { return .listening(exit) }
                let since = end.listens == 0 ? nil : datagramsSince ?? watch.elapsed
                if let since, since + datagramSpan <= watch.elapsed { return .listening(exit) }
                datagramsSince = since
                usleep(10_000)
            }
            return exit.map(ServerStart.exited) ?? .silent
        }
    #endif
}
