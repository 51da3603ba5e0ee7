public import DeadzoneDevice
public import DeadzoneJournal
public import DeadzonePrimitives

/// What the records of one strategy in one replica add up to. Every field is a sum, a least or a largest, so `merge` commutes
/// and a journal may be cut anywhere; no record needs another to be understood.
public struct RunFold: Recorder, Equatable, Taped {
    /// How often a kind was recorded, and the sum of its values.
    struct Total: Equatable, Taped {
        fileprivate(set) var count: Int64 = 0
        fileprivate(set) var sum: Int128 = 0

        fileprivate mutating func add(_ other: Total) {
            count += other.count
            sum += other.sum
        }

        mutating func pass(through tape: inout Tape) {
            tape.pass(&count)
            tape.pass(&sum)
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

    private(set) var samples = SampleBooks()
    /// By what the herd began with: the run, a change of the timeline.
    private(set) var attempts = [Tenths(), Tenths()]
    /// Windows of what the app says: how often they were shut, and how long, in nanoseconds.
    private(set) var shutUp = Total()
    private(set) var stalledUp = Total()
    /// Connections that the server has.
    private(set) var held = Tenths()

    private static let kinds = 1 + Int(Kind.allCases.map(\.rawValue).max() ?? 0)

    public init() {}

    public func count(of kind: Kind) -> Int64 { totals[Int(kind.rawValue)].count }
    public func sum(of kind: Kind) -> Int128 { totals[Int(kind.rawValue)].sum }

    /// How often a change of the world's timeline took effect, over all phones.
    public func occurrences(ofChange index: Int) -> Int64 { index < weather.count ? weather[index] : 0 }

    public mutating func record(_ batch: UnsafeBufferPointer<Record>) {
        let plan = SamplePlan.all
        RecordSum.forEach(of: batch) {
            book($0, by: plan)
        } each: { record in
            if record.value < 0 {
                unreadable += 1
            } else if record.kind.place > Kind.bytes.place, plan.looks(at: record.kind) {
                // Most records are of the radio, and none of those is looked at by itself.
                sample(record, by: plan)
            }
        }
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
        samples.merge(other.samples)
        for index in attempts.indices { attempts[index].merge(other.attempts[index]) }
        held.merge(other.held)
    }

    public mutating func pass(through tape: inout Tape) {
        tape.pass(&totals)
        tape.pass(growing: &weather)
        tape.pass(&drops)
        tape.pass(&unreadable)
        tape.pass(&ledger)
        tape.pass(&wakes)
        tape.pass(&failedCalls)
        tape.pass(&resolutions)
        tape.pass(&goAways)
        tape.pass(&expiries)
        tape.pass(&rejections)
        tape.pass(&samples)
        tape.pass(&attempts)
        tape.pass(&shutUp)
        tape.pass(&stalledUp)
        tape.pass(&held)
    }

    // What is seldom called stands apart, so that the loop of `record` keeps what it needs in registers.
    @inline(never) private mutating func book(_ sum: RecordSum, by plan: SamplePlan) {
        guard understand(sum) else {
            unreadable += Int64(sum.count)
            return
        }
        samples.lose(sum, by: plan)
        totals[Int(sum.kind.rawValue)].add(Total(count: Int64(sum.count), sum: Int128(sum.value)))
    }

    /// What has a tag that must name something. False, and nothing is changed, if it does not.
    private mutating func understand(_ sum: RecordSum) -> Bool {
        switch sum.kind {
        case .residency: return charge(sum.value, RadioTag(bits: sum.tag))
        case .bytes: return count(sum.value, BytesTag(bits: sum.tag))
        case .closed:
            guard let code = CloseCode(bits: sum.tag) else { return false }
            if code != .byClient { drops += Int64(sum.count) }
        case .awake, .woke: return charge(sum)
        case .callFailed: return failedCalls.add(sum)
        case .resolved: return resolutions.add(sum)
        case .goAway: return goAways.add(sum)
        case .serverExpired: return expiries.add(sum)
        case .serverRejected: return rejections.add(sum)
        default: return sum.kind.fact.understands(sum.tag)
        }
        return true
    }

    /// Where messages reached the server and none was acknowledged, nobody acknowledges; then what is lost is not late, either.
    var acknowledgements: SpanHistogram {
        let samples = self[of: .acknowledgedUp]
        return samples.count > 0 || count(of: .deliveredUp) == 0 ? samples : SpanHistogram()
    }

    /// What `sample` looks at beside samples.
    static let looksAt: [Kind] = [.windowShut, .flowStalled, .connecting, .serverHeld, .weather]

    @inline(never) private mutating func sample(_ record: Record, by plan: SamplePlan) {
        samples.add(record, by: plan)
        switch record.kind {
        case .windowShut where record.tag(of: .windowShut) == .up: shutUp.add(Total(count: 1))
        case .flowStalled where record.tag(of: .flowStalled) == .up:
            stalledUp.add(Total(count: 1, sum: Int128(record.value)))
        case .connecting where record.tag < 2: attempts[Int(record.tag)].add(inTenthOf: record.at)
        case .serverHeld: held.stay(from: record.at - .nanoseconds(record.value), until: record.at)
        case .weather:
            grow(toHoldChange: Int(record.tag))
            if record.value > 0 { weather[Int(record.tag)] += 1 }
        default: break
        }
    }

    private mutating func charge(_ nanoseconds: Int64, _ tag: RadioTag?) -> Bool {
        guard let tag else { return false }
        ledger.add(
            .nanoseconds(nanoseconds), at: tag.level, for: tag.cause, on: tag.interface, technology: tag.technology)
        return true
    }

    private mutating func charge(_ sum: RecordSum) -> Bool {
        guard let cause = Cause(bits: sum.tag) else { return false }
        if sum.kind == .woke {
            wakes.addWakes(Int64(sum.count), for: cause)
        } else {
            wakes.add(.nanoseconds(sum.value), for: cause)
        }
        return true
    }

    private mutating func count(_ bytes: Int64, _ tag: BytesTag?) -> Bool {
        guard let tag else { return false }
        ledger.add(bytes: bytes, tag.direction, for: tag.cause, on: tag.interface, technology: tag.technology)
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
    var herdReturns: SpanHistogram { samples.histogram(of: .herdBack, .value, tag: herd) }

    /// The most connections that the server had.
    var heldAtOnce: SpanHistogram {
        var histogram = SpanHistogram()
        histogram.record(held.highest)
        return histogram
    }
}
