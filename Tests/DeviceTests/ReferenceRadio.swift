import DeadzoneBase
import DeadzoneDevice

/// Reference model of a cellular radio, computed from the whole history of its bursts. It has no transitions, only
/// rules about which instant lies in which interval.
struct ReferenceRadio {
    struct Interval {
        var from: Instant
        var until: Instant

        func contains(_ at: Instant) -> Bool { from <= at && at < until }
    }

    let timers: CellularTimers
    let upIsDearer: Bool
    let phases: RadioPhases
    private(set) var promotions: [Interval] = []
    /// The NR leg additions, or other signalling that restarts the tail. `opened` is the first bit after which the
    /// signalling starts.
    private var signals: [(opened: Instant, on: Interval)] = []
    private var flows: [(burst: Burst, at: Instant, on: Interval)] = []
    private var waits: [Interval] = []
    /// The held bursts: when they may flow, since when they wait, and the length of a promotion that must come first.
    /// `promotion` is `nil` if none is needed.
    private var held: (opens: Instant, since: Instant, promotion: TimeSpan?, bursts: [Burst])?

    init(_ profile: RadioProfile, _ phases: RadioPhases) {
        guard case .cellular(let timers) = profile.machine else { fatalError("for cellular radios") }
        self.timers = timers
        self.phases = phases
        upIsDearer = profile.power(.activeDown).femtojoules <= profile.power(.activeUp).femtojoules
    }

    private var lastBit: Instant? { flows.map(\.on.until).max() }

    /// The last bit, or the end of later signalling.
    private func activity(at now: Instant, since lastBit: Instant) -> Instant {
        signals.filter { $0.on.until <= now && reachesConnection($0) }.map(\.on.until).reduce(lastBit, max)
    }

    /// `true` if the connection still exists when the signalling starts.
    private func reachesConnection(_ signal: (opened: Instant, on: Interval)) -> Bool {
        let from = signal.on.from
        if from == signal.opened { return true }
        if promotions.contains(where: { signal.opened < $0.from && $0.from <= from }) { return false }
        guard let last = flows.filter({ $0.on.from <= from }).map(\.on.until).max() else { return false }
        let end = last + timers.tail.end
        let pending = held.map { [Interval(from: $0.since, until: $0.opens)] } ?? []
        return from < end || (waits + pending).contains { $0.contains(from) && $0.from < end }
    }

    // MARK: Data flow

    /// Returns the time of the burst's first bit, as far as it is known when the burst is handed over.
    mutating func carry(_ burst: Burst, at now: Instant) -> Instant {
        release(until: now)
        if held != nil { return join(burst, at: now) }
        let last = lastBit.map { activity(at: now, since: $0) }
        guard let last, now < last + timers.tail.end || isAddingLeg(at: now) else {
            let inactive = last.map { now < $0 + timers.tail.end + timers.inactive } ?? false
            let length = inactive ? timers.resume : timers.promotion
            let starts = burst.direction == .up ? now : next(timers.paging, phases.paging, now)
            held = (starts + length, now, length, [burst])
            return starts + length
        }
        let opens = burst.direction == .up ? now : listening(at: now, last)
        if now < opens {
            held = (opens, now, nil, [burst])
        } else {
            open([burst], at: now)
        }
        return opens
    }

    /// Starts the held bursts that are due.
    mutating func release(until now: Instant) {
        guard let due = held, due.opens <= now else { return }
        held = nil
        waits.append(Interval(from: due.since, until: due.opens))
        if let promotion = due.promotion {
            promotions.append(Interval(from: due.opens - promotion, until: due.opens))
            signal(after: due.opens, for: timers.signalling.draw(0))
        }
        open(due.bursts, at: due.opens)
    }

    private mutating func join(_ burst: Burst, at now: Instant) -> Instant {
        if burst.direction == .up {
            let earliest = now + (held!.promotion ?? .zero)
            held!.opens = min(held!.opens, earliest)
        }
        held!.bursts.append(burst)
        let opens = held!.opens
        release(until: now)
        return opens
    }

    private mutating func open(_ bursts: [Burst], at now: Instant) {
        if .zero < timers.secondPromotion, !isAddingLeg(at: now), let lastBit, lastBit <= now,
            timers.tail.step(after: now - activity(at: now, since: lastBit)).level == .secondTail
        {
            signal(after: now, for: 0)
        }
        for burst in bursts {
            let busy = flows.filter { $0.burst.direction == burst.direction }.map(\.on.until).max() ?? now
            let from = max(now, busy)
            flows.append((burst, now, Interval(from: from, until: from + burst.airtime)))
        }
    }

