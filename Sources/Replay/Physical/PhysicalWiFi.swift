import DeadzoneDevice
import DeadzonePrimitives

/// Wi-Fi with power save, as its packets tell.
///
///     doze ── promotion (if the profile has one), ending at the packet ──▶ active ⇄ tail ── over ──▶ doze
///
/// Silence up to the tail time is active time, as in ARO; only what follows the last packet of a burst is tail. Where the
/// profile has a high level, it is on from the packet that brings its window above the limit until the window ends.
struct PhysicalWiFi: BurstMachine {
    var book: LevelBook
    private let timers: WiFiTimers
    private let tail: Int64
    private let stampsAreOfQueue: Bool
    private let beginsAtFirst: Bool

    var course = BurstCourse()
    private var windowFrom: Int64 = -farthest
    private var windowBytes: UInt32 = 0
    private var highFrom: Int64 = -farthest
    private var highUntil: Int64 = -farthest

    init(
        _ profile: RadioProfile, _ timers: WiFiTimers, stamps: StampMeaning, window: (from: Int64?, until: Int64)
    ) {
        book = LevelBook(profile)
        self.timers = timers
        tail = timers.tail.nanoseconds
        stampsAreOfQueue = stamps == .enqueue
        beginsAtFirst = window.from == nil
        book.from = window.from ?? -farthest
        book.until = window.until
    }

    var longestGap: Int64 { tail }
    var tailEnd: Int64 { max(course.last + tail, highUntil) }

    @inline(__always)
    mutating func share(_ level: PowerLevel, until now: Int64) {
        let last = course.last
        let high = max(last, highFrom)
        let highEnd = min(now, highUntil)
        if high < highEnd {
            book.share(level, last, high)
            book.share(.activeHigh, high, highEnd)
        }
        book.share(level, high < highEnd ? highEnd : last, now)
    }

    @inline(never)
    mutating func begin(_ blip: inout Blip) {
        var dozesFrom = book.from
        if course.hasBegun {
            endBurst()
            dozesFrom = rest(until: blip.at)
        }
        if dozesFrom < blip.at || !course.hasBegun { wake(&blip, from: dozesFrom) }
    }

    private mutating func wake(_ blip: inout Blip, from dozesFrom: Int64) {
        let promotion = timers.promotion.nanoseconds
        let mayShift = stampsAreOfQueue && blip.isUp
        let begins = max(dozesFrom, blip.at - (mayShift ? 0 : promotion))
        if !course.hasBegun, beginsAtFirst { book.from = begins }
        if dozesFrom < begins { book.add(.idle, max(dozesFrom, book.from), begins) }
        if mayShift { blip.at += promotion }
        if begins < blip.at { book.add(.promotion, begins, blip.at) }
    }

    /// The tail, cut at the next packet; gives back where it ended.
    mutating func rest(until now: Int64) -> Int64 {
        let last = course.last
        let end = min(tailEnd, now)
        if last < end { spend(.tail, last, end) }
        return max(last, end)
    }

    /// Puts a stretch into the books; where the high level is on, that is what it costs.
    mutating func spend(
        _ level: PowerLevel, _ begin: Int64, _ end: Int64, isNew: Bool = true, isShared: Bool = false
    ) {
        let high = max(begin, highFrom)
        let highEnd = min(end, highUntil)
        guard high < highEnd else { return book.add(level, begin, end, isNew: isNew, isShared: isShared) }
        if begin < high { book.add(level, begin, high, isNew: isNew, isShared: isShared) }
        book.add(.activeHigh, high, highEnd, isNew: high == highFrom, isShared: isShared)
        if highEnd < end { book.add(level, highEnd, end, isNew: isNew && begin == high, isShared: isShared) }
    }

    /// Counts bytes into their window, and turns the high level on where it has too many.
    @inline(__always)
    mutating func measure(_ bytes: UInt32, at now: Int64) {
        guard let limit = timers.highBytes else { return }
        let window = timers.highWindow.nanoseconds
        if windowFrom + window <= now {
            windowFrom = now
            windowBytes = 0
        }
        windowBytes = windowBytes.addingReportingOverflow(bytes).overflow ? .max : windowBytes + bytes
        guard limit < windowBytes, highUntil < windowFrom + window else { return }
        if highUntil < now {
            // What lies before goes to the books while the old bounds are still known.
            cutStretch()
            highFrom = now
        }
        highUntil = windowFrom + window
    }
}
