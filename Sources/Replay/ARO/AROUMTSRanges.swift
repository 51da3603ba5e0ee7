import DeadzoneDevice
import DeadzonePrimitives

/// The ranges of ARO's 3G machine while they can still change: in the end they are sorted, neighbours of one state are
/// joined, and what lies beyond the trace is cut off. In a long capture what can no longer change is put into the bill
/// early.
struct AROUMTSRanges: Sendable {
    enum State: Sendable { case idle, promotionFromIdle, promotionFromFACH, dch, tailDCH, fach, tailFACH }

    struct Range: Sendable {
        var begin: Double
        var end: Double
        var state: State
    }

    /// So many are kept as they are: a capture with fewer is treated exactly as ARO does, also where time runs backwards.
    static let kept = 1 << 16

    private let numbers: AROUMTSNumbers
    private var list: [Range] = []
    private var bill = RadioBill()
    /// The latest joined range that was settled; its state may go on.
    private var open: Range?

    init(_ numbers: AROUMTSNumbers) { self.numbers = numbers }

    /// A range of at most that length, cut at the limit; gives back where it ends.
    mutating func add(from begin: Double, _ length: Double, _ state: State, until limit: Double) -> Double {
        if begin >= limit || length <= 0 { return begin }
        let length = begin + length > limit ? limit - begin : length
        let end = begin + length
        list.append(Range(begin: begin, end: end, state: state))
        return end
    }

    mutating func append(_ begin: Double, _ end: Double, _ state: State) {
        list.append(Range(begin: begin, end: end, state: state))
    }

    /// Gives the latest ranges another state, as many as it takes to cover the span.
    mutating func changeBack(_ span: Double, to state: State) {
        guard span >= 1e-5 else { return }
        var rest = span
        for index in list.indices.reversed() {
            list[index].state = state
            rest -= list[index].end - list[index].begin
            if rest <= 1e-5 { break }
        }
    }

    /// Removes the range that begins there and all after it; false: there is none. ARO never finds the first of all.
    mutating func cut(from begin: Double) -> Bool {
        guard let index = list.lastIndex(where: { $0.begin == begin }), index > 0 || open != nil else { return false }
        list.removeSubrange(index...)
        return true
    }

    /// Puts ranges that end by then into the bill, once there are many.
    mutating func settle(before moment: Double) {
        guard list.count >= Self.kept else { return }
        let safe = list.firstIndex { $0.end > moment } ?? list.endIndex
        // Beyond this even what might still change is settled: memory has a bound.
        let count = max(safe, list.count >= 4 * Self.kept ? 2 * Self.kept : 0)
        guard count > 0 else { return }
        var joined = join(list[..<count])
        list.removeFirst(count)
        open = joined.removeLast()
        for range in joined { spend(range) }
    }

    /// Closes the books at the end of the trace, or where the last tail is over; gives back the duration.
    mutating func finish(until end: Double?) -> Double {
        let joined = join(list[...])
        // After the last tail comes an idle range that never ends.
        let duration = end ?? joined.last?.begin ?? 0
        var reached = 0.0
        for range in joined {
            let cut = min(range.end, duration)
            if range.begin < duration { spend(Range(begin: range.begin, end: cut, state: range.state)) }
            reached = cut
        }
        if reached < duration { spend(Range(begin: reached, end: duration, state: .idle)) }
        return duration
    }

    private func join(_ ranges: ArraySlice<Range>) -> [Range] {
        let sorted = (open.map { [$0] } ?? []) + ranges.sorted { $0.begin < $1.begin }
        var joined: [Range] = []
        for range in sorted {
            if joined.last?.state == range.state {
                joined[joined.count - 1].end = range.end
            } else {
                joined.append(range)
            }
        }
        return joined
    }

    private mutating func spend(_ range: Range) {
        let seconds = range.end - range.begin
        let (state, power): (RadioState, Double) =
            switch range.state {
            case .idle: (.idle, numbers.idlePower)
            case .promotionFromIdle: (.promotion, numbers.idleToDCHPower)
            case .promotionFromFACH: (.promotion, numbers.fachToDCHPower)
            case .dch, .tailDCH: (.dch, numbers.dchPower)
            case .fach, .tailFACH: (.fach, numbers.fachPower)
            }
        bill.add(state, count: 1, seconds: seconds, joules: seconds * power)
    }

    var result: RadioBill { bill }
}
