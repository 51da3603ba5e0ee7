/// Turns the network lanes of a recorded day into entries of a timeline.
///
/// A change between Wi-Fi and the cellular network is one handoff, because `wifi: off` alone would leave the phone
/// without a network. A time without service on the cellular network is a dead zone.
struct DayNetworks {
    /// Longest time without a network that is the gap of a handoff, in milliseconds.
    private static let gapLimit: Int64 = 5_000

    private let day: PhoneDay
    private let lane: Lane<PhoneDay.DefaultNetwork>
    private var network: [LaneStretch<PhoneDay.DefaultNetwork>] { lane.stretches }
    private let cellular: Lane<CellularState>
    /// Times on the cellular network in which no packet passed, with the reason.
    private let deadZones: [(LaneStretch<Bool>, reason: String)]
    private var result: [(at: Int64, text: String)] = []
    /// Number of entries above which no more are added.
    private var limit = Int.max
    /// Shortest time between two changes of the access point that are written, in milliseconds.
    private let thinning: Int64
    /// Technology that the radio of the scenario uses.
    private var technology: String
    private let base: String
    /// Words of all technologies with a radio in the scenario.
    private let known: [String]

    init(_ day: PhoneDay, simplify: Int64, thinning: Int64) {
        self.day = day
        self.thinning = thinning
        let (raw, zones) = Self.withDeadZones(day)
        lane = Self.merged(raw.simplified(simplify))
        deadZones = zones.filter { $0.0.length >= max(simplify, 100) }
        cellular = day.cellular.simplified(simplify)
        known = Self.technologies(of: day)
        base = known.first ?? "lte"
        technology = base
    }

    /// Words of the cellular technologies in use, the most used one first; `lte` if none is known.
    static func technologies(of day: PhoneDay) -> [String] {
        var words: [String] = []
        for (state, _) in day.technologies {
            if let word = DayScenario.word(state), !words.contains(word) { words.append(word) }
        }
        return words.isEmpty ? ["lte"] : words
    }

    /// Separates two reasons for a time without a network after one on the cellular network. If the network was out of
    /// service, or a call stopped data, the phone stays registered: a dead zone. Otherwise it has left the network.
    private static func withDeadZones(
        _ day: PhoneDay
    ) -> (Lane<PhoneDay.DefaultNetwork>, [(LaneStretch<Bool>, reason: String)]) {
        var changes: [(at: Int64, value: PhoneDay.DefaultNetwork)] = []
        var zones: [(LaneStretch<Bool>, reason: String)] = []
        for stretch in day.network.stretches {
            let state = day.cellular.value(at: stretch.start) ?? .none
            let isOut = state == .outOfService || state == .emergencyOnly
            let isCall = day.suspended.value(at: stretch.start) == true
            if stretch.value == .none, changes.last?.value == .cellular, isOut || isCall,
                day.radioOff.value(at: stretch.start) != true
            {
                zones.append(
                    (LaneStretch(stretch.start, stretch.end, true), isOut ? state.name : "a call stopped data"))
            } else if stretch.value != changes.last?.value {
                changes.append((stretch.start, stretch.value))
            }
        }
        return (Lane(changes, from: changes.first?.value ?? .none, until: day.length), zones)
    }

    /// Rounds the times to a tenth of a second, so that each stretch has at least that length.
    private static func merged(_ lane: Lane<PhoneDay.DefaultNetwork>) -> Lane<PhoneDay.DefaultNetwork> {
        var changes: [(at: Int64, value: PhoneDay.DefaultNetwork)] = []
        for stretch in lane.stretches {
            let at = (stretch.start + 50) / 100 * 100
            if let last = changes.last, last.at >= at { changes.removeLast() }
            changes.append((at, stretch.value))
        }
        return Lane(changes, from: changes.first?.value ?? .none, until: lane.stretches.last?.end ?? 0)
    }

