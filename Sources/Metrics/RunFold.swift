public import DeadzoneDevice
public import DeadzoneJournal
import DeadzonePrimitives

/// What the records of one strategy in one replica add up to. Every field is a sum, a least or a largest, so `merge` commutes
/// and a journal may be cut anywhere; no record needs another to be understood.
public struct RunFold: Recorder, Equatable {
    /// How often a kind was recorded, and the sum of its values.
    struct Total: Equatable {
        fileprivate(set) var count: Int64 = 0
        fileprivate(set) var sum: Int128 = 0

        fileprivate mutating func add(_ other: Total) {
            count += other.count
            sum += other.sum
        }
    }

    /// Indexed by the kind's raw value.
    private var totals = Array(repeating: Total(), count: Self.kinds)
    private var weather: [Int64] = []

    /// Connections that were open and were not ended by the client.
    public private(set) var drops: Int64 = 0
    /// Records that name nothing known, as only a damaged trace holds them. They count in nothing else.
    public private(set) var unreadable: Int64 = 0
    public private(set) var ledger = Ledger()
    public private(set) var wakes = WakeLedger()
    private(set) var failedCalls = CodeTotals<CallCode>()
    private(set) var resolutions = CodeTotals<ResolutionCode>()
    private(set) var goAways = CodeTotals<GoAwayCode>()
    private(set) var expiries = CodeTotals<ExpiryCode>()
    private(set) var rejections = CodeTotals<RejectionCode>()

    public private(set) var latencyDown = SpanHistogram()
    public private(set) var latencyUp = SpanHistogram()
    public private(set) var probes = SpanHistogram()
    public private(set) var zombies = SpanHistogram()
    public private(set) var frozenZombies = SpanHistogram()
    public private(set) var detections = SpanHistogram()
    public private(set) var recoveries = SpanHistogram()
    public private(set) var calls = SpanHistogram()
    public private(set) var callOutages = SpanHistogram()
    /// Calls, not nanoseconds.
    public private(set) var failuresInARow = SpanHistogram()
    public private(set) var lateTimers = SpanHistogram()
    public private(set) var pushes = SpanHistogram()
    public private(set) var freshness = SpanHistogram()
    /// Messages, not nanoseconds.
    public private(set) var drifts = SpanHistogram()
    /// Messages, and bytes.
    public private(set) var bufferPeaks = SpanHistogram()
    public private(set) var memoryPeaks = SpanHistogram()
    /// By what the herd began with: the run, a change of the timeline.
    private(set) var attempts = [Tenths(), Tenths()]
    private(set) var returns = [SpanHistogram(), SpanHistogram()]
    /// Windows of what the app says: how often they were shut, and how long, in nanoseconds.
    private(set) var shutUp = Total()
    private(set) var stalledUp = Total()
    /// Writes without their callback.
    private(set) var writesPending = SpanHistogram()
    /// Bytes.
    private(set) var queuePeaks = SpanHistogram()
    /// Connections that the server has.
    private(set) var held = Tenths()

    private static let kinds = 1 + Int(Kind.allCases.map(\.rawValue).max() ?? 0)

    private static let upTag = UInt16(Direction.up.rawValue)

    public init() {}

    public func count(of kind: Kind) -> Int64 { totals[Int(kind.rawValue)].count }
    public func sum(of kind: Kind) -> Int128 { totals[Int(kind.rawValue)].sum }

    /// How often a change of the world's timeline took effect, over all phones.
    public func occurrences(ofChange index: Int) -> Int64 { index < weather.count ? weather[index] : 0 }

    public mutating func record(_ batch: UnsafeBufferPointer<Record>) {
        for record in batch {
            if record.value < 0 {
                unreadable += 1
            } else if record.kind.rawValue > Kind.bytes.rawValue {
                // Most records are of the radio, and none of those is a sample.
                sample(record)
            }
        }
        RecordSum.forEach(of: batch) { book($0) }
    }

