#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Reading that a stop request ends. A pipe, a FIFO or a terminal may never send a byte, so a wait for input must
/// notice the first SIGINT or SIGTERM. Data that are ready are always read.
enum InputWait {
    /// Time between two checks for a stop request. A signal that arrives on this thread ends the wait at once.
    private static let checkInterval: Int32 = 100

    /// Opens a file for reading. On Linux it does not wait for the writer of a FIFO; `read` waits instead.
    static func open(_ path: String) -> Int32 {
        #if os(Linux)
            let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
        #else
            let flags = O_RDONLY | O_CLOEXEC
        #endif
        #if canImport(Darwin)
            return Darwin.open(path, flags)
        #else
            return Glibc.open(path, flags)
        #endif
    }

    /// Reads like `read(2)`. After a stop request it returns -1 with `errno` EINTR instead of waiting any longer.
    static func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        while true {
            var one = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&one, 1, checkInterval)
            if ready == 0 || (ready < 0 && errno == EINTR) {
                guard !Interruption.requested else {
                    errno = EINTR
                    return -1
                }
                continue
            }
            let result = systemRead(descriptor, buffer, count)
            if result >= 0 || (errno != EINTR && errno != EAGAIN) { return result }
        }
    }
}
