package import DeadzoneBase
import DeadzoneDevice
package import DeadzoneMetrics

/// Records the history of one phone as periods and moments, from which charts and traces are drawn. For all other
/// phones, only the times of their connection attempts are kept.
package struct PhoneHistory: Recorder {
    /// A period in which one radio stayed at one power level.
    package struct RadioPeriod: Hashable, Sendable {
        package var start: Int64
        package var end: Int64
        package var level: PowerLevel
        package var technology: UInt8
        /// Energy of the time at this level, in femtojoules, without the cost of bytes.
        package var energy: Int128
    }

    package struct HistoryPacket: Hashable, Sendable {
        package var at: Int64
        package var bytes: Int64
        package var interface: Interface
        package var direction: Direction
        package var cause: Cause
    }

    /// The true state of a connection while the client believes that it is open.
    package enum ConnectionHealth: UInt8, CaseIterable, Sendable {
        case works, blocked, dead
        /// Dead, while the operating system keeps the app from running.
        case frozen
    }

    package struct Period<Value: Hashable & Sendable>: Hashable, Sendable {
        package var start: Int64
        package var end: Int64
        package var value: Value
    }

    package struct HistoryMessage: Hashable, Sendable {
        package var direction: Direction
        package var sent: Int64
        /// `nil` if the message was not delivered in this run.
        package var seen: Int64?
    }

    package struct Moment: Hashable, Sendable {
        package enum MomentKind: UInt8, CaseIterable, Sendable {
            case failed, falseDrop, killed, relaunched, goAway, pinged
        }
        package var at: Int64
        package var kind: MomentKind
    }

    /// The kind of a sleep-related period: the app could not run, or the device left sleep.
    package enum SleepPeriodKind: Hashable, Sendable {
        case suspended(SuspensionCode)
        /// A maintenance window was open.
        case window
        /// The processor was awake with the screen off.
        case awake
    }

    package let phone: UInt32
    package let horizon: Int64
    package let prices: Prices
    /// Timeline markers, by index of the change in the world's timeline.
    private let markers: [TimelineMarker]

    /// Radio periods, by the interface's raw value.
    package private(set) var radio = [[RadioPeriod]](repeating: [], count: Interface.allCases.count)
    package private(set) var packets: [HistoryPacket] = []
    package private(set) var connectionPeriods: [Period<ConnectionHealth>] = []
    package private(set) var sleepPeriods: [Period<SleepPeriodKind>] = []
    package private(set) var messages: [HistoryMessage] = []
    package private(set) var moments: [Moment] = []
    /// Timeline changes that took effect, in time order.
    package private(set) var changes: [Period<TimelineMarker>] = []
    /// Connection attempts of all phones, counted in steps of `attemptSpan`.
    package private(set) var attemptCounts: [Int32] = []
    /// Sent messages by direction, in time order: when, and whether they were delivered.
    private var sent: [[(at: Int64, isSeen: Bool)]] = [[], []]
    /// Energy outside radio periods (processor, bytes), in femtojoules, from start to end.
    var processor: [(start: Int64, end: Int64, energy: Int128)] = []

    /// Length of a counting step: a tenth of a second, or longer if the run would need more than `maxAttemptSteps`
    /// steps.
    package let attemptSpan: Int64
    private static let maxAttemptSteps: Int64 = 1_000_000
    private static let tenth: Int64 = 100_000_000

    package init(phone: UInt32 = 0, horizon: TimeSpan, prices: Prices, markers: [TimelineMarker]) {
        self.phone = phone
        self.horizon = horizon.nanoseconds
        attemptSpan = Self.tenth * (1 + horizon.nanoseconds / (Self.tenth * Self.maxAttemptSteps))
        self.prices = prices
        self.markers = markers
    }

    package mutating func record(_ batch: UnsafeBufferPointer<Record>) {
        for record in batch where record.value >= 0 {
            if record.kind == .connecting { countAttempt(record.at.nanoseconds) }
            if record.phone == phone { add(record) }
        }
    }

    /// The phone is in one of the recorders. The other one adds only connection attempts.
    package mutating func merge(_ other: PhoneHistory) {
        for (index, count) in other.attemptCounts.enumerated() { grow(to: index); attemptCounts[index] += count }
        guard radio.allSatisfy(\.isEmpty) && packets.isEmpty && messages.isEmpty else { return }
        let sum = attemptCounts
        self = other
        attemptCounts = sum
    }

    private mutating func countAttempt(_ at: Int64) {
        let index = Int(at / attemptSpan)
        grow(to: index)
        attemptCounts[index] += 1
    }

    private mutating func grow(to index: Int) {
        if attemptCounts.count <= index { attemptCounts += Array(repeating: 0, count: index + 1 - attemptCounts.count) }
    }
}

