import DeadzoneBase
@testable import DeadzoneClient

/// A naive second `Deadlines` with a list of calls instead of bits and packed counters. Tests compare both after every
/// event.
struct ReferenceCalls {
    struct WaitingCall: Equatable {
        var index: UInt32
        var due: Instant
        var isSent: Bool
        var made: Int
        var failed = 0
        var wasUnprocessed = false
        var mayNotRepeat = false
    }

    let rules: Deadlines
    var places = [WaitingCall?](repeating: nil, count: 32)
    /// Attempts that are due later: place of the call and time.
    var schedule = [(place: Int, due: Instant)?](repeating: nil, count: 16)
    var (missed, spent) = (0, 0)
    var isSlow = false
    var measured: (call: UInt32, since: Instant)?
    var actions: [Action] = []

    static let connection = ConnectionSlot(0)

    init(_ rules: Deadlines) { self.rules = rules }

    private func place(of call: UInt32) -> Int? { places.firstIndex { $0?.index == call } }
    private var isHedging: Bool { if case .hedge = rules.retry?.policy { true } else { false } }
    private func isScheduled(_ place: Int) -> Bool { schedule.contains { $0?.place == place } }

    private func awaitsConnection(_ place: Int) -> Bool {
        places[place].map { !$0.isSent } ?? false && !isScheduled(place)
    }

    private func mayRepeat(_ place: Int) -> Bool {
        guard let retry = rules.retry, let call = places[place], !call.mayNotRepeat else { return false }
        let tokens = rules.throttle.map { Int($0.tokens) * 1_000 } ?? 1
        return call.made < Int(retry.attempts) && 2 * (tokens - spent) > tokens
    }

    private mutating func countThrottle() {
        if let throttle = rules.throttle { spent = min(spent + 1_000, Int(throttle.tokens) * 1_000) }
    }

    private mutating func add(_ place: Int, at due: Instant) -> Bool {
        unschedule(place)
        guard let free = schedule.firstIndex(where: { $0 == nil }) else { return false }
        schedule[free] = (place, due)
        return true
    }

    private mutating func unschedule(_ place: Int) {
        for index in schedule.indices where schedule[index]?.place == place { schedule[index] = nil }
    }

    private mutating func remove(_ place: Int) {
        if let measured, measured.call == places[place]?.index { (isSlow, self.measured) = (true, nil) }
        places[place] = nil
        unschedule(place)
    }

    private mutating func fail(_ place: Int, _ failure: CallFailure) {
        actions.append(.abandon(call: places[place]?.index ?? .max, failure))
        remove(place)
    }

    private mutating func send(_ place: Int, _ session: Session) {
        places[place]?.isSent = true
        places[place]?.made += 1
        actions.append(.call(Self.connection, places[place]?.index ?? .max))
        hedge(place, session)
    }

    private mutating func hedge(_ place: Int, _ session: Session) {
        if case .hedge(let delay) = rules.retry?.policy, mayRepeat(place) { _ = add(place, at: session.now + delay) }
    }

    // MARK: Events

    mutating func request(_ call: UInt32, _ readiness: Deadlines.Readiness, _ session: Session) {
        var limit = session.isForeground ? rules.limit : rules.backgroundLimit ?? rules.limit
        if session.isForeground, isSlow, let slow = rules.slowNetwork { limit = slow.limit }
        if session.isBatterySaverOn, let saver = rules.batterySaverLimit { limit = saver }
        guard !(rules.failsOffline && session.path == nil) else {
            return actions.append(.abandon(call: call, .unavailable))
        }
        if !places.contains(where: { $0 == nil }),
            let oldest = places.indices.filter({ places[$0]?.due == .never })
                .min(by: { places[$0]?.index ?? 0 < places[$1]?.index ?? 0 })
        {
            fail(oldest, .unavailable)
        }
        guard let free = places.firstIndex(where: { $0 == nil }) else {
            return actions.append(.abandon(call: call, .unavailable))
        }
        let isOpen = readiness == .open
        places[free] = WaitingCall(
            index: call, due: limit.map { session.now(rules.timing.clock) + $0 } ?? .never, isSent: isOpen,
            made: isOpen ? 1 : 0)
        if isOpen {
            if rules.slowNetwork != nil, measured == nil { measured = (call, session.now) }
            actions.append(.call(Self.connection, call))
            hedge(free, session)
        } else if readiness == .down, rules.whenNotConnected == .fail {
            failUnsent(free, session)
        }
    }

    mutating func answer(_ call: UInt32, _ session: Session) {
        missed = 0
        if place(of: call) != nil, let throttle = rules.throttle { spent = max(spent - Int(throttle.ratio), 0) }
        if let slow = rules.slowNetwork, let measured, measured.call == call {
            isSlow = session.now > measured.since + slow.threshold
            self.measured = nil
        }
        if let place = place(of: call) { remove(place) }
    }

    mutating func open(_ session: Session) {
        missed = 0
        for place in 0..<32 where awaitsConnection(place) { send(place, session) }
    }