    private mutating func signal(after opened: Instant, for nanoseconds: Int64) {
        let from = opened + .nanoseconds(nanoseconds)
        signals.append((opened, Interval(from: from, until: from + timers.secondPromotion)))
    }

    /// `true` if the last bit was sent uplink. The flow that carries the last bit decides; of flows that began at the
    /// same time, the largest decides.
    private func lastWasUp(of begun: [(burst: Burst, at: Instant, on: Interval)]) -> Bool {
        var last: (at: Instant, weight: UInt32)?
        var lastBit = Instant.zero
        for flow in begun {
            let weight = Self.weight(flow.burst)
            let isOneMoment = last?.at == flow.at
            let before = lastBit
            lastBit = max(lastBit, flow.on.until)
            guard isOneMoment ? last!.weight < weight : before <= flow.on.until else { continue }
            last = (flow.at, weight)
        }
        return last.map { $0.weight & 1 == 1 } ?? false
    }

    private static func weight(_ burst: Burst) -> UInt32 { max(burst.bytes, 1) * 2 + (burst.direction == .up ? 1 : 0) }

    private func isAddingLeg(at now: Instant) -> Bool {
        signals.contains { $0.on.contains(now) && reachesConnection($0) }
    }

    private func listening(at now: Instant, _ lastBit: Instant) -> Instant {
        let drx = timers.drx
        if now < lastBit + drx.inactivity || isAddingLeg(at: now) { return now }
        let longFrom = lastBit + drx.inactivity + drx.shortSpan
        if now < longFrom {
            let short = next(drx.short, phases.drx, now)
            if short < longFrom { return short }
        }
        return next(drx.long, phases.drx, max(now, longFrom))
    }

    /// Finds the next occasion by stepping through all of them.
    private func next(_ cycle: Cycle, _ phase: Int64, _ now: Instant) -> Instant {
        guard .zero < cycle.period else { return now }
        let period = cycle.period.nanoseconds
        var start = phase % period - period
        start += (max(0, now.nanoseconds - start) / period) * period
        while start + max(cycle.on.nanoseconds - 1, 0) < now.nanoseconds { start += period }
        return max(now, Instant(nanoseconds: start))
    }

    // MARK: Time at each level

    /// Time at each level until `end`.
    mutating func times(until end: Instant) -> [PowerLevel: TimeSpan] {
        release(until: end)
        var edges: Set<Int64> = [0, end.nanoseconds]
        func note(_ at: Instant) {
            if .zero <= at, at <= end { edges.insert(at.nanoseconds) }
        }
        for interval in promotions + signals.map(\.on) + waits + flows.map(\.on) {
            note(interval.from)
            note(interval.until)
        }
        for begin in flows.map(\.on.until) + signals.map(\.on.until) {
            var silence = TimeSpan.zero
            while silence < timers.tail.end {
                silence = timers.tail.step(after: silence).until
                note(begin + silence)
            }
            note(begin + timers.tail.end + timers.inactive)
        }
        if let held { note(held.opens - (held.promotion ?? .zero)) }
        let sorted = edges.sorted()
        var times: [PowerLevel: TimeSpan] = [:]
        for (from, until) in zip(sorted, sorted.dropFirst()) {
            times[level(at: Instant(nanoseconds: from)), default: .zero] += .nanoseconds(until - from)
        }
        return times
    }

    private func level(at now: Instant) -> PowerLevel {
        if promotions.contains(where: { $0.contains(now) }) { return .promotion }
        if let held, let promotion = held.promotion, held.opens - promotion <= now { return .promotion }
        if isAddingLeg(at: now) { return .secondPromotion }
        let begun = flows.filter { $0.on.from <= now }
        let isUp = begun.contains { $0.burst.direction == .up && $0.on.contains(now) }
        let isDown = begun.contains { $0.burst.direction == .down && $0.on.contains(now) }
        if isUp || isDown { return isUp && (upIsDearer || !isDown) ? .activeUp : .activeDown }
        guard let lastBit = begun.map(\.on.until).max() else { return .idle }
        let last = activity(at: now, since: lastBit)
        let silence = now - last
        let waiting = waits.last { $0.contains(now) } ?? held.map { Interval(from: $0.since, until: $0.opens) }
        let since = waiting.flatMap { $0.contains(now) ? $0.from - last : nil } ?? silence
        if since < timers.tail.end {
            let level = timers.tail.step(after: min(silence, timers.tail.end - .nanoseconds(1))).level
            return level == .activeDown && lastWasUp(of: begun) ? .activeUp : level
        }
        if since < timers.tail.end + timers.inactive { return .inactive }
        return .idle
    }
}
