public import DeadzoneBase

/// Finds by trial the longest keepalive interval that a network tolerates. Each kind of network (Wi-Fi, cellular) has
/// its own interval, kept for the lifetime of the process.
///
/// `stepwise` is WeChat's algorithm (Tencent/mars `mars/stn/src/smart_heartbeat.cc`, constants of `mars/stn/config.h`).
/// Each connection first sends `trials` beats (pings) at the shortest interval. After `successes` answered beats in a
/// row the interval grows by one step. At the longest interval it falls by the margin and stays there. After `failures`
/// failures it falls by a step and the margin and stays there. If it fails even so, it starts again at the shortest
/// interval. In the foreground it uses the shortest interval.
///
/// `scaled` increases the interval by half with every answer and halves it with every failure
/// (kontalk/androidclient#344).
///
/// Where this is inaccurate: Mars remembers intervals across processes, and tries again on one day of the week. It
/// distinguishes networks by name; this implementation distinguishes them by kind.
public struct AdaptiveInterval: Hashable, Sendable {
    public enum AdaptationRule: UInt8, Hashable, Sendable, BitwiseCopyable { case stepwise, scaled }

    public var rule = AdaptationRule.stepwise
    /// Lower limit of the interval: 3.5 min as Mars's `MinHeartInterval`; earlier versions of Mars had 4.5 min.
    public var shortest = TimeSpan.seconds(210)
    /// Upper limit of the interval: 10 min as Mars's `MaxHeartInterval`; earlier versions of Mars had 9 min 50 s.
    public var longest = TimeSpan.minutes(10)
    /// The interval to try first; `nil` uses `shortest`.
    public var start: TimeSpan?
    /// Amount by which `stepwise` increases the interval (Mars's `HeartStep`).
    public var step = TimeSpan.minutes(1)
    /// After an interval has failed, the next one is shorter by one `step` and this margin (Mars's `SuccessStep`).
    public var margin = TimeSpan.seconds(20)
    /// Number of answered beats (pings) in a row after which the interval grows (Mars's `BaseSuccCount`).
    public var successes: UInt8 = 5
    /// Number of failed beats (pings) after which the interval shrinks (Mars's `MaxHeartFailCount`).
    public var failures: UInt8 = 2
    /// Number of answered beats (pings) at the shortest interval that each connection needs first (Mars's
    /// `NetStableTestCount`).
    public var trials: UInt8 = 3
    /// `true` if the shortest interval is used while the app is in the foreground.
    public var isShortestInForeground = true

    public init() {}

    /// The keepalive interval learned for one kind of network, with its counters of answered and failed pings.
    struct LearnedInterval: Hashable, Sendable, BitwiseCopyable {
        /// The learned interval in milliseconds; 0 if no interval was tried yet.
        var interval: UInt32 = 0
        var answered: UInt8 = 0
        var failed: UInt8 = 0
        var isSettled = false
    }

    public struct State: Hashable, Sendable, BitwiseCopyable {
        /// Learned on Wi-Fi and other local networks.
        var wifi = LearnedInterval()
        /// Learned on a carrier's networks.
        var cellular = LearnedInterval()
        /// Number of pings answered on the present connection.
        var answeredOnConnection: UInt8 = 0
        /// The interval for which the timer is armed now, in milliseconds.
        var running: UInt32 = 0
        /// The interval that preceded the last ping, in milliseconds.
        var lastUsed: UInt32 = 0

        public init() {}

        private static func isLocal(_ path: Interface?) -> Bool {
            switch path {
            case .wifi, .bluetooth, .ethernet: true
            case .cellular, .sim2, nil: false
            }
        }

        subscript(path: Interface?) -> LearnedInterval {
            get { Self.isLocal(path) ? wifi : cellular }
            set { if Self.isLocal(path) { wifi = newValue } else { cellular = newValue } }
        }
    }

    private static func milliseconds(_ span: TimeSpan) -> UInt32 { UInt32(clamping: span.nanoseconds / 1_000_000) }

    private var low: UInt32 { Self.milliseconds(shortest) }
    private var high: UInt32 { max(Self.milliseconds(longest), low) }

    private func current(_ found: LearnedInterval) -> UInt32 {
        found.interval == 0 ? min(max(start.map(Self.milliseconds) ?? low, low), high) : found.interval
    }

    /// Returns the keepalive interval to use now: the time from the last ping to the next one.
    public func interval(_ state: State, _ session: Session) -> TimeSpan {
        .milliseconds(Int64(chosenMilliseconds(state, session)))
    }

    private func chosenMilliseconds(_ state: State, _ session: Session) -> UInt32 {
        if isShortestInForeground && session.isForeground { return low }
        if rule == .stepwise && state.answeredOnConnection < trials { return low }
        return current(state[session.path])
    }

    func opened(_ state: inout State) { state.answeredOnConnection = 0 }

    func armed(_ state: inout State, _ session: Session) { state.running = chosenMilliseconds(state, session) }

    func pinged(_ state: inout State) { state.lastUsed = state.running }

    func succeeded(_ state: inout State, _ session: Session) {
        state.answeredOnConnection = min(state.answeredOnConnection, .max - 1) + 1
        var found = state[session.path]
        guard isAboutTrial(state, found) else { return }
        found.interval = current(found)
        found.failed = 0
        switch rule {
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

    /// Called when a ping was not answered, or when the connection ended while an answer was pending. Shortens the
    /// interval after enough failures.
    func failed(_ state: inout State, _ session: Session) {
        var found = state[session.path]
        guard isAboutTrial(state, found) else { return }
        found.interval = current(found)
        switch rule {
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
        guard rule == .stepwise, state[session.path].isSettled else { return }
        state[session.path].answered = 0
        state.answeredOnConnection = 0
        state.lastUsed = low
    }

    /// `true` if the last ping was sent after the interval that is being tested, so that its result counts for the
    /// test.
    private func isAboutTrial(_ state: State, _ found: LearnedInterval) -> Bool {
        switch rule {
        case .scaled: state.lastUsed == current(found)
        case .stepwise: state.lastUsed == current(found) && state.answeredOnConnection >= trials
        }
    }
}
