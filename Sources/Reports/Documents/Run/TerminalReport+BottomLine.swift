import DeadzoneBase
import DeadzoneMetrics

/// The comparison in one sentence: which strategy delivers the most, and what that costs.
extension RunReport {
    /// "patient loses nothing and uses 22% more energy than eager, which loses 36%." Empty for a single strategy.
    func bottomLineText(_ style: Style) -> String {
        // The sentence says which differences are decided, and a stopped run has no intervals.
        guard isComplete else { return "" }
        let lines = [bottomLine, tradeLine ?? shippableLine, otherAppsLine, stoppedLine, equalLine].compactMap(\.self)
        return lines.isEmpty ? "" : "\n" + lines.map { style.wrapped($0, indent: 0) + "\n" }.joined()
    }

    /// The choice that the data cannot make, in each direction in which there is one. `nil` if there is none.
    private var tradeLine: String? {
        let trades = EnergyLatencyTrade.all(self, among: shippable)
        guard !trades.isEmpty else { return nil }
        let sentences = trades.map { $0.tradeText { strategies[$0].name.escapedForTerminal } + "." }
        let bounds = trades.map { "`\($0.boundText)`" }.joined(separator: " and ")
        return "To ship: not decided. \(sentences.joined(separator: " ")) "
            + "Write \(trades.count == 1 ? "a bound" : "bounds"), such as \(bounds)."
    }

    /// A hint if other apps cause at least half of the energy above idle with every client, so that the difference between
    /// the clients looks small. `nil` otherwise.
    private var otherAppsLine: String? {
        let shares = strategies.compactMap { strategy -> Int128? in
            guard case .value(let others)? = strategy.measurement.figure("cause.other_apps"),
                case .value(let above)? = strategy.measurement.figure("battery.above_idle_joules"), above > .zero
            else { return nil }
            return others.count * 1_000_000_000 / above.count
        }
        guard strategies.count > 1, shares.count == strategies.count, let least = shares.min(), least >= 500_000_000
        else { return nil }
        let share = Self.percent(Billionths(count: min(least, 1_000_000_000)))
        return "Other apps cause at least about \(share) of the energy above idle, with each client."
    }

    /// A hint if the system stopped every client for at least half of the run, and the timers of some clients were overdue
    /// meanwhile: their keepalives mostly did not run, so a comparison of them says little. A client that the system wakes
    /// for its timers, or that has none in the background, is not meant.
    private var stoppedLine: String? {
        let spans = strategies.compactMap { strategy -> Int128? in
            guard case .value(let span)? = strategy.measurement.figure("app.suspended_s") else { return nil }
            return span.count
        }
        let half = Int128(scenario.duration.nanoseconds) / 2
        guard strategies.count > 1, spans.count == strategies.count, let least = spans.min(), least >= half else {
            return nil
        }
        let overdue = strategies.indices.filter {
            2 * Int128(strategies[$0].measurement.timerDelay.nanoseconds) >= spans[$0]
        }
        guard !overdue.isEmpty else { return nil }
        let names = overdue.map { strategies[$0].name.escapedForTerminal }
        let owners = overdue.count == strategies.count ? "" : " of " + Self.list(names)
        let share = Billionths(count: least * 500_000_000 / max(half, 1))
        return "The system kept the app from running for at least \(Self.percent(share)) of the run, so keepalives and "
            + "retries\(owners) mostly did not run."
            + Self.advice(
                BackgroundSwitches(scenario.resolved).missing(overdue.map { strategies[$0].name }))
    }

    private static func advice(_ switches: [String]) -> String {
        guard !switches.isEmpty else { return "" }
        return " \(list(switches.map { "`\($0)`" })) \(switches.count == 1 ? "changes" : "change") that."
    }

