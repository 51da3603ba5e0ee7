/// Estimates radio timers from round-trip times of probes sent after silences of different length. RRC-Probe takes such
/// measurements.
///
/// The network answers later if it holds a packet until the phone listens, or if it has to wake the phone.
package struct SilenceFit: Sendable {
    package struct Probe: Hashable, Sendable {
        /// Seconds.
        package var silence: Double
        package var roundTrip: Double
        /// `true` if it directly follows the previous probe in the list, without other traffic in between.
        package var follows = true
    }

    /// The time for which a phone's radio stayed connected after a probe. There are two ranges: after a probe that woke
    /// the radio, and after one that found it connected.
    package struct ConnectedTimes: Sendable {
        package var woken: ClosedRange<Double>
        package var refreshed: ClosedRange<Double>
    }

    /// Cycle lengths in 3GPP TS 36.331 and 38.331.
    private static let drxCycles = [0.04, 0.064, 0.08, 0.128, 0.16, 0.256, 0.32, 0.512, 0.64, 1.024, 1.28]
    private static let pagingCycles = [0.32, 0.64, 1.28, 2.56]
    /// Fewest probes for a result.
    private static let least = 10
    /// Longest silence and round trip of a probe, in seconds. Radio timers are shorter by orders of magnitude.
    private static let longest = 86_400.0

    package let probes: [Probe]
    package private(set) var numbers: [RadioFit.SettingEstimate] = []
    package private(set) var undetermined: [(setting: String, why: String)] = []
    /// The two durations if a phone stays connected longer after a wake than after a probe; otherwise `nil`.
    package private(set) var connectedTimes: ConnectedTimes?

    /// Reads a table with `interval` in seconds and `RTT1` in milliseconds; rows marked `BAD` are skipped.
    package init(csv: String) {
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
                var isGood = row[silence.place] >= 0 && row[silence.place] <= Self.longest
                isGood = isGood && row[trip.place] > 0 && row[trip.place] <= Self.longest * 1_000
                if let verdict, table.rows[index][verdict.place] == "BAD" { isGood = false }
                defer { follows = isGood }
                guard isGood else { return nil }
                return Probe(silence: row[silence.place], roundTrip: row[trip.place] / 1_000, follows: follows)
            })
    }

    package init(_ probes: [Probe]) {
        self.probes = probes
        find()
    }

    private mutating func find() {
        let early = probes.filter { $0.silence >= 1 && $0.silence < 4 }.map(\.roundTrip).sorted()
        guard early.count >= Self.least else {
            undetermined.append(("everything", "fewer than \(Self.least) probes followed a silence of 1 s to 4 s"))
            return
        }
        let cut = Self.quantile(early, 0.99) + 0.05
        let (refreshed, woken) = apart(cut)
        let isDetermined = boundary({ $0.roundTrip > cut }, among: refreshed) != nil
        guard let release = boundary({ $0.roundTrip > cut }, among: isDetermined ? refreshed : probes) else {
            undetermined.append(("release", "no probe, or every probe, found the radio asleep"))
            return
        }
        numbers.append(RadioFit.SettingEstimate(setting: "release", value: release.at, range: release.range))
        if isDetermined { findMemory(woken, cut, release) }
        let connected = probes.filter { $0.silence >= 1 && $0.silence < release.range.lowerBound }.map(\.roundTrip)
            .sorted()
        // Phones that stayed connected after a wake are not asleep.
        let asleep = probes.filter { $0.silence > release.range.upperBound && $0.roundTrip > cut }.map(\.roundTrip)
            .sorted()
        guard !connected.isEmpty else {
            undetermined.append(("long-drx-cycle, promotion-time", "no probe found the radio connected"))
            return
        }
        findCycle("long-drx-cycle", connected, Self.drxCycles)
        guard asleep.count >= Self.least else {
            undetermined.append(("promotion-time, paging-cycle", "too few probes found the radio asleep"))
            return
        }
        findCycle("paging-cycle", asleep, Self.pagingCycles)
        findPromotion(connected, asleep)
        findInactivity(connected)
    }

    /// Groups probes by the previous probe: it found the phone connected, or woke it.
    private func apart(_ cut: Double) -> (refreshed: [Probe], woken: [Probe]) {
        var (refreshed, woken): ([Probe], [Probe]) = ([], [])
        for (before, probe) in zip(probes, probes.dropFirst()) where probe.follows {
            if before.roundTrip > cut { woken.append(probe) } else { refreshed.append(probe) }
        }
        return (refreshed, woken)
    }

    /// Finds the time for which signalling keeps a connection open beyond the release after the last bit. It needs a
    /// sharp boundary: at most one wrong probe in twenty.
    private mutating func findMemory(
        _ woken: [Probe], _ cut: Double, _ release: (at: Double, range: ClosedRange<Double>)
    ) {
        let isLate = { (probe: Probe) in probe.roundTrip > cut }
        guard let end = boundary(isLate, among: woken), end.range.lowerBound > release.range.upperBound else { return }
        let wrong = woken.count { isLate($0) != ($0.silence > end.at) }
        guard wrong * 20 <= woken.count else {
            undetermined.append(("signalling-time", "some wake-ups extend the tail, but not by one constant time"))
            return
        }
        connectedTimes = ConnectedTimes(woken: end.range, refreshed: release.range)
        let (low, high) = (
            end.range.lowerBound - release.range.upperBound, end.range.upperBound - release.range.lowerBound
        )
        numbers.append(
            RadioFit.SettingEstimate(setting: "signalling-time", value: end.at - release.at, range: low...high))
    }

    /// Computes the promotion time from median round trips. A sleeping phone waits half a paging cycle at the median, a
    /// connected phone half a DRX cycle.
    private mutating func findPromotion(_ connected: [Double], _ asleep: [Double]) {
        func cycle(_ setting: String) -> Double { numbers.first { $0.setting == setting }?.value ?? 0 }
        let paging = cycle("paging-cycle")
        let waits =
            Self.quantile(asleep, 0.5) - paging / 2 - Self.quantile(connected, 0.5) + cycle("long-drx-cycle") / 2
        let error = 3 * paging / 2 / Double(asleep.count).squareRoot()
        numbers.append(
            RadioFit.SettingEstimate(setting: "promotion-time", value: waits, range: (waits - error)...(waits + error)))
    }

    /// Finds the silence after which the phone no longer listens all the time.
    private mutating func findInactivity(_ connected: [Double]) {
        let base = Self.quantile(connected, 0.02)
        let waits = Self.quantile(connected, 0.98) - base
        let early = probes.filter { $0.silence < 1.5 }
        guard early.contains(where: { $0.silence < 0.2 }),
            let begin = boundary({ $0.roundTrip > base + waits / 4 }, among: early)
        else {
            undetermined.append(("inactivity-time", "too few probes followed a silence of 0 s to 1.5 s"))
            return
        }
        numbers.append(RadioFit.SettingEstimate(setting: "inactivity-time", value: begin.at, range: begin.range))
    }

    /// Finds a cycle length. The wait for an occasion is uniform over the cycle, so the middle half of the round trips
    /// spans half of it.
    private mutating func findCycle(_ setting: String, _ trips: [Double], _ cycles: [Double]) {
        let width = (Self.quantile(trips, 0.75) - Self.quantile(trips, 0.25)) * 2
        let cycle = cycles.min { abs($0 - width) < abs($1 - width) } ?? width
        let error = 3 * width / Double(trips.count).squareRoot()
        numbers.append(
            RadioFit.SettingEstimate(
                setting: setting, value: cycle, range: min(cycle, width - error)...max(cycle, width + error)))
    }

    /// Finds the silence above which most probes are late and below which most are not.
    private func boundary(
        _ isLate: (Probe) -> Bool, among probes: [Probe]
    ) -> (at: Double, range: ClosedRange<Double>)? {
        let sorted = probes.sorted { $0.silence < $1.silence }
        let late = sorted.map(isLate)
        let all = late.count { $0 }
        guard sorted.count >= Self.least, all > 0, all < late.count else { return nil }
        // Number of wrong probes if the boundary is before the probe at this index.
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
