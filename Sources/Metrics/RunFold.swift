package import DeadzoneBase
package import DeadzoneDevice

/// The journal records of one strategy in one replica, aggregated to sums, minima and maxima. `merge` therefore
/// commutes, and a journal may be split anywhere. No record needs another one to be decoded.
package struct RunFold: Recorder, Equatable, BinaryCodable {
    /// The number of journal records of one kind, and the sum of their values.
    struct Total: Equatable, BinaryCodable {
        fileprivate(set) var count: Int64 = 0
        fileprivate(set) var sum: Int128 = 0

        fileprivate mutating func add(_ other: Total) {
            count += other.count
            sum += other.sum
        }

        mutating func code(through coder: inout BinaryCoder) {
            coder.code(&count)
            coder.code(&sum)
            coder.require(BinaryCoder.validCounts.contains(count) && BinaryCoder.validSums.contains(sum))
        }
    }

    /// Indexed by the kind's raw value.
    private var totals = Array(repeating: Total(), count: Self.kinds)
    private var weather: [Int64] = []

    /// Connections that were open and were not ended by the client.
    package private(set) var drops: Int64 = 0
    /// Number of records that cannot be decoded, as in a damaged trace. They count nowhere else.
    package private(set) var unreadable: Int64 = 0
    package private(set) var ledger = Ledger()
    package private(set) var wakes = WakeLedger()
    private(set) var failedCalls = CodeTotals<CallCode>()
    private(set) var resolutions = CodeTotals<ResolutionCode>()
    private(set) var goAways = CodeTotals<GoAwayCode>()
    private(set) var expiries = CodeTotals<ExpiryCode>()
    private(set) var rejections = CodeTotals<RejectionCode>()

    /// Lost messages and silence by cause and by change of the timeline.
    package private(set) var losses = LossTotals()

    private(set) var samples = SampleHistograms()
    /// Connection attempts over time by the origin of the herd: 0 is the start of the run, 1 a change of the timeline.
    private(set) var attempts = [TenthSecondCounts(), TenthSecondCounts()]
    /// Closed flow-control windows for messages of the app: how often they closed, and how long sending stalled, in
    /// nanoseconds.
    private(set) var closedUpWindows = Total()
    private(set) var stalledUpFlow = Total()
    /// Open connections on the server, over time.
    private(set) var serverConnections = TenthSecondCounts()

    private static let kinds = 1 + Int(RecordKind.allCases.map(\.rawValue).max() ?? 0)

    package init() {}

    package func count(of kind: RecordKind) -> Int64 { totals[Int(kind.rawValue)].count }
    package func sum(of kind: RecordKind) -> Int128 { totals[Int(kind.rawValue)].sum }

    /// Number of times a change of the timeline took effect, over all phones.
    package func occurrences(ofChange index: Int) -> Int64 { index < weather.count ? weather[index] : 0 }

    package mutating func record(_ batch: UnsafeBufferPointer<Record>) {
        let dispatch = SampleDispatch.all
        RecordSum.forEach(of: batch) {
            addSum($0, by: dispatch)
        } each: { record in
            if record.value < 0 {
                unreadable += 1
            } else if record.kind.ordinal > RecordKind.bytes.ordinal, dispatch.needsRecord(at: record.kind) {
                // Most records are radio records, which never need individual treatment.
                sample(record, by: dispatch)
            }
        }
    }

    package mutating func merge(_ other: Self) {
        for index in totals.indices { totals[index].add(other.totals[index]) }
        closedUpWindows.add(other.closedUpWindows)
        stalledUpFlow.add(other.stalledUpFlow)
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
        losses.merge(other.losses)
        samples.merge(other.samples)
        for index in attempts.indices { attempts[index].merge(other.attempts[index]) }
        serverConnections.merge(other.serverConnections)
    }

    package mutating func code(through coder: inout BinaryCoder) {
        coder.code(&totals)
        coder.code(growing: &weather)
        coder.code(&drops)
        coder.code(&unreadable)
        // The tag of a record identifies a change by 16 bits.
        coder.require(weather.count <= 1 << 16)
        coder.require((weather + [drops, unreadable]).allSatisfy(BinaryCoder.validCounts.contains))
        coder.code(&ledger)
        coder.code(&wakes)
        coder.code(&failedCalls)
        coder.code(&resolutions)
        coder.code(&goAways)
        coder.code(&expiries)
        coder.code(&rejections)
        coder.code(&losses)
        coder.code(&samples)
        coder.code(&attempts)
        coder.require(attempts.allSatisfy(\.hasNoNegativeCount))
        coder.code(&closedUpWindows)
        coder.code(&stalledUpFlow)
        coder.code(&serverConnections)
    }

    // Rarely called code is kept out of line, so that the loop in `record` can keep its state in registers.
    @inline(never) private mutating func addSum(_ sum: RecordSum, by dispatch: SampleDispatch) {
        guard decode(sum) else {
            unreadable += Int64(sum.count)
            return
        }
        // The value of a loss is not only a number: `sample` reads each record.
        guard !sum.kind.isLoss else { return }
        samples.lose(sum, by: dispatch)
        totals[Int(sum.kind.rawValue)].add(Total(count: Int64(sum.count), sum: Int128(sum.value)))
    }

    /// Decodes the tag and adds the sum to the matching totals. Returns `false` and changes nothing if the tag is
    /// invalid.
    private mutating func decode(_ sum: RecordSum) -> Bool {
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
        case .silent:
            guard let tag = SilenceTag(bits: sum.tag) else { return false }
            losses.addSilence(sum.value, tag)
        default: return sum.kind.definition.isValidTag(sum.tag)
        }
        return true
    }

    /// Acknowledgement times of messages to the server. Empty if messages reached the server but none was acknowledged:
    /// then the protocol has no acknowledgements, and lost messages must not count as late.
    var acknowledgements: SpanHistogram {
        let samples = self[of: .acknowledgedUp]
        return samples.count > 0 || count(of: .deliveredUp) == 0 ? samples : SpanHistogram()
    }

    /// Kinds that `sample` needs individually in addition to the sampled ones.
    static let individualKinds: [RecordKind] = [
        .windowShut, .flowStalled, .connecting, .serverHeld, .weather, .lostDown, .lostUp,
    ]

    @inline(never) private mutating func sample(_ record: Record, by dispatch: SampleDispatch) {
        samples.add(record, by: dispatch)
        switch record.kind {
        case .windowShut where record.tag(of: .windowShut) == .up: closedUpWindows.add(Total(count: 1))
        case .flowStalled where record.tag(of: .flowStalled) == .up:
            stalledUpFlow.add(Total(count: 1, sum: Int128(record.value)))
        case .connecting where record.tag < 2: attempts[Int(record.tag)].add(inTenthOf: record.at)
        case .serverHeld: serverConnections.addInterval(from: record.at - .nanoseconds(record.value), until: record.at)
        case .weather:
            grow(toHoldChange: Int(record.tag))
            if record.value > 0 { weather[Int(record.tag)] += 1 }
        case .lostDown, .lostUp: addLoss(record, by: dispatch)
        default: break
        }
    }

    private mutating func addLoss(_ record: Record, by dispatch: SampleDispatch) {
        guard let loss = record.loss, let direction = record.kind.lossDirection else {
            unreadable += 1
            return
        }
        losses.add(loss, direction)
        let sum = RecordSum(kind: record.kind, tag: 0, count: 1, value: Int64(loss.count))
        samples.lose(sum, by: dispatch)
        totals[Int(record.kind.rawValue)].add(Total(count: 1, sum: Int128(loss.count)))
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
    /// Number of phones that have finished their simulation.
    package var phones: Int64 { count(of: .finished) }
    /// Simulated time, summed over phones.
    package var elapsed: Int128 { sum(of: .finished) }

    /// Messages that the server dropped because of slow phones, plus connections that it closed for that reason.
    package var slowdowns: Int64 { count(of: .serverQueueDropped) + expiries.count(.slow) }

    /// Index of the herds to report: those after timeline changes, or the one at the start of the run if there are
    /// none.
    private var herd: Int { count(of: .herdBegan) > 0 ? 1 : 0 }
    var herdAttempts: TenthSecondCounts { attempts[herd] }
    var herdReturns: SpanHistogram { samples.histogram(of: .herdBack, .value, tag: herd) }

    /// The highest number of connections that the server had at once.
    var peakServerConnections: SpanHistogram {
        var histogram = SpanHistogram()
        histogram.record(serverConnections.maxConcurrent)
        return histogram
    }
}
