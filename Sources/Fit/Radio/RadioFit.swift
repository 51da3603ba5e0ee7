public import DeadzoneDevice
public import DeadzonePrimitives

/// From a trace of power and the packets beside it to the powers and timers of a radio profile. Of given timers it is known which
/// level the radio was at when, and the powers that leave the least of the trace unexplained are a matter of linear
/// equations; so the timers alone are searched, each by itself, around and around.
public struct RadioFit {
    /// A setting of a profile that is a length of time.
    public struct Timer: Sendable {
        public var setting: String
        /// In seconds, as the base has it.
        public var value: Double
        /// What moves with it, by so many times as much: what comes later comes when it did before.
        public var drags: (setting: String, by: Double)?

        public init(_ setting: String, _ value: Double, drags: (setting: String, by: Double)? = nil) {
            self.setting = setting
            self.value = value
            self.drags = drags
        }
    }

    /// What the data decide.
    public struct Number: Hashable, Sendable {
        public var setting: String
        /// Seconds, mW, or mW for each Mbit/s.
        public var value: Double
        public var range: ClosedRange<Double>
    }

    /// Three standard errors.
    private static let surely = 3.0
    private static let rounds = 4
    private static let longest = 120.0

    public private(set) var timers: [Number] = []
    public private(set) var powers: [PowerLevel: Number] = [:]
    public private(set) var costUp: Number?
    public private(set) var costDown: Number?
    /// Timers that the trace says nothing of.
    public private(set) var flat: [String] = []
    /// What is left unexplained, as a standard deviation in mW, and how much power varies at all.
    public private(set) var rest = 0.0
    public private(set) var spread = 0.0
    public var samples: Int { trace.count }

    private let trace: [PowerTrace.Sample]
    private let packets: [RadioPacket]
    private let make: ([String: Double]) -> RadioProfile?
    private var values: [String: Double] = [:]

    /// - Parameter make: the base profile with other timers; nil where they contradict each other.
    public init(
        _ trace: PowerTrace, _ packets: [RadioPacket], timers: [Timer],
        make: @escaping ([String: Double]) -> RadioProfile?
    ) {
        self.trace = trace.samples
        self.packets = packets.sorted { $0.at < $1.at }
        self.make = make
        for timer in timers { values[timer.setting] = timer.value }
        guard let first = solve(values) else { return }
        search(timers, first)
        settle(timers)
    }

    // MARK: Timers

    private mutating func search(_ timers: [Timer], _ first: LeastSquares.Solution) {
        var best = first.rest
        for round in 0..<Self.rounds {
            let before = best
            // From an eighth to eight times as much, then from half to twice, in twelve steps each way.
            let ratio = round == 0 ? 1.189_207 : 1.059_463
            for timer in timers {
                let own = values[timer.setting] ?? timer.value
                var place = own
                var (longer, shorter) = (own, own)
                for _ in 0..<12 {
                    longer *= ratio
                    shorter /= ratio
                    for step in [longer, shorter] where step < Self.longest {
                        if let rest = rest(timer, at: step), rest < best { (best, place) = (rest, step) }
                    }
                }
                place = narrow(timer, (place / ratio)...(place * ratio), place, &best)
                values = moved(timer, to: place)
            }
            if best > before * (1 - 1e-6) { break }
        }
    }

    /// The least within a range, by thirds.
    private func narrow(_ timer: Timer, _ range: ClosedRange<Double>, _ start: Double, _ best: inout Double) -> Double {
        var (low, high, place) = (range.lowerBound, range.upperBound, start)
        for _ in 0..<14 {
            let (left, right) = (low + (high - low) / 3, high - (high - low) / 3)
            let (a, b) = (rest(timer, at: left) ?? .infinity, rest(timer, at: right) ?? .infinity)
            if a < best { (best, place) = (a, left) }
            if b < best { (best, place) = (b, right) }
            if a < b { high = right } else { low = left }
        }
        return place
    }

    private func moved(_ timer: Timer, to value: Double) -> [String: Double] {
        var moved = values
        if let (other, by) = timer.drags, let there = moved[other], let own = moved[timer.setting] {
            moved[other] = max(0, there + (value - own) * by)
        }
        moved[timer.setting] = value
        return moved
    }

    private func rest(_ timer: Timer, at value: Double) -> Double? { solve(moved(timer, to: value))?.rest }

    // MARK: Powers

    private static let columns = PowerLevel.allCases.count + 2

    private func solve(_ values: [String: Double]) -> LeastSquares.Solution? {
        guard let profile = make(values), let first = trace.first, let last = trace.last else { return nil }
        let begin = min(Instant(first.from), packets.first?.at ?? Instant(first.from)) - .minutes(3)
        let story = RadioStory(packets, profile, from: begin, until: Instant(last.until))
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

    private mutating func settle(_ timers: [Timer]) {
        guard let best = solve(values) else { return }
        rest = best.variance.squareRoot()
        let mean = trace.reduce(0) { $0 + $1.milliwatts } / Double(max(1, trace.count))
        let squares = trace.reduce(0) { $0 + ($1.milliwatts - mean) * ($1.milliwatts - mean) }
        spread = (squares / Double(max(1, trace.count - 1))).squareRoot()
        func number(_ setting: String, _ column: Int) -> Number? {
            guard let value = best.values[column] else { return nil }
            let error = best.errors[column] * Self.surely
            return Number(setting: setting, value: value, range: (value - error)...(value + error))
        }
        for (place, level) in PowerLevel.allCases.enumerated() { powers[level] = number("", place) }
        costUp = number("cost-up", Self.columns - 2)
        costDown = number("cost-down", Self.columns - 1)
        for timer in timers { interval(of: timer, best) }
    }

    /// As far as what is left grows by no more than noise explains; a reading of the meter is as long as it is.
    private mutating func interval(of timer: Timer, _ best: LeastSquares.Solution) {
        guard let own = values[timer.setting] else { return }
        let limit = best.rest + Self.surely * Self.surely * best.variance
        func isAllowed(_ value: Double) -> Bool { (rest(timer, at: value) ?? .infinity) <= limit }
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
            flat.append(timer.setting)
            return
        }
        let slack = (trace.map { $0.until - $0.from }.max() ?? 0) / 10
        timers.append(
            Number(setting: timer.setting, value: own, range: max(0, low - slack)...(high + slack)))
    }
}

extension PowerLevel {
    fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension Instant {
    fileprivate init(_ seconds: Double) { self.init(nanoseconds: Int64((seconds * 1e9).rounded())) }
}