    /// The strategies that did exactly the same. `nil` if there are none.
    private var equalLine: String? {
        var places: [String: [Int]] = [:]
        for index in strategies.indices where !strategies[index].digest.isEmpty {
            places[strategies[index].digest, default: []].append(index)
        }
        let equal = places.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
        guard !equal.isEmpty else { return nil }
        let lists = equal.map { Self.list($0.map { strategies[$0].name.escapedForTerminal }) }
        return lists.joined(separator: "; ")
            + " did exactly the same: what differs in their settings had no effect here."
    }

    /// Up to three names, and the number of the others.
    private static func list(_ names: [String]) -> String {
        let shown = names.count > 4 ? names.prefix(3) + ["\(names.count - 3) more"] : names[...]
        guard shown.count > 1, let last = shown.last else { return names.first ?? "" }
        return shown.dropLast().joined(separator: ", ") + " and " + last
    }

    /// The strategy with the least energy among those that have expectations and meet all of them. `nil` if each
    /// strategy meets its own: then the line above names the strategy already.
    private var shippableLine: String? {
        guard strategies.count > 1, strategies.contains(where: { $0.outcomes.contains { $0.verdict == .fail } }) else {
            return nil
        }
        let fit = shippable
        let candidates = fit.filter { !strategies[$0].outcomes.isEmpty }
        let names = candidates.map { strategies[$0].name.escapedForTerminal }
        guard let first = names.first else {
            guard !fit.isEmpty else {
                return "To ship: none. Each strategy fails an expectation, or delivers fewer messages than another."
            }
            let others = Self.list(fit.map { strategies[$0].name.escapedForTerminal })
            return "To ship: not decided. Each strategy with an expectation fails one, or delivers fewer messages than "
                + "another; \(others) \(fit.count == 1 ? "has" : "have") no expectation."
        }
        guard names.count > 1 else {
            return "To ship: \(first). Only it meets all expectations and delivers about as much as the best."
        }
        guard let metric = Catalogue.metric(named: "battery.joules"),
            let best = Ranking(metric, candidates.map { strategies[$0].measurement }).marks.firstIndex(of: .best)
        else { return nil }
        return "To ship: \(names[best]). It uses the least energy of the \(names.count) strategies that meet all "
            + "expectations and deliver about as much as the best."
    }

    /// `nil` if there is nothing to compare: one strategy, or neither messages nor energy.
    var bottomLine: String? {
        let sides = strategies.map { ComparedStrategy(name: $0.name.escapedForTerminal, measurement: $0.measurement) }
        guard sides.count > 1, let least = sides.compactMap(\.lost).min() else {
            return sides.count > 1 ? energyLine(sides) : nil
        }
        let faithful = sides.filter { $0.lost == least }
        guard let best = faithful.min(by: { ($0.joules ?? .zero) < ($1.joules ?? .zero) }) else { return nil }
        let others = sides.count - faithful.count
        if others == 0 {
            let every = sides.count == 2 ? "Both" : "All \(sides.count)"
            let loss =
                least == .zero ? "\(every) lose nothing" : "\(every) lose \(Self.percent(least)) of the \(best.sent)"
            let late = sides.max { $0.pending < $1.pending }.flatMap { side in
                side.isLate
                    ? "\(Self.percent(side.pending)) of the \(side.sent) of \(side.name) are still pending" : nil
            }
            return [loss, late, energyLineOfDelivering(sides)].compactMap(\.self).joined(separator: ". ")
        }
        var loss = least == .zero ? "loses nothing" : "loses the least (\(Self.percent(least)) of its \(best.sent))"
        if best.isLate { loss += ", but \(Self.percent(best.pending)) of its \(best.sent) are still pending," }
        let many = least == .zero ? "lose nothing" : "lose the least (\(Self.percent(least)) of their \(best.sent))"
        let count = faithful.count == 1 ? "" : "\(faithful.count) of \(sides.count) \(many); of these, "
        let subject = faithful.count == 1 ? "\(best.name) \(loss)" : "\(count)\(best.name)"
        let joint = faithful.count == 1 ? " and uses" : " uses"
        guard let cheapest = sides.min(by: { ($0.joules ?? .zero) < ($1.joules ?? .zero) }),
            let own = best.joules, cheapest.joules != nil, own > .zero
        else { return subject + "." }
        let isDecided = undecided("battery.joules").isEmpty
        if cheapest.name == best.name {
            let worst = sides.max { ($0.lost ?? .zero) < ($1.lost ?? .zero) }
            let tail = worst.map { ". \($0.name) loses \(Self.percent($0.lost ?? .zero))" } ?? ""
            // "Of these" speaks of the strategies that lose the least. A single one is compared with all others.
            let compared = sides.indices.filter { faithful.count == 1 || sides[$0].lost == least }
            let rivals = undecided("battery.joules", among: compared).map { sides[$0].name }.filter { $0 != best.name }
            return subject + joint
                + (rivals.isEmpty ? " the least energy" : " about the same energy as " + Self.list(rivals)) + tail + "."
        }
        let amount = best.energy(relativeTo: cheapest, isDecided: isDecided)
        return subject + joint + " \(amount) \(cheapest.name), which loses \(Self.percent(cheapest.lost ?? .zero))."
    }