// Records of the phone.
extension PhoneHistory {
    private mutating func add(_ record: Record) {
        let (at, value) = (record.at.nanoseconds, record.value)
        switch record.kind {
        case .residency: record.tag(of: .residency).map { recordResidency(value, $0, at) }
        case .bytes: record.tag(of: .bytes).map { recordBytes(value, $0, at) }
        case .available: connectionPeriods.append(Period(start: at - value, end: at, value: .works))
        case .blocked: connectionPeriods.append(Period(start: at - value, end: at, value: .blocked))
        case .zombie: connectionPeriods.append(Period(start: at - value, end: at, value: .dead))
        case .zombieFrozen: connectionPeriods.append(Period(start: at - value, end: at, value: .frozen))
        case .sentDown: sent[Int(Direction.down.rawValue)].append((at, false))
        case .sentUp: sent[Int(Direction.up.rawValue)].append((at, false))
        case .deliveredDown: recordSeen(.down, sent: at - value, at)
        case .deliveredUp: recordSeen(.up, sent: at - value, at)
        case .weather where value > 0 && Int(record.tag) < markers.count:
            changes.append(Period(start: at, end: at, value: markers[Int(record.tag)]))
        case .suspended:
            guard let code = record.tag(of: .suspended) else { return }
            sleepPeriods.append(Period(start: at - value, end: at, value: .suspended(code)))
        case .window: sleepPeriods.append(Period(start: at - value, end: at, value: .window))
        case .awake:
            sleepPeriods.append(Period(start: at - value, end: at, value: .awake))
            if let power = prices.processor?.wakePower {
                processor.append((at - value, at, power.energy(over: .nanoseconds(value)).femtojoules))
            }
        case .woke:
            if let energy = prices.processor?.wakeEnergy { processor.append((at, at, energy.femtojoules)) }
        case .finished: finish()
        default: recordMoment(record)
        }
    }

    private mutating func recordMoment(_ record: Record) {
        let kind: Moment.MomentKind? =
            switch record.kind {
            case .failed: .failed
            case .falseDrop: .falseDrop
            case .killed, .crashed: .killed
            case .relaunched: .relaunched
            case .goAway: .goAway
            case .pinged: .pinged
            default: nil
            }
        if let kind { moments.append(Moment(at: record.at.nanoseconds, kind: kind)) }
    }

    private mutating func recordResidency(_ span: Int64, _ tag: RadioTag, _ at: Int64) {
        guard span > 0, let profile = profile(tag.interface, tag.technology) else { return }
        let energy = profile.power(tag.level).energy(over: .nanoseconds(span)).femtojoules
        let index = Int(tag.interface.rawValue)
        if let last = radio[index].indices.last, radio[index][last].end == at {
            // The shares of one period, one for each cause, are recorded at its end. Put them end to end.
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

    private mutating func recordBytes(_ bytes: Int64, _ tag: BytesTag, _ at: Int64) {
        packets.append(
            HistoryPacket(at: at, bytes: bytes, interface: tag.interface, direction: tag.direction, cause: tag.cause))
        guard let cost = profile(tag.interface, tag.technology)?.cost(tag.direction) else { return }
        processor.append((at, at, cost.energy(ofBytes: bytes).femtojoules))
    }

    /// Records a delivery. The record contains the delay, which identifies the message by its send time. Of several
    /// messages sent at one instant, it is the first undelivered one.
    private mutating func recordSeen(_ direction: Direction, sent start: Int64, _ at: Int64) {
        let index = Int(direction.rawValue)
        var (low, high) = (0, sent[index].count)
        while low < high {
            let middle = (low + high) / 2
            if sent[index][middle].at < start { low = middle + 1 } else { high = middle }
        }
        while low < sent[index].count, sent[index][low].at == start, sent[index][low].isSeen { low += 1 }
        if low < sent[index].count, sent[index][low].at == start { sent[index][low].isSeen = true }
        messages.append(HistoryMessage(direction: direction, sent: start, seen: at))
    }

    private mutating func finish() {
        for direction in Direction.allCases {
            let unseen = sent[Int(direction.rawValue)].filter { !$0.isSeen }
            messages += unseen.map { HistoryMessage(direction: direction, sent: $0.at) }
            sent[Int(direction.rawValue)] = []
        }
        messages.sort { ($0.sent, $0.direction.rawValue) < ($1.sent, $1.direction.rawValue) }
        connectionPeriods.sort { ($0.start, $0.end) < ($1.start, $1.end) }
    }

    func profile(_ interface: Interface, _ technology: UInt8) -> RadioProfile? {
        let profiles = prices.radios.technologies(of: interface)
        return Int(technology) < profiles.count ? profiles[Int(technology)] : nil
    }
}