    mutating func close(_ session: Session) {
        for place in 0..<32 where places[place]?.isSent == true {
            guard rules.retry != nil else {
                if rules.retriesAfterReconnect { places[place]?.isSent = false } else { fail(place, .unavailable) }
                continue
            }
            if isHedging, let call = places[place] {
                // All attempts but the last have failed; each costs a token.
                for _ in 0..<max(call.made - 1 - call.failed, 0) { countThrottle() }
                places[place]?.failed = max(call.failed, call.made - 1)
            }
            attemptFailed(place, CallRefusal(.unavailable), session)
        }
    }

    /// A connection that took no new calls has ended: only the calls before `end` were on it.
    mutating func close(below end: UInt32) {
        for place in 0..<32 {
            guard let call = places[place], call.isSent, call.index < end else { continue }
            if rules.retriesAfterReconnect { places[place]?.isSent = false } else { fail(place, .unavailable) }
        }
    }

    func isSent(below end: UInt32) -> Bool { places.contains { $0.map { $0.isSent && $0.index < end } ?? false } }

    mutating func goDown(_ session: Session) {
        if rules.failsOffline, session.path == nil { return failAll() }
        guard rules.whenNotConnected != .wait else { return }
        for place in 0..<32 where awaitsConnection(place) { failUnsent(place, session) }
    }

    mutating func changeNetwork(_ session: Session) {
        if rules.failsOffline, session.path == nil { failAll() }
    }

    private mutating func failAll() {
        for place in 0..<32 where places[place] != nil { fail(place, .unavailable) }
    }

    mutating func deadline(_ session: Session) -> Deadlines.DeadlineDecision {
        for place in 0..<32 {
            guard let call = places[place], call.due <= session.now(rules.timing.clock) else { continue }
            if call.isSent { missed = min(missed + 1, 255) }
            fail(place, .deadlineExceeded)
        }
        if rules.reconnectAfter > 0, missed >= Int(rules.reconnectAfter) { return .reconnect }
        return rules.probeAfter > 0 && missed >= Int(rules.probeAfter) ? .probe : .nothing
    }

    mutating func reject(
        _ call: UInt32, _ refusal: CallRefusal, _ readiness: Deadlines.Readiness, _ session: Session
    ) {
        missed = 0
        guard let place = place(of: call), let old = places[place] else { return }
        if refusal.isUnprocessed, !old.wasUnprocessed {
            places[place]?.wasUnprocessed = true
            places[place]?.made = max(old.made - 1, 0)
            if !isHedging || old.failed >= max(old.made - 1, 0) { places[place]?.isSent = false }
            if readiness == .open, !refusal.isConnectionDraining { send(place, session) }
            return
        }
        attemptFailed(place, refusal, session)
        if readiness == .open, awaitsConnection(place) { send(place, session) }
    }

    mutating func retry(_ readiness: Deadlines.Readiness, _ session: Session) {
        while let next = schedule.compactMap({ $0 }).filter({ $0.due <= session.now }).min(by: { $0.due < $1.due }) {
            unschedule(next.place)
            let isSent = places[next.place]?.isSent ?? false
            if readiness == .open {
                if !isSent || mayRepeat(next.place) { send(next.place, session) }
            } else if readiness == .down, rules.whenNotConnected == .fail, !isSent {
                failUnsent(next.place, session)
            }
        }
    }

    // MARK: Failures

    private mutating func failUnsent(_ place: Int, _ session: Session) {
        if places[place]?.isSent == false { places[place]?.made += 1 }
        attemptFailed(place, CallRefusal(.unavailable), session)
    }

    private mutating func attemptFailed(_ place: Int, _ refusal: CallRefusal, _ session: Session) {
        guard let retry = rules.retry else { return fail(place, refusal.status) }
        let mayRetry = retry.codes.contains(refusal.status) && !refusal.isCommitted
        if mayRetry || refusal.pushback == .stop { countThrottle() }
        guard mayRetry else { return fail(place, refusal.status) }
        if refusal.pushback == .stop { places[place]?.mayNotRepeat = true }
        let isLast = !mayRepeat(place)
        switch retry.policy {
        case .hedge:
            places[place]?.failed += 1
            let isOver = places[place].map { $0.failed >= $0.made } ?? true
            if isLast {
                unschedule(place)
                if isOver { fail(place, refusal.status) }
            } else if case .after(let span) = refusal.pushback {
                if isOver { places[place]?.isSent = false }
                if !add(place, at: session.now + span) { fail(place, refusal.status) }
            } else {
                unschedule(place)
                places[place]?.isSent = false
            }
        case .retry(let backoff, _):
            guard !isLast else { return fail(place, refusal.status) }
            var wait = backoff.delay(afterFailures: UInt32(places[place]?.failed ?? 0))
            if case .after(let span) = refusal.pushback {
                wait = span
                places[place]?.failed = 0
            } else {
                places[place]?.failed += 1
            }
            places[place]?.isSent = false
            if !add(place, at: session.now + wait) { fail(place, refusal.status) }
        }
    }
}
