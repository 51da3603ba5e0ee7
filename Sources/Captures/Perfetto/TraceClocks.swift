/// Converts the clocks of a Perfetto trace to the time since 1970, by the trace's clock snapshots.
///
/// The time of the trace is the phone's time since boot, unless a snapshot names another clock as primary. Only the
/// first snapshot with a wall clock gives the distance to 1970. So the intervals between packets stay exact if the wall
/// clock is set during the trace. Field numbers and clock numbers: clock_snapshot.proto and builtin_clock.proto of
/// github.com/google/perfetto.
struct TraceClocks {
    private static let realtime: UInt32 = 1
    static let boottime: UInt32 = 6
    /// Clocks with these numbers are valid for one writer only, and can count differences. Android's network and power
    /// traces do not use them.
    private static let sequenceScoped: ClosedRange<UInt32> = 64...127
    /// Most clocks that are remembered. Perfetto writes six.
    private static let most = 64

    private var primary = Self.boottime
    /// Trace time minus the clock, in nanoseconds, in the latest snapshot.
    private var distances: [UInt32: Int64] = [:]
    /// Time since 1970 minus trace time, in the first snapshot that has both.
    private var sinceEpoch: Int64?
    /// How far later snapshots differ from the first, in nanoseconds, at most.
    private(set) var largestStep: Int64 = 0

    /// `true` if times are since 1970; otherwise they are since boot.
    var hasWallClock: Bool { sinceEpoch != nil }

    mutating func add(snapshot bytes: Bytes) {
        var reader = ProtobufReader(bytes)
        var clocks: [UInt32: Int64] = [:]
        while let (field, value) = reader.next() {
            if field == 2, let number = value.number32, number > 0 { primary = number }
            guard field == 1, let part = value.bytes, clocks.count < Self.most else { continue }
            if let (id, nanoseconds) = Self.clock(part) { clocks[id] = nanoseconds }
        }
        guard let now = clocks[primary] else { return }
        for (id, nanoseconds) in clocks where distances[id] != nil || distances.count < Self.most {
            distances[id] = now - nanoseconds
        }
        guard let wall = clocks[Self.realtime] else { return }
        if let sinceEpoch {
            largestStep = max(largestStep, Int64(clamping: (Int128(wall - now) - Int128(sinceEpoch)).magnitude))
        } else {
            sinceEpoch = wall - now
        }
    }

    /// Reads one clock of a snapshot; `nil` if its value does not fit.
    private static func clock(_ bytes: Bytes) -> (id: UInt32, nanoseconds: Int64)? {
        var reader = ProtobufReader(bytes)
        var (id, count, unit, isIncremental) = (UInt32(0), UInt64(0), UInt64(1), false)
        while let (field, value) = reader.next() {
            switch (field, value) {
            case (1, .number(let number)): id = UInt32(truncatingIfNeeded: number)
            case (2, .number(let number)): count = number
            case (3, .number(let number)): isIncremental = number != 0
            case (4, .number(let number)): unit = max(1, number)
            default: break
            }
        }
        let (product, isOverflown) = count.multipliedReportingOverflow(by: unit)
        guard !reader.isDamaged, id > 0, !isIncremental, !sequenceScoped.contains(id), !isOverflown,
            let nanoseconds = Int64(exactly: product)
        else { return nil }
        return (id, nanoseconds)
    }

    /// Converts a time of a record to trace time; `nil` if no snapshot has the clock, or the time does not fit.
    /// - Parameter clock: 0 for the primary clock.
    func traceTime(_ time: UInt64, clock: UInt32) -> Int64? {
        guard let time = Int64(exactly: time) else { return nil }
        if clock == 0 || clock == primary { return time }
        guard let distance = distances[clock] else { return nil }
        let (sum, isOverflown) = time.addingReportingOverflow(distance)
        return isOverflown ? nil : sum
    }

    func timestamp(_ traceTime: Int64) -> Timestamp {
        Timestamp(nanoseconds: Int128(traceTime) + Int128(sinceEpoch ?? 0))
    }
}
