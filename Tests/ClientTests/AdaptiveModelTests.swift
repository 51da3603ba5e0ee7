import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneClient

/// Compares `AdaptiveInterval` and `PingBudget` with plain second versions of their rules.
@Suite struct AdaptiveModelTests {
    /// The rules of `AdaptiveInterval` in milliseconds.
    private struct ReferenceInterval {
        struct Network {
            var interval: Int?
            var answered = 0
            var failed = 0
            var isSettled = false
        }

        let rules: AdaptiveInterval
        var networks = [Network(), Network()]
        var (onConnection, running, used) = (0, 0, 0)

        init(_ rules: AdaptiveInterval) { self.rules = rules }

        private func milliseconds(_ span: TimeSpan) -> Int { Int(span.nanoseconds / 1_000_000) }
        private var low: Int { milliseconds(rules.shortest) }
        private var high: Int { max(milliseconds(rules.longest), low) }
        private func clamped(_ value: Int) -> Int { max(low, min(value, high)) }
        private func tried(_ index: Int) -> Int {
            networks[index].interval ?? clamped(rules.start.map(milliseconds) ?? low)
        }

        func chosen(_ index: Int, _ isForeground: Bool) -> Int {
            let isTrial = rules.rule == .scaled || onConnection >= Int(rules.trials)
            return isTrial && !(rules.isShortestInForeground && isForeground) ? tried(index) : low
        }

        private func counts(_ index: Int) -> Bool {
            used == tried(index) && (rules.rule == .scaled || onConnection >= Int(rules.trials))
        }

        mutating func succeed(_ index: Int) {
            onConnection += 1
            guard counts(index) else { return }
            var network = networks[index]
            let interval = tried(index)
            network.failed = 0
            network.interval = interval
            if rules.rule == .scaled {
                network.interval = min(interval + interval / 2, high)
            } else {
                guard !network.isSettled else { return }
                network.answered += 1
                if interval >= high {
                    network = Network(interval: max(high - milliseconds(rules.margin), low), isSettled: true)
                } else if network.answered >= Int(rules.successes) {
                    (network.interval, network.answered) = (min(interval + milliseconds(rules.step), high), 0)
                }
            }
            networks[index] = network
        }

        mutating func fail(_ index: Int) {
            guard counts(index) else { return }
            let interval = tried(index)
            guard rules.rule == .stepwise else {
                networks[index].interval = max(interval / 2, low)
                return
            }
            guard used != low else { return }
            networks[index].interval = interval
            networks[index].failed += 1
            guard networks[index].failed >= Int(rules.failures) else { return }
            let less = milliseconds(rules.step) + milliseconds(rules.margin)
            let wasSettled = networks[index].isSettled
            networks[index] = Network(interval: wasSettled ? low : max(interval - less, low), isSettled: !wasSettled)
        }

        mutating func close(_ index: Int) {
            guard rules.rule == .stepwise, networks[index].isSettled else { return }
            networks[index].answered = 0
            (onConnection, used) = (0, low)
        }
    }

    private func rules(_ draw: (UInt64) -> Int) -> AdaptiveInterval {
        var rules = AdaptiveInterval()
        rules.rule = draw(3) == 0 ? .scaled : .stepwise
        rules.shortest = .milliseconds(Int64(1 + draw(40)))
        rules.longest = .milliseconds(Int64(1 + draw(120)))
        rules.start = draw(2) == 0 ? nil : .milliseconds(Int64(1 + draw(150)))
        rules.step = .milliseconds(Int64(draw(30)))
        rules.margin = .milliseconds(Int64(draw(30)))
        (rules.successes, rules.failures) = (UInt8(1 + draw(3)), UInt8(1 + draw(3)))
        rules.trials = UInt8(draw(3))
        rules.isShortestInForeground = draw(2) == 0
        return rules
    }

