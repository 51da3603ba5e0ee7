import DeadzoneBase
import DeadzoneClient
package import DeadzoneTransport

/// Tracks the app's calls to the server: which of the latest 64 are open, sent, or reported to the strategy.
///
/// The time of each call is a function of the seed and is drawn again when needed, so an open call costs one bit.
package struct OpenCallWindow: BitwiseCopyable, Sendable {
    /// Maximum number of open calls. When another call is made, the oldest one fails.
    static let window: UInt32 = 64

    /// Returns the bit that stands for a call in a 64-bit set. It is unique among the calls that are open at one time.
    static func bit(_ call: UInt32) -> UInt64 { 1 << UInt64(call % window) }

    /// The next call that the app will make.
    package private(set) var nextCall: TrafficWalker
    /// Index below which all calls have been reported to the strategy.
    private(set) var reported: UInt32 = 0
    /// The first call of the window (the latest 64 calls at most); no call before it is open.
    package private(set) var first: TrafficWalker
    /// Open calls of the window. Bit n stands for the n-th call of the window.
    private var openBits: UInt64 = 0
    /// Calls of the window that were sent on a connection. Bit n stands for the n-th call of the window.
    private var sentBits: UInt64 = 0
    /// Counts how often the server has seen each call of the window, up to 7. Each call has a three-bit counter, one
    /// bit in each of the three words.
    private var visitBits = (UInt64.zero, UInt64.zero, UInt64.zero)

    init(_ schedule: MessageSchedule?) {
        nextCall = TrafficWalker(schedule)
        first = nextCall
    }

    /// Index of the first call of the window; no call below it is open.
    var firstIndex: UInt32 { first.index }
    package var openCount: Int { openBits.nonzeroBitCount }

    package func isOpen(_ call: UInt32) -> Bool {
        first.index <= call && call - first.index < Self.window && openBits >> UInt64(call - first.index) & 1 == 1
    }

    /// Index of the oldest open call that has been reported to the strategy; `nil` if there is none.
    var oldestReported: UInt32? {
        let oldest = first.index + UInt32(openBits.trailingZeroBitCount)
        return openBits != 0 && oldest < reported ? oldest : nil
    }

    /// Marks a call as sent on a connection. Returns `true` if it had been sent before.
    mutating func markSent(_ call: UInt32) -> Bool {
        let bit: UInt64 = 1 << UInt64(call - first.index)
        defer { sentBits |= bit }
        return sentBits & bit != 0
    }

    /// Counts that the server sees a call once more. Returns how often it had seen the call before. Calls that have
    /// ended are not counted and return 0.
    mutating func countVisit(_ call: UInt32) -> UInt64 {
        guard isOpen(call) else { return 0 }
        let at = UInt64(call - first.index)
        let count = visitBits.0 >> at & 1 | (visitBits.1 >> at & 1) << 1 | (visitBits.2 >> at & 1) << 2
        guard count < 7 else { return count }
        let next = count + 1
        let others = ~(1 << at) as UInt64
        visitBits.0 = visitBits.0 & others | (next & 1) << at
        visitBits.1 = visitBits.1 & others | (next >> 1 & 1) << at
        visitBits.2 = visitBits.2 & others | (next >> 2 & 1) << at
        return count
    }

    /// `true` if there may be open calls that were not reported to the strategy yet.
    package var hasUnreported: Bool { reported < nextCall.index }

    /// Returns the next open call that was not reported to the strategy, and marks it as reported; `nil` if there is
    /// none.
    mutating func nextUnreported() -> UInt32? {
        while reported < nextCall.index {
            reported += 1
            if isOpen(reported - 1) { return reported - 1 }
        }
        return nil
    }

    /// Returns the open call that must fail before the next one can be added; `nil` if the window has space.
    func oldestToEvict() -> UInt32? {
        guard nextCall.index - first.index == Self.window, openBits & 1 == 1 else { return nil }
        return first.index
    }

    mutating func add(_ schedule: MessageSchedule) {
        if nextCall.index - first.index == Self.window { slide(by: 1, schedule) }
        openBits |= 1 << UInt64(nextCall.index - first.index)
        nextCall.advance(schedule)
    }

    /// Ends an open call. Returns the time at which the app made it.
    mutating func close(_ call: UInt32, _ schedule: MessageSchedule) -> Instant {
        precondition(isOpen(call), "call \(call) is not open")
        var walker = first
        while walker.index < call { walker.advance(schedule) }
        openBits &= ~(1 << UInt64(call - first.index))
        let closed = openBits == 0 ? nextCall.index - first.index : UInt32(openBits.trailingZeroBitCount)
        slide(by: min(closed, nextCall.index - first.index), schedule)
        return walker.time
    }

    private mutating func slide(by count: UInt32, _ schedule: MessageSchedule) {
        for _ in 0..<count { first.advance(schedule) }
        func slid(_ word: UInt64) -> UInt64 { count < 64 ? word >> UInt64(count) : 0 }
        openBits = slid(openBits)
        sentBits = slid(sentBits)
        visitBits = (slid(visitBits.0), slid(visitBits.1), slid(visitBits.2))
    }
}
