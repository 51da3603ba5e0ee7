/// What round trips after silences tell of a radio, as RRC-Probe measures them: a network that holds a packet until the phone
/// listens, and one that has to wake it, answer later.
public struct SilenceFit: Sendable {
    public struct Probe: Hashable, Sendable {
        /// Seconds.
        public var silence: Double
        public var roundTrip: Double
        /// It follows on the one before it in the list, and nothing else was said between.
        public var follows: Bool

        public init(silence: Double, roundTrip: Double, follows: Bool = true) {
            self.silence = silence
            self.roundTrip = roundTrip
            self.follows = follows
        }
    }

    /// How long phones were still connected, by what the probe before did: it woke them, or met them connected.
    public struct Memory: Sendable {
        public var woken: ClosedRange<Double>
        public var refreshed: ClosedRange<Double>
    }

    /// Cycles that 3GPP TS 36.331 and 38.331 allow.
    private static let drxCycles = [0.04, 0.064, 0.08, 0.128, 0.16, 0.256, 0.32, 0.512, 0.64, 1.024, 1.28]
    private static let pagingCycles = [0.32, 0.64, 1.28, 2.56]
    /// Fewer tell nothing.
    private static let least = 10

    public let probes: [Probe]
    public private(set) var numbers: [RadioFit.Number] = []
    public private(set) var untold: [(setting: String, why: String)] = []
    /// Where a wake is remembered for longer than a probe is.
    public private(set) var memory: Memory?

    /// A table with `interval` in seconds and `RTT1`, in milliseconds; rows that say `BAD` are left out.
    public init(csv: String) {
        let table = CSVTable(csv)
        guard let silence = table.column(["interval", "silence"]), let trip = table.column(["rtt"]) else {
            self.init([])
            return
        }
        let verdict = table.column(["keepordrop"])
        var follows = false
        self.init(
            table.rows.indices.compactMap { index in
                let row = table.numbers[index]
                var isGood = row[silence.place].isFinite && row[trip.place].isFinite && row[trip.place] > 0
                if let verdict, table.rows[index][verdict.place] == "BAD" { isGood = false }
                defer { follows = isGood }
                guard isGood else { return nil }
                return Probe(silence: row[silence.place], roundTrip: row[trip.place] / 1_000, follows: follows)
            })
    }

    public init(_ probes: [Probe]) {
        self.probes = probes
        find()
    }

    private mutating func find() {
        let early = probes.filter { $0.silence >= 1 && $0.silence < 4 }.map(\.roundTrip).sorted()
        guard early.count >= Self.least else {
            untold.append(("everything", "fewer than \(Self.least) probes came after 1 s to 4 s of silence"))
            return
        }
        let cut = Self.quantile(early, 0.99) + 0.05
        let (refreshed, woken) = apart(cut)
        let isTold = boundary({ $0.roundTrip > cut }, among: refreshed) != nil
        guard let release = boundary({ $0.roundTrip > cut }, among: isTold ? refreshed : probes) else {
            untold.append(("release", "no probe found the phone asleep, or all did"))
            return
        }
        numbers.append(RadioFit.Number(setting: "release", value: release.at, range: release.range))
        if isTold { findMemory(woken, cut, release) }
        let connected = probes.filter { $0.silence >= 1 && $0.silence < release.range.lowerBound }.map(\.roundTrip)
            .sorted()
        // Who is remembered is still connected then.
        let asleep = probes.filter { $0.silence > release.range.upperBound && $0.roundTrip > cut }.map(\.roundTrip)
            .sorted()
        findCycle("long-drx-cycle", connected, Self.drxCycles)
        guard asleep.count >= Self.least else {
            untold.append(("promotion-time, paging-cycle", "too few probes found the phone asleep"))
            return
        }
        findCycle("paging-cycle", asleep, Self.pagingCycles)
        findPromotion(connected, asleep)
        findInactivity(connected)
    }

    /// Probes by what the one before them did: it met the phone connected, or woke it.
    private func apart(_ cut: Double) -> (refreshed: [Probe], woken: [Probe]) {
        var (refreshed, woken): ([Probe], [Probe]) = ([], [])
        for (before, probe) in zip(probes, probes.dropFirst()) where probe.follows {
            if before.roundTrip > cut { woken.append(probe) } else { refreshed.append(probe) }
        }
        return (refreshed, woken)
    }