    public mutating func merge(_ other: Self) {
        for index in totals.indices { totals[index].add(other.totals[index]) }
        shutUp.add(other.shutUp)
        stalledUp.add(other.stalledUp)
        grow(toHoldChange: other.weather.count - 1)
        for index in other.weather.indices { weather[index] += other.weather[index] }
        drops += other.drops
        unreadable += other.unreadable
        ledger.merge(other.ledger)
        wakes.merge(other.wakes)
        failedCalls.merge(other.failedCalls)
        resolutions.merge(other.resolutions)
        goAways.merge(other.goAways)
        expiries.merge(other.expiries)
        rejections.merge(other.rejections)
        latencyDown.merge(other.latencyDown)
        latencyUp.merge(other.latencyUp)
        probes.merge(other.probes)
        zombies.merge(other.zombies)
        frozenZombies.merge(other.frozenZombies)
        detections.merge(other.detections)
        recoveries.merge(other.recoveries)
        calls.merge(other.calls)
        callOutages.merge(other.callOutages)
        failuresInARow.merge(other.failuresInARow)
        lateTimers.merge(other.lateTimers)
        pushes.merge(other.pushes)
        freshness.merge(other.freshness)
        drifts.merge(other.drifts)
        bufferPeaks.merge(other.bufferPeaks)
        memoryPeaks.merge(other.memoryPeaks)
        for index in attempts.indices { attempts[index].merge(other.attempts[index]) }
        for index in returns.indices { returns[index].merge(other.returns[index]) }
        held.merge(other.held)
        queuePeaks.merge(other.queuePeaks)
        writesPending.merge(other.writesPending)
    }

    private mutating func book(_ sum: RecordSum) {
        guard understand(sum) else {
            unreadable += Int64(sum.count)
            return
        }
        totals[Int(sum.kind.rawValue)].add(Total(count: Int64(sum.count), sum: Int128(sum.value)))
    }

    /// What has a tag that must name something. False, and nothing is changed, if it does not.
    private mutating func understand(_ sum: RecordSum) -> Bool {
        switch sum.kind {
        case .residency: return charge(sum.value, RadioTag(rawValue: sum.tag))
        case .bytes: return count(sum.value, BytesTag(rawValue: sum.tag))
        case .closed:
            guard let code = CloseCode(rawValue: sum.tag) else { return false }
            if code != .byClient { drops += Int64(sum.count) }
        case .awake, .woke: return charge(sum)
        case .suspended: return SuspensionCode(rawValue: sum.tag) != nil
        case .callFailed:
            guard failedCalls.add(sum) else { return false }
            calls.lose(Int64(sum.count))
        case .resolved: return resolutions.add(sum)
        case .goAway: return goAways.add(sum)
        case .serverExpired: return expiries.add(sum)
        case .bufferDropped: return OverflowCode(rawValue: sum.tag) != nil
        case .windowShut, .flowStalled, .connecting, .herdBack, .herdMissing: return sum.tag < 2
        case .serverRejected: return rejections.add(sum)
        default: break
        }
        return true
    }

    /// Where messages reached the server and none was acknowledged, nobody acknowledges; then what is lost is not late, either.
    var acknowledgements: SpanHistogram {
        latencyUp.count > 0 || count(of: .deliveredUp) == 0 ? latencyUp : SpanHistogram()
    }