    /// The energy of the strategies that deliver about as much as the best by the end, within a tenth of the messages: a
    /// client with its messages still pending is cheap because it does nothing.
    private func energyLineOfDelivering(_ sides: [ComparedStrategy]) -> String? {
        let least = sides.map(\.pending.count).min() ?? 0
        let delivering = sides.indices.filter { sides[$0].pending.count < least + 100_000_000 }
        guard delivering.count < sides.count else { return energyLine(sides) }
        guard delivering.count > 1 else {
            return "Only \(sides[delivering[0]].name) delivers about as much as the best, so energy is not compared."
        }
        guard let metric = Catalogue.metric(named: "battery.joules") else { return nil }
        let marks = Ranking(metric, delivering.map { strategies[$0].measurement }).marks
        // One replica has no interval, so no mark: the values decide.
        let cheapest =
            replicas > 1
            ? marks.firstIndex(of: .best).map { delivering[$0] }
            : delivering.min { (sides[$0].joules ?? .zero) < (sides[$1].joules ?? .zero) }
        let best = cheapest.map { sides[$0].name + " uses the least energy" }
        return "Of the \(delivering.count) that deliver about as much as the best, "
            + (best ?? "none uses less energy beyond chance") + "."
    }

    /// "eager uses the least energy, 22% less than patient."
    private func energyLine(_ sides: [ComparedStrategy]) -> String? {
        let ordered = sides.filter { $0.joules != nil }.sorted { ($0.joules ?? .zero) < ($1.joules ?? .zero) }
        guard ordered.count > 1, let first = ordered[0].joules, let last = ordered.last?.joules, last > .zero else {
            return nil
        }
        let open = undecided("battery.joules")
        if open.count == sides.count { return "Their energy does not differ beyond chance." }
        if !open.isEmpty {
            let names = open.prefix(3).map { sides[$0].name } + (open.count > 3 ? ["\(open.count - 3) more"] : [])
            let list = names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
            return "\(list) use the least energy, and their intervals overlap."
        }
        guard let change = NumberText.change(from: last, to: first), change.hasPrefix("-") else {
            return "All use the same energy."
        }
        let worst = ordered[ordered.count - 1]
        let above = ordered[0].aboveIdle(relativeTo: worst)
        return "\(ordered[0].name) uses the least energy, \(change.dropFirst()) less\(above) than \(worst.name)."
    }

    /// Indices of the strategies among which the best is undecided, because their confidence intervals overlap. Empty
    /// for one replica, which has no interval: its numbers are reported as they are.
    /// - Parameter compared: indices of the strategies that are compared; `nil` for all.
    private func undecided(_ name: String, among compared: [Int]? = nil) -> [Int] {
        guard replicas > 1, let metric = Catalogue.metric(named: name) else { return [] }
        let places = compared ?? Array(strategies.indices)
        let marks = Ranking(metric, places.map { strategies[$0].measurement }).marks
        return marks.indices.filter { marks[$0] == .undecided }.map { places[$0] }
    }

