import DeadzoneDevice
public import DeadzoneJournal
public import DeadzoneMetrics
public import DeadzonePrimitives

/// What happened to one phone, kept as periods and moments: what lanes and traces are drawn from. Of all other phones only
/// the moments of their attempts to connect are kept.
public struct Story: Recorder {
    /// A period of one radio at one power.
    public struct RadioPeriod: Hashable, Sendable {
        public var start: Int64
        public var end: Int64
        public var level: PowerLevel
        public var technology: UInt8
        /// Femtojoules spent by the time alone.
        public var energy: Int128
    }

    public struct Packet: Hashable, Sendable {
        public var at: Int64
        public var bytes: Int64
        public var interface: Interface
        public var direction: Direction
        public var cause: Cause
    }

    /// What was true of a connection while the client believed it was open.
    public enum Truth: UInt8, CaseIterable, Sendable {
        case works, blocked, dead
        /// Dead, and the system did not let the app run that believed in it.
        case frozen
    }

    public struct Period<Value: Hashable & Sendable>: Hashable, Sendable {
        public var start: Int64
        public var end: Int64
        public var value: Value

        public init(start: Int64, end: Int64, value: Value) {
            self.start = start
            self.end = end
            self.value = value
        }
    }

    public struct Message: Hashable, Sendable {
        public var direction: Direction
        public var sent: Int64
        /// Nil: not in this run.
        public var seen: Int64?
    }

    public struct Moment: Hashable, Sendable {
        public enum What: UInt8, CaseIterable, Sendable {
            case failed, falseDrop, killed, relaunched, goAway, pinged
        }
        public var at: Int64
        public var what: What
    }

    /// Until the app could run again, or the processor slept again.
    public enum Rest: Hashable, Sendable {
        case suspended(SuspensionCode)
        /// A maintenance window was open.
        case window
        /// The processor was awake with the screen off.
        case awake
    }

    public let phone: UInt32
    public let horizon: Int64
    public let prices: Prices
    /// By index of the change in the world's timeline.
    private let scenes: [Scene]

    /// By the interface's raw value.
    public private(set) var radio: [[RadioPeriod]] = [[], []]
    public private(set) var packets: [Packet] = []
    public private(set) var truths: [Period<Truth>] = []
    public private(set) var rests: [Period<Rest>] = []
    public private(set) var messages: [Message] = []
    public private(set) var moments: [Moment] = []
    /// What took effect, in the order of time.
    public private(set) var changes: [Period<Scene>] = []
    /// Attempts to connect of all phones, by steps of `arrivalSpan`.
    public private(set) var arrivals: [Int32] = []
    /// When messages were sent and whether they were seen, by direction, in the order of time.
    private var sent: [[(at: Int64, isSeen: Bool)]] = [[], []]
    /// Femtojoules of the processor: how much, from when to when.
    var processor: [(start: Int64, end: Int64, energy: Int128)] = []

    /// A tenth of a second, or longer where the run is longer than so many of them.
    public let arrivalSpan: Int64
    private static let mostArrivalSteps: Int64 = 1_000_000
    private static let tenth: Int64 = 100_000_000

    public init(phone: UInt32 = 0, horizon: TimeSpan, prices: Prices, scenes: [Scene]) {
        self.phone = phone
        self.horizon = horizon.nanoseconds
        arrivalSpan = Self.tenth * (1 + horizon.nanoseconds / (Self.tenth * Self.mostArrivalSteps))
        self.prices = prices
        self.scenes = scenes
    }

    public mutating func record(_ batch: UnsafeBufferPointer<Record>) {
        for record in batch where record.value >= 0 {
            if record.kind == .connecting { arrive(record.at.nanoseconds) }
            if record.lane == phone { add(record) }
        }
    }

    /// One phone is in one recorder; a second one has nothing to add but arrivals.
    public mutating func merge(_ other: Story) {
        for (index, count) in other.arrivals.enumerated() { grow(to: index); arrivals[index] += count }
        guard radio.allSatisfy(\.isEmpty) && packets.isEmpty && messages.isEmpty else { return }
        let sum = arrivals
        self = other
        arrivals = sum
    }

    private mutating func arrive(_ at: Int64) {
        let index = Int(at / arrivalSpan)
        grow(to: index)
        arrivals[index] += 1
    }

    private mutating func grow(to index: Int) {
        if arrivals.count <= index { arrivals += Array(repeating: 0, count: index + 1 - arrivals.count) }
    }
}

