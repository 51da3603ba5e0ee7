package import DeadzoneBase
package import DeadzoneDevice

/// Estimates the powers and timers of a radio profile from a power trace and simultaneously recorded packets.
///
/// For given timers the radio's level at every time is known, and the powers follow from linear least squares. So only
/// the timers are searched, one at a time, in several rounds.
package struct RadioFit {
    /// A duration in a radio profile, such as a tail, that is estimated from measurements.
    package struct FittedTimer: Sendable {
        package var setting: String
        /// Value in the base profile, in seconds.
        package var value: Double
        /// Another setting that changes with it, by this factor, so that later events keep their time.
        package var linked: (setting: String, by: Double)?

        package init(_ setting: String, _ value: Double, linked: (setting: String, by: Double)? = nil) {
            self.setting = setting
            self.value = value
            self.linked = linked
        }
    }

    /// The estimated value of a radio profile setting, with its range.
    package struct SettingEstimate: Hashable, Sendable {
        package var setting: String
        /// The estimate, in seconds, mW, or mW for each Mbit/s, depending on the setting.
        package var value: Double
        package var range: ClosedRange<Double>
    }

    /// Half-width of intervals, in standard errors.
    private static let standardErrors = 3.0
    private static let rounds = 4
    private static let longest = 120.0

    package private(set) var timers: [SettingEstimate] = []
    package private(set) var powers: [PowerLevel: SettingEstimate] = [:]
    package private(set) var costUp: SettingEstimate?
    package private(set) var costDown: SettingEstimate?
    /// Timers that the trace does not determine.
    package private(set) var insensitive: [String] = []
    /// Standard deviation of the residual, and of the measured power, in mW.
    package private(set) var residual = 0.0
    package private(set) var powerDeviation = 0.0
    package var samples: Int { trace.count }

    private let trace: [PowerTrace.PowerSample]
    private let packets: [RadioPacket]
    private let make: ([String: Double]) -> RadioProfile?
    private var values: [String: Double] = [:]

    /// - Parameter makeProfile: Makes the base profile with other timers; returns `nil` if the timers contradict each
    ///   other.
    package init(
        _ trace: PowerTrace, _ packets: [RadioPacket], timers: [FittedTimer],
        make: @escaping ([String: Double]) -> RadioProfile?
    ) {
        self.trace = trace.samples
        self.packets = packets.sorted { $0.at < $1.at }
        self.make = make
        for timer in timers { values[timer.setting] = timer.value }
        guard let first = solve(values) else { return }
        search(timers, first)
        computeIntervals(timers)
    }

    // MARK: Timers

    private mutating func search(_ timers: [FittedTimer], _ first: LeastSquares.Solution) {
        var best = first.residual
        for round in 0..<Self.rounds {
            let before = best
            // The first round searches from an eighth to eight times the value, later rounds from half to twice, in
            // twelve steps each way.
            let ratio = round == 0 ? 1.189_207 : 1.059_463
            for timer in timers {
                let own = values[timer.setting] ?? timer.value
                var place = own
                var (longer, shorter) = (own, own)
                for _ in 0..<12 {
                    longer *= ratio
                    shorter /= ratio
                    for step in [longer, shorter] where step < Self.longest {
                        if let rest = residual(timer, at: step), rest < best { (best, place) = (rest, step) }
                    }
                }
                place = narrow(timer, (place / ratio)...(place * ratio), place, &best)
                values = moved(timer, to: place)
            }
            if best > before * (1 - 1e-6) { break }
        }
    }

    /// Minimum within a range, by ternary search.
    private func narrow(_ timer: FittedTimer, _ range: ClosedRange<Double>, _ start: Double, _ best: inout Double)
        -> Double
    {
        var (low, high, place) = (range.lowerBound, range.upperBound, start)
        for _ in 0..<14 {
            let (left, right) = (low + (high - low) / 3, high - (high - low) / 3)
            let (a, b) = (residual(timer, at: left) ?? .infinity, residual(timer, at: right) ?? .infinity)
            if a < best { (best, place) = (a, left) }
            if b < best { (best, place) = (b, right) }
            if a < b { high = right } else { low = left }
        }
        return place
    }

    private func moved(_ timer: FittedTimer, to value: Double) -> [String: Double] {
        var moved = values
        if let (other, by) = timer.linked, let there = moved[other], let own = moved[timer.setting] {
            moved[other] = max(0, there + (value - own) * by)
        }
        moved[timer.setting] = value
        return moved
    }

    private func residual(_ timer: FittedTimer, at value: Double) -> Double? {
        solve(moved(timer, to: value))?.residual
    }

    // MARK: Powers

    private static let columns = PowerLevel.allCases.count + 2

    private func solve(_ values: [String: Double]) -> LeastSquares.Solution? {
        guard let profile = make(values), let first = trace.first, let last = trace.last else { return nil }
        let begin = min(Instant(first.from), packets.first?.at ?? Instant(first.from)) - .minutes(3)
        let story = RadioLevelHistory(packets, profile, from: begin, until: Instant(last.until))
        var squares = LeastSquares(unknowns: Self.columns)
        var (period, packet) = (0, 0)
        var parts: [(unknown: Int, part: Double)] = []
        for sample in trace {
            let (from, until) = (Instant(sample.from), Instant(sample.until))
            let length = Double((until - from).nanoseconds)
            parts.removeAll(keepingCapacity: true)
            var at = from
            while period < story.periods.count, at < until {
                let end = min(story.periods[period].until, until)
                if at < end {
                    Self.add(story.periods[period].level.place, Double((end - at).nanoseconds) / length, to: &parts)
                    at = end
                }
                if story.periods[period].until <= until { period += 1 } else { break }
            }
            while packet < packets.count, packets[packet].at < until {
                if from <= packets[packet].at {
                    // Mbit/s over the sample.
                    let rate = Double(packets[packet].bytes) * 8_000 / length
                    Self.add(Self.columns - (packets[packet].isUp ? 2 : 1), rate, to: &parts)
                }
                packet += 1
            }
            squares.add(parts, seen: sample.milliwatts)
        }
        return squares.solve()
    }

    private static func add(_ unknown: Int, _ part: Double, to parts: inout [(unknown: Int, part: Double)]) {
        if let place = parts.firstIndex(where: { $0.unknown == unknown }) {
            parts[place].part += part
        } else {
            parts.append((unknown, part))
        }
    }

    // MARK: Intervals

    private mutating func computeIntervals(_ timers: [FittedTimer]) {
        guard let best = solve(values) else { return }
        residual = best.variance.squareRoot()
        let mean = trace.reduce(0) { $0 + $1.milliwatts } / Double(max(1, trace.count))
        let squares = trace.reduce(0) { $0 + ($1.milliwatts - mean) * ($1.milliwatts - mean) }
        powerDeviation = (squares / Double(max(1, trace.count - 1))).squareRoot()
        func number(_ setting: String, _ column: Int) -> SettingEstimate? {
            guard let value = best.values[column] else { return nil }
            let error = best.errors[column] * Self.standardErrors
            return SettingEstimate(setting: setting, value: value, range: (value - error)...(value + error))
        }
        for (place, level) in PowerLevel.allCases.enumerated() { powers[level] = number("", place) }
        costUp = number("cost-up", Self.columns - 2)
        costDown = number("cost-down", Self.columns - 1)
        for timer in timers { interval(of: timer, best) }
    }

    /// Interval of a timer: the range in which the residual grows by no more than noise explains. A tenth of the
    /// longest sample is added on both sides, because the meter's samples limit the resolution.
    private mutating func interval(of timer: FittedTimer, _ best: LeastSquares.Solution) {
        guard let own = values[timer.setting] else { return }
        let limit = best.residual + Self.standardErrors * Self.standardErrors * best.variance
        func isAllowed(_ value: Double) -> Bool { (residual(timer, at: value) ?? .infinity) <= limit }
        func edge(_ sign: Double) -> Double? {
            var step = max(own, 0.01) / 1_000
            while isAllowed(own + sign * step) {
                step *= 2
                if own + sign * step <= 0 { return 0 }
                if own + sign * step > Self.longest { return nil }
            }
            var (inside, outside) = (step / 2, step)
            for _ in 0..<8 {
                let middle = (inside + outside) / 2
                if isAllowed(own + sign * middle) { inside = middle } else { outside = middle }
            }
            return own + sign * outside
        }
        guard let high = edge(1), let low = edge(-1), low > 0 || high < own * 2 else {
            insensitive.append(timer.setting)
            return
        }
        let slack = (trace.map { $0.until - $0.from }.max() ?? 0) / 10
        timers.append(
            SettingEstimate(setting: timer.setting, value: own, range: max(0, low - slack)...(high + slack)))
    }
}

extension PowerLevel {
    fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension Instant {
    fileprivate init(_ seconds: Double) { self.init(nanoseconds: Int64((seconds * 1e9).rounded())) }
}