    /// A connection that signalling has kept open for longer than the last bit would have. Only where it ends at one moment: one wrong in
    /// twenty at most.
    private mutating func findMemory(
        _ woken: [Probe], _ cut: Double, _ release: (at: Double, range: ClosedRange<Double>)
    ) {
        let isLate = { (probe: Probe) in probe.roundTrip > cut }
        guard let end = boundary(isLate, among: woken), end.range.lowerBound > release.range.upperBound else { return }
        let wrong = woken.count { isLate($0) != ($0.silence > end.at) }
        guard wrong * 20 <= woken.count else {
            untold.append(("signalling-time", "some wakes are remembered, and not for one length of time"))
            return
        }
        memory = Memory(woken: end.range, refreshed: release.range)
        let (low, high) = (
            end.range.lowerBound - release.range.upperBound, end.range.upperBound - release.range.lowerBound
        )
        numbers.append(RadioFit.Number(setting: "signalling-time", value: end.at - release.at, range: low...high))
    }

    /// Who sleeps waits for half a paging cycle in the middle, who is connected for half a DRX cycle.
    private mutating func findPromotion(_ connected: [Double], _ asleep: [Double]) {
        func cycle(_ setting: String) -> Double { numbers.first { $0.setting == setting }?.value ?? 0 }
        let paging = cycle("paging-cycle")
        let waits =
            Self.quantile(asleep, 0.5) - paging / 2 - Self.quantile(connected, 0.5) + cycle("long-drx-cycle") / 2
        let error = 3 * paging / 2 / Double(asleep.count).squareRoot()
        numbers.append(
            RadioFit.Number(setting: "promotion-time", value: waits, range: (waits - error)...(waits + error)))
    }

    /// Silence until the phone no longer always listens.
    private mutating func findInactivity(_ connected: [Double]) {
        let base = Self.quantile(connected, 0.02)
        let waits = Self.quantile(connected, 0.98) - base
        let early = probes.filter { $0.silence < 1.5 }
        guard early.contains(where: { $0.silence < 0.2 }),
            let begin = boundary({ $0.roundTrip > base + waits / 4 }, among: early)
        else {
            untold.append(("inactivity-time", "too few probes came after 0 s to 1.5 s"))
            return
        }
        numbers.append(RadioFit.Number(setting: "inactivity-time", value: begin.at, range: begin.range))
    }

    /// A wait for an occasion is uniform over the cycle: half of the probes wait for half of it.
    private mutating func findCycle(_ setting: String, _ trips: [Double], _ cycles: [Double]) {
        let width = (Self.quantile(trips, 0.75) - Self.quantile(trips, 0.25)) * 2
        let cycle = cycles.min { abs($0 - width) < abs($1 - width) } ?? width
        let error = 3 * width / Double(trips.count).squareRoot()
        numbers.append(
            RadioFit.Number(
                setting: setting, value: cycle, range: min(cycle, width - error)...max(cycle, width + error)))
    }

    /// From which silence on most probes are late, and before which most are not.
    private func boundary(
        _ isLate: (Probe) -> Bool, among probes: [Probe]
    ) -> (at: Double, range: ClosedRange<Double>)? {
        let sorted = probes.sorted { $0.silence < $1.silence }
        let late = sorted.map(isLate)
        let all = late.count { $0 }
        guard sorted.count >= Self.least, all > 0, all < late.count else { return nil }
        // What is wrong where the boundary lies before the probe of this place.
        var wrong = [late.count - all]
        for isLate in late { wrong.append(wrong.last! + (isLate ? 1 : -1)) }
        guard let least = wrong.min() else { return nil }
        func silence(_ place: Int) -> Double { sorted[min(place, sorted.count - 1)].silence }
        let allowed = wrong.indices.filter { wrong[$0] <= least + 1 }
        let best = wrong.indices.filter { wrong[$0] == least }
        guard let low = allowed.first, let high = allowed.last, let first = best.first, let last = best.last,
            last > 0, first < sorted.count
        else { return nil }
        let at = (silence(max(first - 1, 0)) + silence(last)) / 2
        return (at, min(at, silence(max(low - 1, 0)))...max(at, silence(high)))
    }

    private static func quantile(_ sorted: [Double], _ share: Double) -> Double {
        sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }
}
