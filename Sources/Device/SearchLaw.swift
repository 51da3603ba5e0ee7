public import DeadzonePrimitives

/// How a radio looks for a network: scan, rest, scan; each rest twice as long as the one before, up to a limit.
public struct SearchLaw: Hashable, Sendable, BitwiseCopyable {
    public var scan: TimeSpan
    public var firstRest: TimeSpan
    public var longestRest: TimeSpan

    static let mostDoublings: UInt8 = 32

    public init(scan: TimeSpan, firstRest: TimeSpan, longestRest: TimeSpan) {
        precondition(.zero < scan, "a scan takes time, got \(scan.nanoseconds) ns")
        self.scan = scan
        self.firstRest = firstRest
        self.longestRest = longestRest
    }

    func rest(afterScans count: UInt8) -> TimeSpan { min(firstRest * (1 << Int64(count)), longestRest) }
}