// One record of the phone.
extension Story {
    private mutating func add(_ record: Record) {
        let (at, value) = (record.at.nanoseconds, record.value)
        switch record.kind {
        case .residency: record.tag(of: .residency).map { spend(value, $0, at) }
        case .bytes: record.tag(of: .bytes).map { carry(value, $0, at) }
        case .available: truths.append(Period(start: at - value, end: at, value: .works))
        case .blocked: truths.append(Period(start: at - value, end: at, value: .blocked))
        case .zombie: truths.append(Period(start: at - value, end: at, value: .dead))
        case .zombieFrozen: truths.append(Period(start: at - value, end: at, value: .frozen))
        case .sentDown: sent[Int(Direction.down.rawValue)].append((at, false))
        case .sentUp: sent[Int(Direction.up.rawValue)].append((at, false))
        case .deliveredDown: see(.down, sent: at - value, at)
        case .deliveredUp: see(.up, sent: at - value, at)
        case .weather where value > 0 && Int(record.tag) < scenes.count:
            changes.append(Period(start: at, end: at, value: scenes[Int(record.tag)]))
        case .suspended:
            guard let code = record.tag(of: .suspended) else { return }
            rests.append(Period(start: at - value, end: at, value: .suspended(code)))
        case .window: rests.append(Period(start: at - value, end: at, value: .window))
        case .awake:
            rests.append(Period(start: at - value, end: at, value: .awake))
            if let power = prices.processor?.wakePower {
                processor.append((at - value, at, power.energy(over: .nanoseconds(value)).femtojoules))
            }
        case .woke:
            if let energy = prices.processor?.wakeEnergy { processor.append((at, at, energy.femtojoules)) }
        case .finished: finish()
        default: note(record)
        }
    }

    private mutating func note(_ record: Record) {
        let what: Moment.What? =
            switch record.kind {
            case .failed: .failed
            case .falseDrop: .falseDrop
            case .killed, .crashed: .killed
            case .relaunched: .relaunched
            case .goAway: .goAway
            case .pinged: .pinged
            default: nil
            }
        if let what { moments.append(Moment(at: record.at.nanoseconds, what: what)) }
    }

    private mutating func spend(_ span: Int64, _ tag: RadioTag, _ at: Int64) {
        guard span > 0, let profile = profile(tag.interface, tag.technology) else { return }
        let energy = profile.power(tag.level).energy(over: .nanoseconds(span)).femtojoules
        let index = Int(tag.interface.rawValue)
        if let last = radio[index].indices.last, radio[index][last].end == at {
            // The shares of one period, one cause after another, lie end to end.
            radio[index][last].start -= span
            radio[index][last].energy += energy
        } else if let last = radio[index].indices.last, radio[index][last].level == tag.level,
            radio[index][last].technology == tag.technology, radio[index][last].end == at - span
        {
            radio[index][last].end = at
            radio[index][last].energy += energy
        } else {
            radio[index].append(
                RadioPeriod(start: at - span, end: at, level: tag.level, technology: tag.technology, energy: energy))
        }
    }

    private mutating func carry(_ bytes: Int64, _ tag: BytesTag, _ at: Int64) {
        packets.append(
            Packet(at: at, bytes: bytes, interface: tag.interface, direction: tag.direction, cause: tag.cause))
        guard let cost = profile(tag.interface, tag.technology)?.cost(tag.direction) else { return }
        processor.append((at, at, cost.energy(ofBytes: bytes).femtojoules))
    }

    /// A record of what was seen says how long ago it was sent, and so which one it is; of several sent at one moment, the first.
    private mutating func see(_ direction: Direction, sent start: Int64, _ at: Int64) {
        let index = Int(direction.rawValue)
        var (low, high) = (0, sent[index].count)
        while low < high {
            let middle = (low + high) / 2
            if sent[index][middle].at < start { low = middle + 1 } else { high = middle }
        }
        while low < sent[index].count, sent[index][low].at == start, sent[index][low].isSeen { low += 1 }
        if low < sent[index].count, sent[index][low].at == start { sent[index][low].isSeen = true }
        messages.append(Message(direction: direction, sent: start, seen: at))
    }

    private mutating func finish() {
        for direction in Direction.allCases {
            let unseen = sent[Int(direction.rawValue)].filter { !$0.isSeen }
            messages += unseen.map { Message(direction: direction, sent: $0.at) }
            sent[Int(direction.rawValue)] = []
        }
        messages.sort { ($0.sent, $0.direction.rawValue) < ($1.sent, $1.direction.rawValue) }
        truths.sort { ($0.start, $0.end) < ($1.start, $1.end) }
    }

    func profile(_ interface: Interface, _ technology: UInt8) -> RadioProfile? {
        let profiles = prices.radios.technologies(of: interface)
        return Int(technology) < profiles.count ? profiles[Int(technology)] : nil
    }
}
