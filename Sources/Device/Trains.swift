import DeadzonePrimitives

/// The bytes of packets that follow each other closely, in each direction: what fills the buffers of UMTS and restarts its
/// timers. How close is close is the caller's rule.
struct Trains: Sendable, BitwiseCopyable {
    private var upBytes: UInt32 = 0
    private var downBytes: UInt32 = 0
    private var upAt: Instant
    private var downAt: Instant

    init(at now: Instant) {
        upAt = now
        downAt = now
    }

    func bytes(_ direction: Direction) -> UInt32 { direction == .up ? upBytes : downBytes }

    var largest: UInt32 { max(upBytes, downBytes) }

    func isOver(up: UInt32, down: UInt32) -> Bool { up < upBytes || down < downBytes }

    /// The buffer of a common channel holds too much for it.
    func isOverLimit(_ profile: UnsafePointer<RadioProfile>) -> Bool {
        isOver(up: profile.pointee.umts.up.fachLimit, down: profile.pointee.umts.down.fachLimit)
    }

    /// How long before its bits were through on the common channel, or on the dedicated one that it brought about, a phone
    /// there must have asked for a burst: behind those before it only where it cannot have come after them.
    func lead(to stamp: Instant, _ burst: Burst, _ profile: UnsafePointer<RadioProfile>) -> TimeSpan {
        let last = burst.direction == .up ? upAt : downAt
        let drained = last + profile.pointee.umts.buffer(burst.direction).drain(bytes(burst.direction))
        var (alone, behind) = (self, self)
        alone.count(burst, at: .never, gap: .zero)
        let lead = alone.waiting(burst.direction, profile)
        if drained < stamp - lead { return lead }
        behind.count(burst, at: last, gap: .longest)
        return behind.waiting(burst.direction, profile)
    }

    /// From the newest packet to its last bit.
    private func waiting(_ direction: Direction, _ profile: UnsafePointer<RadioProfile>) -> TimeSpan {
        isOverLimit(profile)
            ? profile.pointee.umts.fachToDCH : profile.pointee.umts.buffer(direction).drain(bytes(direction))
    }

    /// Adds a burst to the train of its direction; after a longer gap it begins a new one.
    mutating func count(_ burst: Burst, at now: Instant, gap: TimeSpan) {
        func joined(_ bytes: UInt32, _ at: Instant) -> UInt32 {
            let (sum, overflow) = (gap < now - at ? 0 : bytes).addingReportingOverflow(burst.bytes)
            return overflow ? .max : sum
        }
        switch burst.direction {
        case .up:
            upBytes = joined(upBytes, upAt)
            upAt = now
        case .down:
            downBytes = joined(downBytes, downAt)
            downAt = now
        }
    }

    /// Trains whose last packet lies further back than the gap are over.
    mutating func forget(before now: Instant, gap: TimeSpan) {
        if gap < now - upAt { upBytes = 0 }
        if gap < now - downAt { downBytes = 0 }
    }

    /// The trains are as if their last packets came now.
    mutating func touch(at now: Instant) {
        upAt = now
        downAt = now
    }
}
