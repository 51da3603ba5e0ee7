import DeadzoneBase

/// Counts the bytes of the present packet train in each direction. A packet train is a sequence of packets that follow
/// each other closely. Trains fill the buffers of UMTS and restart its timers. The caller sets the maximum gap within a
/// train.
struct PacketTrains: Sendable, BitwiseCopyable {
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

    /// `true` if, in either direction, the buffer of the common channel (FACH) exceeds its limit.
    func isOverLimit(_ profile: UnsafePointer<RadioProfile>) -> Bool {
        isOver(up: profile.pointee.umts.up.fachLimit, down: profile.pointee.umts.down.fachLimit)
    }

    /// Returns the time from the request for a burst to the instant at which its last bit passed the common channel, or
    /// the dedicated channel that the burst triggered. The burst counts as queued behind earlier ones only if their
    /// bytes cannot have drained before its request.
    func requestLead(to stamp: Instant, _ burst: Burst, _ profile: UnsafePointer<RadioProfile>) -> TimeSpan {
        let last = burst.direction == .up ? upAt : downAt
        let drained = last + profile.pointee.umts.buffer(burst.direction).drain(bytes(burst.direction))
        var (alone, behind) = (self, self)
        alone.count(burst, at: .never, gap: .zero)
        let lead = alone.waiting(burst.direction, profile)
        if drained < stamp - lead { return lead }
        behind.count(burst, at: last, gap: .longest)
        return behind.waiting(burst.direction, profile)
    }

    /// Returns the time from the newest packet's request to its last bit.
    private func waiting(_ direction: Direction, _ profile: UnsafePointer<RadioProfile>) -> TimeSpan {
        isOverLimit(profile)
            ? profile.pointee.umts.fachToDCH : profile.pointee.umts.buffer(direction).drain(bytes(direction))
    }

    /// Adds a burst to the packet train (closely spaced packets) of its direction. After a longer gap a new train
    /// begins.
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

    /// Ends each packet train (closely spaced packets) if the time since its last packet exceeds the gap.
    mutating func expire(before now: Instant, gap: TimeSpan) {
        if gap < now - upAt { upBytes = 0 }
        if gap < now - downAt { downBytes = 0 }
    }

    /// Sets the time of the last packet of both trains to `now`, as if the packets arrived now.
    mutating func restart(at now: Instant) {
        upAt = now
        downAt = now
    }
}