    /// Broken: the interval grows, shrinks or settles at another answer or failure, by another amount, on another
    /// network, or beyond its limits.
    @Test func adaptsByItsRules() {
        var settled = 0
        seedSweep(500) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            func draw(_ below: UInt64) -> Int { Int(dice.next().scaled(below: below)) }
            let facet = rules(draw)
            var model = ReferenceInterval(facet)
            var state = AdaptiveInterval.State()
            var session = Session(random: dice)
            session.isForeground = false
            for step in 0..<60 {
                if draw(12) == 0 { session.isForeground.toggle() }
                if draw(12) == 0 { session.network.path = session.path == .wifi ? .cellular : .wifi }
                let index = session.path == .wifi ? 0 : 1
                let chosen = model.chosen(index, session.isForeground)
                #expect(facet.interval(state, session) == .milliseconds(Int64(chosen)), "seed \(seed), step \(step)")
                switch draw(12) {
                case 0:
                    facet.opened(&state)
                    model.onConnection = 0
                case 1:
                    facet.closed(&state, session)
                    model.close(index)
                case 2...4:
                    facet.failed(&state, session)
                    model.fail(index)
                case 5:
                    facet.armed(&state, session)
                    model.running = chosen
                case 6:
                    facet.pinged(&state)
                    model.used = model.running
                default:
                    // One beat of a healthy connection.
                    facet.armed(&state, session)
                    facet.pinged(&state)
                    facet.succeeded(&state, session)
                    (model.running, model.used) = (chosen, chosen)
                    model.succeed(index)
                }
                for (found, expected) in zip([state.wifi, state.cellular], model.networks) {
                    let isSame =
                        Int(found.interval) == expected.interval ?? 0 && Int(found.answered) == expected.answered
                        && Int(found.failed) == expected.failed && found.isSettled == expected.isSettled
                    #expect(isSame, "seed \(seed), step \(step): \(found) or \(expected)")
                }
                #expect(Int(state.running) == model.running && Int(state.lastUsed) == model.used, "seed \(seed)")
                #expect(Int(state.answeredOnConnection) == model.onConnection, "seed \(seed)")
                settled += state.wifi.isSettled ? 1 : 0
            }
        }
        #expect(settled > 500)
    }

    /// Broken: a ping is allowed, delayed or counted against its limit in another case than the rules say.
    @Test func limitsPingsByItsRules() {
        var (held, free) = (0, 0)
        seedSweep(600) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            func draw(_ below: UInt64) -> Int { Int(dice.next().scaled(below: below)) }
            var budget = PingBudget()
            budget.most = UInt8(draw(4))
            budget.overBudget = draw(2) == 0 ? .block : .throttle
            budget.throttle = .seconds(Int64(draw(8)))
            budget.gap = .seconds(Int64(draw(8)))
            budget.counting = draw(2) == 0 ? .always : .withoutStreams
            let countsAll = budget.counting == .always
            var state = PingBudget.State()
            var (sent, isPending, lastAt, hasStreams) = (0, false, Int64?.none, false)
            var now: Int64 = 0
            for step in 0..<50 {
                now += Int64(draw(4))
                let instant = Instant.zero + .seconds(now)
                switch draw(6) {
                case 0 where draw(4) == 0:
                    budget.opened(&state, hasStreams: hasStreams)
                    (sent, isPending, lastAt) = (countsAll && !hasStreams ? Int(budget.most) : 0, false, nil)
                case 0...1:
                    hasStreams.toggle()
                    budget.streamsChanged(hasStreams, &state)
                    if hasStreams { sent = 0 }
                case 2:
                    let sendsPing = budget.sentData(&state, hasStreams: hasStreams)
                    #expect(sendsPing == isPending, "seed \(seed), step \(step)")
                    if countsAll || hasStreams { sent = 0 }
                    isPending = false
                default:
                    let delay = budget.delayBeforePing(&state, hasStreams, instant)
                    var expected: TimeSpan?
                    if countsAll || !hasStreams {
                        let isOver = budget.most > 0 && sent - Int(budget.most) >= (countsAll ? 0 : 1)
                        var due = lastAt.map { .seconds($0) + budget.gap }
                        if isOver { due = lastAt.map { .seconds($0) + max(budget.throttle, budget.gap) } }
                        if isOver, budget.overBudget == .block {
                            (expected, isPending) = (.longest, countsAll)
                        } else if let due, due > .seconds(now) {
                            expected = due - .seconds(now)
                        }
                    }
                    #expect(delay == expected, "seed \(seed), step \(step): \(budget)")
                    held += delay == nil ? 0 : 1
                    guard delay == nil else { continue }
                    free += 1
                    budget.sentPing(&state, hasStreams: hasStreams, instant)
                    (isPending, lastAt) = (false, now)
                    if countsAll || !hasStreams { sent += 1 }
                }
                #expect(Int(state.sent) == sent && state.isPingPending == isPending, "seed \(seed), step \(step)")
            }
        }
        #expect(held > 2_000 && free > 2_000, "\(held), \(free)")
    }
}
