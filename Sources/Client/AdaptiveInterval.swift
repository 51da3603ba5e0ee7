public import DeadzonePrimitives

/// Finds the longest interval between beats that a network bears, by trying: each network's own, as long as the process lives.
///
/// `stepwise` is WeChat's (Tencent/mars `mars/stn/src/smart_heartbeat.cc`, constants of `mars/stn/config.h`): three beats at the
/// shortest interval first; then, whenever so many beats in a row were answered, a step more; after so many failures, or at the
/// top, a step and a margin less, and there it stays. If it fails even so, it begins again. In the foreground it beats at the
/// shortest interval.
///
/// `scaled` grows by half with every answer and halves with every failure (kontalk/androidclient#344).
///
/// Where this lies: Mars remembers across processes, and tries again on one day of the week; it tells networks apart by their
/// names, here they are told apart by their kind.
public struct AdaptiveInterval: Hashable, Sendable {
    public enum Law: UInt8, Hashable, Sendable, BitwiseCopyable { case stepwise, scaled }

    public var law = Law.stepwise
    /// 3.5 min and 10 min (`MinHeartInterval`, `MaxHeartInterval`); earlier versions had 4.5 min and 9 min 50 s.
    public var least = TimeSpan.seconds(210)
    public var most = TimeSpan.minutes(10)
    /// Where it begins; nil: at the least.
    public var start: TimeSpan?
    /// `HeartStep`.
    public var step = TimeSpan.minutes(1)
    /// `SuccessStep`: what it stays below what failed, beside a whole step.
    public var margin = TimeSpan.seconds(20)
    /// `BaseSuccCount`, `MaxHeartFailCount`, `NetStableTestCount`.
    public var successes: UInt8 = 5
    public var failures: UInt8 = 2
    public var trials: UInt8 = 3
    /// Beats at the least while the user looks on.
    public var isShortInFront = true

    public init() {}

    /// Of one network.
    struct Found: Hashable, Sendable, BitwiseCopyable {
        /// In milliseconds; 0: nothing was tried yet.
        var interval: UInt32 = 0
        var answered: UInt8 = 0
        var failed: UInt8 = 0
        var isSettled = false
    }

    public struct State: Hashable, Sendable, BitwiseCopyable {
        var wifi = Found()
        var cellular = Found()
        /// Answers on this connection; the interval that runs, and the one before the last ping.
        var answered: UInt8 = 0
        var running: UInt32 = 0
        var lastUsed: UInt32 = 0

        public init() {}

        subscript(path: Interface?) -> Found {
            get { path == .wifi ? wifi : cellular }
            set { if path == .wifi { wifi = newValue } else { cellular = newValue } }
        }
    }

    private static func milliseconds(_ span: TimeSpan) -> UInt32 { UInt32(clamping: span.nanoseconds / 1_000_000) }

    private var low: UInt32 { Self.milliseconds(least) }
    private var high: UInt32 { max(Self.milliseconds(most), low) }

    private func current(_ found: Found) -> UInt32 {
        found.interval == 0 ? min(max(start.map(Self.milliseconds) ?? low, low), high) : found.interval
    }

    /// From the last beat to the next.
    public func interval(_ state: State, _ session: Session) -> TimeSpan {
        .milliseconds(Int64(chosen(state, session)))
    }

    private func chosen(_ state: State, _ session: Session) -> UInt32 {
        if isShortInFront && session.isForeground { return low }
        if law == .stepwise && state.answered < trials { return low }
        return current(state[session.path])
    }

    func opened(_ state: inout State) { state.answered = 0 }

    func armed(_ state: inout State, _ session: Session) { state.running = chosen(state, session) }

    func pinged(_ state: inout State) { state.lastUsed = state.running }

    func succeeded(_ state: inout State, _ session: Session) {
        state.answered = min(state.answered, .max - 1) + 1
        var found = state[session.path]
        guard counts(state, found) else { return }
        found.interval = current(found)
        found.failed = 0
        switch law {
        case .scaled:
            found.interval = min(found.interval.addingReportingOverflow(found.interval / 2).partialValue, high)
        case .stepwise:
            guard !found.isSettled else { return }
            found.answered += 1
            if found.interval >= high {
                found.interval = max(high - min(Self.milliseconds(margin), high), low)
                found.answered = 0
                found.isSettled = true
            } else if found.answered >= successes {
                found.interval = min(found.interval + Self.milliseconds(step), high)
                found.answered = 0
            }
        }
        state[session.path] = found
    }

    /// A beat without an answer, or a connection that ended while one was awaited.
    func failed(_ state: inout State, _ session: Session) {
        var found = state[session.path]
        guard counts(state, found) else { return }
        found.interval = current(found)
        switch law {
        case .scaled: found.interval = max(found.interval / 2, low)
        case .stepwise:
            guard state.lastUsed != low else { return }
            found.failed += 1
            guard found.failed >= failures else { break }
            let less = Self.milliseconds(step) + Self.milliseconds(margin)
            found.interval = found.isSettled ? low : max(found.interval - min(less, found.interval), low)
            found.isSettled.toggle()
            found.answered = 0
            found.failed = 0
        }
        state[session.path] = found
    }

    func closed(_ state: inout State, _ session: Session) {
        guard law == .stepwise, state[session.path].isSettled else { return }
        state[session.path].answered = 0
        state.answered = 0
        state.lastUsed = low
    }

    /// What happened says something about the interval that is on trial.
    private func counts(_ state: State, _ found: Found) -> Bool {
        switch law {
        case .scaled: state.lastUsed == current(found)
        case .stepwise: state.lastUsed == current(found) && state.answered >= trials
        }
    }
}
