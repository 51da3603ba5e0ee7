import DeadzoneBase
import DeadzoneDevice

/// The recent time ranges of radio states in the tool ARO's 3G model, while later packets can still change them.
///
/// At the end they are sorted, neighbours of one state are joined, and time beyond the trace is cut off. In a long
/// capture, ranges that can no longer change are billed early.
struct AROUMTSRanges: Sendable {
    enum State: Sendable { case idle, promotionFromIdle, promotionFromFACH, dch, tailDCH, fach, tailFACH }

    struct StateRange: Sendable {
        var begin: Double
        var end: Double
        var state: State
    }

    /// Number of ranges kept unchanged. A capture with fewer is treated exactly as in ARO, also if time runs backwards.
    static let kept = 1 << 16

    private let settings: AROUMTSSettings
    private var list: [StateRange] = []
    private var bill = RadioBill()
    /// The latest joined range that was billed; its state may continue.
    private var open: StateRange?

    init(_ settings: AROUMTSSettings) { self.settings = settings }

    /// Adds a range of at most that length, cut at the limit. Returns its end.
    mutating func add(from begin: Double, _ length: Double, _ state: State, until limit: Double) -> Double {
        if begin >= limit || length <= 0 { return begin }
        let length = begin + length > limit ? limit - begin : length
        let end = begin + length
        list.append(StateRange(begin: begin, end: end, state: state))
        return end
    }

    mutating func append(_ begin: Double, _ end: Double, _ state: State) {
        list.append(StateRange(begin: begin, end: end, state: state))
    }

    /// Changes the state of the latest ranges, as many as are needed to cover the span.
    mutating func relabelLatest(_ span: Double, to state: State) {
        guard span >= 1e-5 else { return }
        var rest = span
        for index in list.indices.reversed() {
            list[index].state = state
            rest -= list[index].end - list[index].begin
            if rest <= 1e-5 { break }
        }
    }

    /// Removes the range that begins there and all after it. Returns `false` if there is none. ARO never finds the very
    /// first range.
    mutating func cut(from begin: Double) -> Bool {
        guard let index = list.lastIndex(where: { $0.begin == begin }), index > 0 || open != nil else { return false }
        list.removeSubrange(index...)
        return true
    }

    /// Bills the ranges that end before `moment`, once there are many.
    mutating func billFinalRanges(before moment: Double) {
        guard list.count >= Self.kept else { return }
        let safe = list.firstIndex { $0.end > moment } ?? list.endIndex
        // Above this number even ranges that might still change are billed, to bound the memory.
        let count = max(safe, list.count >= 4 * Self.kept ? 2 * Self.kept : 0)
        guard count > 0 else { return }
        var joined = join(list[..<count])
        list.removeFirst(count)
        open = joined.removeLast()
        for range in joined { spend(range) }
    }

    /// Finishes the accounting at the end of the trace, or at the end of the last tail. Returns the duration.
    mutating func finish(until end: Double?) -> Double {
        let joined = join(list[...])
        // The last tail is followed by an idle range that never ends.
        let duration = end ?? joined.last?.begin ?? 0
        var reached = 0.0
        for range in joined {
            let cut = min(range.end, duration)
            if range.begin < duration { spend(StateRange(begin: range.begin, end: cut, state: range.state)) }
            reached = cut
        }
        if reached < duration { spend(StateRange(begin: reached, end: duration, state: .idle)) }
        return duration
    }

    private func join(_ ranges: ArraySlice<StateRange>) -> [StateRange] {
        let sorted = (open.map { [$0] } ?? []) + ranges.sorted { $0.begin < $1.begin }
        var joined: [StateRange] = []
        for range in sorted {
            if joined.last?.state == range.state {
                joined[joined.count - 1].end = range.end
            } else {
                joined.append(range)
            }
        }
        return joined
    }

    private mutating func spend(_ range: StateRange) {
        let seconds = range.end - range.begin
        let (state, power): (RadioState, Double) =
            switch range.state {
            case .idle: (.idle, settings.idlePower)
            case .promotionFromIdle: (.promotion, settings.idleToDCHPower)
            case .promotionFromFACH: (.promotion, settings.fachToDCHPower)
            case .dch, .tailDCH: (.dch, settings.dchPower)
            case .fach, .tailFACH: (.fach, settings.fachPower)
            }
        bill.add(state, count: 1, seconds: seconds, joules: seconds * power)
    }

    var result: RadioBill { bill }
}
