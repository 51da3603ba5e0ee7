package import DeadzoneBase
package import DeadzoneDevice

/// The transitions between power levels that the state machine of a radio allows, for invariant checks. This repeats
/// the arrows of the state diagrams independently of the radio's code.
package struct LegalSteps: Sendable {
    private var table: [PowerLevel: LevelSet]
    /// The levels after each level by raw value, directly or through one that lasts zero time.
    private let reachable: [LevelSet]

    package init(_ profile: RadioProfile) {
        switch profile.machine {
        case .cellular(let timers): table = Self.cellular(timers)
        case .umts(let timers): table = Self.umts(timers)
        case .wifi(let timers): table = Self.wifi(timers)
        }
        table[.search] = [.unassociated, .idle]
        // After a network is found, the radio may leave idle in the same instant, so idle has no record.
        table[.unassociated] = (table[.idle] ?? []).union([.search, .idle])
        for level in table.keys where level != .search { table[level]?.insert(.search) }
        if profile.handover.isNone { table[.handover] = nil }
        for (level, next) in table {
            table[level] = next.subtracting(profile.handover.isNone ? [level, .handover] : [level])
        }
        // One lookup per level: a sweep draws other radios for each of its worlds, and lookups per pair of levels took a
        // quarter of its time.
        let next = PowerLevel.allCases.map { [table] in table[$0] ?? [] }
        reachable = next.map { direct in
            [PowerLevel.search, .unassociated, .handover].reduce(direct) { sum, between in
                direct.contains(between) ? sum.union(next[Int(between.rawValue)]) : sum
            }
        }
    }

    /// `true` if the transition is legal, directly or through a level that lasts zero time. If two things happen at one
    /// instant, the level in between has no record.
    package func allow(_ from: PowerLevel, _ to: PowerLevel) -> Bool { reachable[Int(from.rawValue)].contains(to) }

    /// All levels that a phone can reach.
    package var levels: Set<PowerLevel> {
        Set(table.values.reduce([] as LevelSet) { $0.union($1) }.members)
    }

    private static func cellular(_ timers: CellularTimers) -> [PowerLevel: LevelSet] {
        let hasSecondLeg = .zero < timers.secondPromotion
        let ladder = timers.tail.levels
        let first: LevelSet = ladder.first.map { $0 == .activeDown ? [.activeUp, .activeDown] : [$0] } ?? []
        let signals: LevelSet = timers.signalling == .constant(0) ? [] : hasSecondLeg ? [.secondPromotion] : first
        let flows = LevelSet([.activeUp, .activeDown, .handover]).union(first).union(signals)
        let end: PowerLevel = .zero < timers.inactive ? .inactive : .idle
        var table: [PowerLevel: LevelSet] = [
            .idle: [.promotion], .activeUp: flows, .activeDown: flows,
            .promotion: hasSecondLeg && signals.isEmpty ? [.secondPromotion, .handover] : flows,
            .handover: flows.union(LevelSet(ladder)).union([.promotion]),
        ]
        if end == .inactive { table[.inactive] = [.promotion, .idle] }
        if hasSecondLeg {
            // Adding the NR leg can take longer than a short tail lasts.
            table[.secondPromotion] = flows.union(LevelSet(ladder)).union([end])
            table[.handover]?.insert(.secondPromotion)
        }
        for (level, next) in zip(ladder, ladder.dropFirst() + [end]) {
            for level in level == .activeDown ? first.members : [level] {
                table[level] = level == .secondTail ? [.secondPromotion, .handover, next] : flows.union([next])
            }
        }
        if timers.saving.sleeps { addSleep(after: timers.saving.activeTime, to: &table) }
        return table
    }

    /// Adds the sleep of a device with PSM. An update without data leads from the promotion to idle.
    private static func addSleep(after activeTime: TimeSpan, to table: inout [PowerLevel: LevelSet]) {
        table[.promotion]?.insert(.idle)
        table[.idle]?.insert(.powerSaving)
        table[.powerSaving] = [.promotion]
        guard activeTime == .zero else { return }
        for level in table.keys where table[level]?.contains(.idle) == true { table[level]?.insert(.powerSaving) }
    }

    private static func umts(_ timers: UMTSTimers) -> [PowerLevel: LevelSet] {
        let promotions: LevelSet = timers.idleToFACH == nil ? [.promotion] : [.promotion, .fachPromotion]
        let onDCH: LevelSet = timers.hasActiveLevels ? [.dch, .activeUp, .activeDown] : [.dch]
        var table: [PowerLevel: LevelSet] = [
            .idle: promotions, .promotion: onDCH.union([.handover]), .secondPromotion: onDCH.union([.handover]),
            .fach: [.secondPromotion, .idle, .handover],
            .handover: onDCH.union(promotions).union([.fach, .secondPromotion]),
        ]
        for level in onDCH.members { table[level] = onDCH.union([.fach, .handover]) }
        // Data arrived while the channel was being left: the next channel lasts zero time.
        if .zero < timers.dchToFACH { table[.dch]?.insert(.secondPromotion) }
        if .zero < timers.fachToIdle { table[.fach]?.formUnion(promotions) }
        if timers.idleToFACH != nil { table[.fachPromotion] = [.fach, .secondPromotion, .handover] }
        return table
    }

    private static func wifi(_ timers: WiFiTimers) -> [PowerLevel: LevelSet] {
        let active: LevelSet =
            timers.highBytes == nil ? [.activeUp, .activeDown] : [.activeUp, .activeDown, .activeHigh]
        let flows = active.union([.tail, .handover, .unassociated])
        let promotes = .zero < timers.promotion
        var table: [PowerLevel: LevelSet] = [
            .idle: promotes ? [.promotion, .unassociated] : flows.subtracting([.handover]),
            .tail: flows.union([.idle]), .handover: promotes ? flows.union([.promotion]) : flows,
        ]
        for level in active.members { table[level] = flows }
        // A window can outlast the tail.
        if timers.tail <= timers.highWindow { table[.activeHigh]?.insert(.idle) }
        if promotes { table[.promotion] = flows }
        return table
    }
}

extension TailLadder {
    /// The levels of the ladder that are reached, in order.
    fileprivate var levels: [PowerLevel] {
        var levels: [PowerLevel] = []
        var silence = TimeSpan.zero
        while silence < end {
            let step = step(after: silence)
            levels.append(step.level)
            silence = step.until
        }
        return levels
    }
}
