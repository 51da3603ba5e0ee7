import DeadzoneDevice
import DeadzonePrimitives

/// A machine that knows bursts: packets close together, in stretches of one level, then silence.
///
/// Between two packets of a burst the radio draws the base power of sending if both went up, else of receiving: while it
/// waits for an answer it listens.
protocol BurstMachine: PhysicalMachine {
    var course: BurstCourse { get set }
    /// Silence that is longer ends a burst. It must be exceeded, not met.
    var longestGap: Int64 { get }
    /// When the tail after the last packet is over.
    var tailEnd: Int64 { get }

    /// What lies before a burst goes into the books: silence, promotion. With queued stamps the packet is moved behind it.
    mutating func begin(_ blip: inout Blip)
    /// Says of radio time within a burst who pays; it is booked with more of its kind.
    mutating func share(_ level: PowerLevel, until now: Int64)
    /// What else depends on the packet.
    mutating func measure(_ bytes: UInt32, at now: Int64)
    /// Puts a stretch into the books.
    mutating func spend(_ level: PowerLevel, _ begin: Int64, _ end: Int64, isNew: Bool, isShared: Bool)
    /// The silence after a burst, cut at the next packet; gives back where it ended.
    mutating func rest(until now: Int64) -> Int64
    /// What follows when nothing is left to wait for.
    mutating func idle(_ begin: Int64, _ end: Int64)
}

/// Where a burst stands.
struct BurstCourse: Sendable, BitwiseCopyable {
    /// There was a packet.
    fileprivate(set) var hasBegun = false
    fileprivate(set) var last: Int64 = -farthest
    fileprivate var lastWasUp = false
    /// Where the open stretch at one level began, and whether it is the first of its burst.
    fileprivate var stretchFrom: Int64 = 0
    fileprivate var stretchIsUp = false
    fileprivate var isNew = true
}

extension BurstMachine {
    mutating func idle(_ begin: Int64, _ end: Int64) { book.add(.idle, begin, end) }

    @inline(__always)
    mutating func fold(_ blip: Blip) {
        // Queued behind data that waits for the same promotion.
        let now = max(blip.at, course.last)
        if course.hasBegun, now &- course.last <= longestGap {
            if course.last < now {
                let isUp = course.lastWasUp && blip.isUp
                if isUp != course.stretchIsUp { changeLevel(isUp) }
                share(isUp ? .activeUp : .activeDown, until: now)
            }
            course.last = now
        } else {
            course.last = beginBurst(blip, at: now)
        }
        course.lastWasUp = blip.isUp
        measure(blip.bytes, at: course.last)
        book.count(blip, at: course.last)
    }

    /// Gives back when its first packet flowed.
    @inline(never)
    private mutating func beginBurst(_ blip: Blip, at now: Int64) -> Int64 {
        var first = blip
        first.at = now
        begin(&first)
        course.hasBegun = true
        course.stretchFrom = first.at
        course.stretchIsUp = first.isUp
        course.isNew = true
        return first.at
    }

    mutating func finish(_ end: ReplayWindow.End) {
        switch end {
        case .moment: break
        case .lastPacket: book.until = course.hasBegun ? course.last : book.from
        case .tail: book.until = course.hasBegun ? tailEnd : book.from
        }
        guard course.hasBegun else {
            if book.from < book.until { idle(book.from, book.until) }
            return
        }
        endBurst()
        idle(rest(until: farthest), farthest)
    }

    mutating func endBurst() {
        spend(
            course.stretchIsUp ? .activeUp : .activeDown, course.stretchFrom, course.last, isNew: course.isNew,
            isShared: true)
    }

    private mutating func changeLevel(_ isUp: Bool) {
        cutStretch()
        course.stretchIsUp = isUp
    }

    /// Puts what lies before the last packet into the books.
    mutating func cutStretch() {
        if course.stretchFrom < course.last {
            endBurst()
            course.isNew = false
        }
        course.stretchFrom = course.last
    }
}