    private mutating func sample(_ record: Record) {
        switch record.kind {
        case .deliveredDown: latencyDown.record(record.value)
        case .lostDown: latencyDown.lose(record.value)
        case .acknowledgedUp: latencyUp.record(record.value)
        case .lostUp: latencyUp.lose(record.value)
        case .probeAnswered: probes.record(record.value)
        case .probeLost: probes.lose(record.value)
        case .waitedDown: latencyDown.wait(record.value)
        case .waitedUp: latencyUp.wait(record.value)
        case .waitedCall: calls.wait(record.value)
        case .waitedProbe: probes.wait(record.value)
        // Whoever is told of a death at the moment it happens has believed nothing false.
        case .zombie where record.value > 0: zombies.record(record.value)
        case .zombieFrozen where record.value > 0: frozenZombies.record(record.value)
        case .detected: detections.record(record.value)
        case .undetected: detections.lose(1)
        case .recovered: recoveries.record(record.value)
        case .unrecovered: recoveries.lose(1)
        case .answered: calls.record(record.value)
        case .callOutage:
            callOutages.record(record.value)
            failuresInARow.record(Int64(record.tag))
        case .timerLate: lateTimers.record(record.value)
        case .pushed: pushes.record(record.value)
        case .fresh: freshness.record(record.value)
        case .stale: freshness.lose(1)
        case .drift: drifts.record(record.value)
        case .bufferPeak: bufferPeaks.record(record.value)
        case .memoryPeak: memoryPeaks.record(record.value)
        case .windowShut where record.tag == Self.upTag: shutUp.add(Total(count: 1))
        case .flowStalled where record.tag == Self.upTag: stalledUp.add(Total(count: 1, sum: Int128(record.value)))
        case .serverQueuePeak: queuePeaks.record(record.value)
        case .writesPending: writesPending.record(record.value)
        case .connecting where record.tag < 2: attempts[Int(record.tag)].add(inTenthOf: record.at)
        case .herdBack where record.tag < 2: returns[Int(record.tag)].record(record.value)
        case .herdMissing where record.tag < 2: returns[Int(record.tag)].lose(1)
        case .serverHeld: held.stay(from: record.at - .nanoseconds(record.value), until: record.at)
        case .weather:
            grow(toHoldChange: Int(record.tag))
            if record.value > 0 { weather[Int(record.tag)] += 1 }
        default: break
        }
    }

    private mutating func charge(_ nanoseconds: Int64, _ tag: RadioTag) -> Bool {
        guard let interface = tag.interface, let level = PowerLevel(rawValue: tag.level), let cause = tag.cause else {
            return false
        }
        ledger.add(.nanoseconds(nanoseconds), at: level, for: cause, on: interface, technology: tag.technology)
        return true
    }

    private mutating func charge(_ sum: RecordSum) -> Bool {
        guard let cause = UInt8(exactly: sum.tag).flatMap(Cause.init(rawValue:)) else { return false }
        if sum.kind == .woke {
            wakes.addWakes(Int64(sum.count), for: cause)
        } else {
            wakes.add(.nanoseconds(sum.value), for: cause)
        }
        return true
    }

    private mutating func count(_ bytes: Int64, _ tag: BytesTag) -> Bool {
        guard let interface = tag.interface, let direction = tag.direction, let cause = tag.cause else { return false }
        ledger.add(bytes: bytes, direction, for: cause, on: interface, technology: tag.technology)
        return true
    }

    private mutating func grow(toHoldChange index: Int) {
        while weather.count <= index { weather.append(0) }
    }
}

extension RunFold {
    /// Phones whose lane is over.
    public var phones: Int64 { count(of: .finished) }
    /// Simulated time, summed over phones.
    public var elapsed: Int128 { sum(of: .finished) }

    /// Messages that the server left out for slow phones, and connections that it ended for it.
    public var slowdowns: Int64 { count(of: .serverQueueDropped) + expiries.count(.slow) }

    /// Of the herds that changes of the timeline began; without one, of the run's beginning.
    private var herd: Int { count(of: .herdBegan) > 0 ? 1 : 0 }
    var herdAttempts: Tenths { attempts[herd] }
    var herdReturns: SpanHistogram { returns[herd] }

    /// The most connections that the server had.
    var heldAtOnce: SpanHistogram {
        var histogram = SpanHistogram()
        histogram.record(held.highest)
        return histogram
    }
}