    /// The entries, at least one more than `limit` if there are too many.
    mutating func entries(atMost limit: Int) -> [(at: Int64, text: String)] {
        self.limit = limit
        var index = 0
        while index < network.count, result.count <= limit {
            let stretch = network[index]
            let before = index > 0 ? network[index - 1].value : nil
            let next = index + 1 < network.count ? network[index + 1] : nil
            if stretch.value == .none, let before, before != .none, let next, next.value != before,
                stretch.length <= Self.gapLimit
            {
                // A short time without a network, between two networks, belongs to the handoff.
                hand(to: next.value, at: stretch.start, gap: stretch.length)
                index += 1
                follow(next)
            } else {
                enter(stretch, from: before, next: next?.value)
                if stretch.value != .none { follow(stretch) }
            }
            index += 1
        }
        for (zone, reason) in deadZones where stays(zone) {
            let at = (zone.start + 50) / 100 * 100
            add(at, "{dead-zone: \(DayScenario.time(max(zone.length, 100))), interface: cellular}  # \(reason)")
        }
        addRoams()
        return result
    }

    private mutating func add(_ at: Int64, _ text: String) {
        if result.count <= limit { result.append((at, text)) }
    }

    private mutating func hand(to network: PhoneDay.DefaultNetwork, at: Int64, gap: Int64) {
        let rounded = (gap + 50) / 100 * 100
        let option = rounded > 0 ? ", gap: \(DayScenario.time(rounded))" : ""
        add(at, network == .wifi ? "{handoff: wifi, name: home\(option)}" : "{handoff: cellular\(option)}")
    }

    /// Adds the change into a stretch of a network. `before` is `nil` at the beginning of the day.
    private mutating func enter(
        _ stretch: LaneStretch<PhoneDay.DefaultNetwork>, from before: PhoneDay.DefaultNetwork?,
        next: PhoneDay.DefaultNetwork?
    ) {
        let at = stretch.start
        switch (before, stretch.value) {
        case (nil, .wifi): add(at, "{wifi: home}")
        case (nil, .cellular): add(at, hasWiFi ? "{wifi: \"off\", cellular: \"on\"}" : "{cellular: \"on\"}")
        case (nil, .none):
            let both = hasWiFi && hasCellular ? ", cellular: \"off\"" : ""
            add(at, hasWiFi || !hasCellular ? "{wifi: \"off\"\(both)}" : "{cellular: \"off\"}")
        case (PhoneDay.DefaultNetwork.none?, .wifi): add(at, "{wifi: home}")
        case (PhoneDay.DefaultNetwork.none?, .cellular): add(at, "{cellular: \"on\"}")
        case (_, .none):
            add(at, before == .wifi ? "{wifi: \"off\"}" : "{cellular: \"off\"}")
        case (_, let new): hand(to: new, at: at, gap: 0)
        }
    }

    private var hasWiFi: Bool { network.contains { $0.value == .wifi } }
    private var hasCellular: Bool { network.contains { $0.value == .cellular } }

    /// Adds the changes of technology within a stretch on the cellular network.
    private mutating func follow(_ stretch: LaneStretch<PhoneDay.DefaultNetwork>) {
        guard stretch.value == .cellular else { return }
        for part in cellular.overlapping(stretch.start..<stretch.end) {
            // Rounding may leave a technology without time on the cellular network.
            guard let word = DayScenario.word(part.value), word != technology, known.contains(word) else { continue }
            let at = (max(part.start, stretch.start) + 50) / 100 * 100
            add(at, "{technology: \(word == base ? "cellular" : word)}")
            technology = word
        }
    }

    /// `true` if the phone is on the cellular network just before the zone begins, and still 100 ms after its beginning.
    private func stays(_ zone: LaneStretch<Bool>) -> Bool {
        lane.stretch(at: zone.start - 1).map { $0.value == .cellular && zone.start + 100 < $0.end } ?? false
    }

    private mutating func addRoams() {
        var free: Int64 = 0
        for roam in day.roams {
            let at = (roam.start + 50) / 100 * 100
            let length = (max(roam.length, 100) + 50) / 100 * 100
            guard free < at, free == 0 || at >= free + thinning, let stretch = lane.stretch(at: at - 1),
                stretch.value == .wifi,
                at + length < stretch.end
            else { continue }
            add(at, "{roam: \(DayScenario.time(length))}")
            free = at + length
        }
    }
}
