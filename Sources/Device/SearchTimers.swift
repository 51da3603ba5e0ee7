package import DeadzoneBase

/// Durations of scans and pauses while a radio searches for a network. Each pause is twice as long as the one before,
/// up to a limit.
package struct SearchTimers: Hashable, Sendable, BitwiseCopyable {
    package var scan: TimeSpan
    package var firstPause: TimeSpan
    package var longestPause: TimeSpan

    static let maxDoublings: UInt8 = 32

    package init(scan: TimeSpan, firstPause: TimeSpan, longestPause: TimeSpan) {
        precondition(.zero < scan, "a scan needs a duration above zero, not \(scan.nanoseconds) ns")
        self.scan = scan
        self.firstPause = firstPause
        self.longestPause = longestPause
    }

    func pause(afterScans count: UInt8) -> TimeSpan { min(firstPause * (1 << Int64(count)), longestPause) }
}