    /// Two digits are enough for a sentence: `36%`, `0.4%`; `<0.1%` for less.
    private static func percent(_ share: Billionths) -> String {
        let percent = Billionths(count: share.count * 100)
        if percent.count > 0 && percent.count < 100_000_000 { return "<0.1%" }
        return NumberText.decimal(percent, places: percent.count < 10_000_000_000 ? 1 : 0) + "%"
    }
}

/// The figures of a strategy that the one-line conclusion of a report compares: message loss and energy.
private struct ComparedStrategy {
    let name: String
    /// The share of its messages and calls that were lost or failed; `nil` if the scenario sends none.
    let lost: Billionths?
    /// The share of its messages and calls that were still waiting at the end.
    let pending: Billionths
    /// Whether the shares are of `messages`, `calls` or both.
    let sent: String
    let joules: Billionths?
    /// Energy beyond the energy that the radios use without any traffic.
    private let aboveIdle: Billionths?

    /// `true` if the pending share deserves a mention: one in a hundred.
    var isLate: Bool { pending.count >= 10_000_000 }

    init(name: String, measurement: Measurement) {
        func sum(_ names: [String]) -> Int128 {
            names.reduce(0) { total, name in
                guard case .value(let value)? = measurement.figure(name) else { return total }
                return total + value.count
            }
        }
        self.name = name
        let (messages, calls) = (sum(["delivery.down.sent", "delivery.up.sent"]), sum(["calls.sent"]))
        let total = messages + calls
        sent = calls == 0 ? "messages" : messages == 0 ? "calls" : "messages and calls"
        let failed = sum(["calls.failed"])
        let lost = sum(["delivery.down.lost", "delivery.up.lost"]) + failed
        self.lost = total > 0 ? Billionths(count: lost * 1_000_000_000 / total) : nil
        let late = sum(["delivery.down.pending", "delivery.up.pending", "calls.pending"])
        pending = Billionths(count: total > 0 ? late * 1_000_000_000 / total : 0)
        func value(_ name: String) -> Billionths? {
            guard case .value(let value)? = measurement.figure(name) else { return nil }
            return value
        }
        joules = value("battery.joules")
        aboveIdle = value("battery.above_idle_joules")
    }

    /// `22% more energy than`, as an answer to how much more than the other strategy this one uses.
    func energy(relativeTo other: Self, isDecided: Bool) -> String {
        guard isDecided, let own = joules, let old = other.joules, let change = NumberText.change(from: old, to: own)
        else {
            return "about as much energy as"
        }
        let above = aboveIdle(relativeTo: other)
        if change.hasPrefix("+") { return "\(change.dropFirst()) more energy\(above) than" }
        return change.hasSuffix("x") ? "\(change.dropLast()) times the energy\(above) of" : "as much energy as"
    }

    /// The difference in energy above idle, in parentheses: ` (15% less above idle)`. Empty unless idling takes at least
    /// half of the other strategy's energy. No strategy changes that half, so total energy understates the difference.
    func aboveIdle(relativeTo other: Self) -> String {
        guard let own = joules, let old = other.joules, let ownAbove = aboveIdle, let oldAbove = other.aboveIdle,
            oldAbove.count * 2 <= old.count, (own < old) == (ownAbove < oldAbove),
            let change = NumberText.change(from: oldAbove, to: ownAbove)
        else { return "" }
        if change.hasPrefix("+") { return " (\(change.dropFirst()) more above idle)" }
        if change.hasPrefix("-") { return " (\(change.dropFirst()) less above idle)" }
        return change.hasSuffix("x") ? " (\(change.dropLast()) times above idle)" : ""
    }
}
