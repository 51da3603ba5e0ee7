import DeadzoneBase
import DeadzoneDevice
import DeadzoneTestKit
import Testing

@testable import DeadzoneMetrics

@Suite struct RunFoldTests {
    @Test("A journal can be split anywhere without changing the result")
    func journalCanBeSplitAnywhere() {
        var lost: Int64 = 0
        seedSweep(20) { seed in
            let records = randomRecords(1_000, seed: seed)
            let whole = fold(records)
            for cut in stride(from: 0, through: records.count, by: 137) {
                #expect(merged(fold(records[..<cut]), fold(records[cut...])) == whole)
            }
            #expect(whole.unreadable == 0)
            #expect(whole[of: .deliveredDown].count > 0, "no record was a delivery")
            lost += whole[of: .detected].lost
        }
        #expect(lost > 0, "no record was a loss")
    }

    @Test("A fold that is saved and read back is the same")
    func savedFoldIsTheSame() {
        seedSweep(20) { seed in
            var whole = fold(randomRecords(Int(seed) * 100, seed: seed))
            var coder = BinaryCoder()
            coder.code(&whole)
            var (reading, read) = (BinaryCoder(reading: coder.bytes), RunFold())
            reading.code(&read)
            #expect(reading.isFullyRead && read == whole)
            #expect(read != RunFold())
        }
    }

    @Test("A batch equals the sum of its records")
    func batchEqualsTheSumOfItsRecords() {
        let tags = (0..<4_096).map { UInt16($0) &* 16 &+ 3 }
        var crowd = tags.map { Record(at: .zero, phone: 0, kind: .timerFired, tag: $0, value: Int64($0)) }
        crowd += crowd.reversed()
        let large = [Int64.max, 1, .max, 0, 5].map { Record(at: .zero, phone: 0, kind: .finished, value: $0) }
        for records in [crowd, large, large + crowd + large, randomRecords(3_000, seed: 1)] {
            let oneByOne = records.reduce(into: RunFold()) { $0.merge(fold([$1])) }
            #expect(fold(records) == oneByOne)
        }
        #expect(fold(large).sum(of: .finished) == 2 * Int128(Int64.max) + 6)
        #expect(fold(crowd).count(of: .timerFired) == 8_192)
    }

    @Test("Merging folds is commutative and associative")
    func mergeCommutesAndAssociates() {
        seedSweep(20) { seed in
            let a = fold(randomRecords(100, seed: seed))
            let b = fold(randomRecords(200, seed: seed &+ 1_000))
            let c = fold(randomRecords(50, seed: seed &+ 2_000))
            #expect(merged(a, b) == merged(b, a))
            #expect(merged(merged(a, b), c) == merged(a, merged(b, c)))
            #expect(merged(a, RunFold()) == a)
            #expect(merged(a, b) != a)
        }
    }

    @Test("Invalid records are counted separately and change no number")
    func invalidRecordsAreCountedSeparately() {
        let wild = [
            Record(at: .zero, phone: 0, kind: .residency, tag: 63 << 6, value: 5),
            Record(at: .zero, phone: 0, kind: .residency, tag: 63, value: 5),
            Record(at: .zero, phone: 0, kind: .bytes, tag: 63 << 6, value: 5),
            Record(at: .zero, phone: 0, kind: .closed, tag: 9_999, value: 0),
            Record(at: .zero, phone: 0, kind: .deliveredDown, value: -1),
            Record(at: .zero, phone: 0, kind: .awake, tag: 63, value: 5),
            Record(at: .zero, phone: 0, kind: .woke, tag: 256),
            Record(at: .zero, phone: 0, kind: .suspended, tag: 9, value: 5),
            Record(at: .zero, phone: 0, kind: .callFailed, tag: 9, value: 5),
            Record(at: .zero, phone: 0, kind: .resolved, tag: 9, value: 5),
            Record(at: .zero, phone: 0, kind: .goAway, tag: 9),
            Record(at: .zero, phone: 0, kind: .serverExpired, tag: 9),
            Record(at: .zero, phone: 0, kind: .serverRejected, tag: 9),
            Record(at: .zero, phone: 0, kind: .connecting, tag: 2),
            Record(at: .zero, phone: 0, kind: .herdBack, tag: 2),
            Record(at: .zero, phone: 0, kind: .lostDown, value: 14 << 59 | 3),
            Record(at: .zero, phone: 0, kind: .lostUp, value: 14 << 59 | 3),
        ]
        let bent = fold(wild)
        #expect(bent.unreadable == Int64(wild.count) && bent[of: .answered].lost == 0)
        for kind in RecordKind.allCases { #expect(bent.count(of: kind) == 0, "\(kind)") }
    }

    @Test("Any timestamp is accepted, without a trap and without unbounded memory")
    func acceptsAnyTimestamp() {
        let stamps: [Int64] = [.min, -1, 0, 1, .max]
        let records = stamps.flatMap { at in
            [RecordKind.connecting, .serverHeld, .herdBack].flatMap { kind in
                [0, 1, Int64.max].map { Record(at: Instant(nanoseconds: at), phone: 0, kind: kind, value: $0) }
            }
        }
        let wild = fold(records)
        #expect(wild.unreadable == 0 && wild.count(of: .connecting) == 15)
        let run = Measurement(of: [wild], prices: Prices(radios: RadioProfiles(wifi: nil, cellular: nil)), seed: 1)
        #expect(run.figure("herd.attempts") == .value(Billionths(count: 15_000_000_000)))
    }

    @Test("Connections that follow each other do not count as simultaneous")
    func countsSimultaneousConnections() {
        // Each connection lasts from `from` until `until`, in milliseconds. The number is sampled every 100 ms.
        let table: [([(from: Int64, until: Int64)], most: Int128)] = [
            ([], 0), ([(0, 50)], 1), ([(1, 99)], 0), ([(0, 100), (100, 200)], 1), ([(0, 101), (100, 200)], 2),
            ([(50, 1_000), (150, 900), (250, 800), (950, 2_000)], 3),
        ]
        for (stays, most) in table {
            let records = stays.map {
                Record(
                    at: Instant(nanoseconds: $0.until * 1_000_000), phone: 0, kind: .serverHeld,
                    value: ($0.until - $0.from) * 1_000_000)
            }
            let run = Measurement(
                of: [fold(records)], prices: Prices(radios: RadioProfiles(wifi: nil, cellular: nil)), seed: 1)
            #expect(
                run.figure("server.connections_max") == .value(Billionths(count: most * 1_000_000_000)), "\(stays)")
        }
    }

    @Test("The time that the server holds connections is summed, and its maximum found, over all replicas")
    func measuresTheTimeThatTheServerHolds() {
        let held: [[Int64]] = [[2, 7, 3], [9], []]
        let folds = held.map { spans in
            fold(
                spans.map {
                    Record(
                        at: Instant(nanoseconds: $0 * 1_000_000_000), phone: 0, kind: .serverHeld,
                        value: $0 * 1_000_000_000)
                })
        }
        let run = Measurement(of: folds, prices: Prices(radios: RadioProfiles(wifi: nil, cellular: nil)), seed: 1)
        #expect(run.figure("server.held_s")?.double == 7)
        let longest = run.figure("server.held.max")?.double ?? 0
        #expect(abs(longest - 9) < 9 * 0.000_5, "\(longest)")
    }

    @Test("A connection that the client itself closes is not a drop")
    func onlyForeignClosesAreDrops() {
        let ends = CloseCode.allCases.map { Record(at: .zero, phone: 0, kind: .closed, tag: $0.rawValue) }
        #expect(fold(ends).drops == Int64(CloseCode.allCases.count - 1))
        #expect(fold(ends).count(of: .closed) == Int64(CloseCode.allCases.count))
    }

    @Test("An outage that outlasts the run counts as lost in its distribution")
    func unfinishedOutageCountsAsLost() {
        let table: [(kind: RecordKind, value: Int64, lost: Int64, sampled: RecordKind)] = [
            (.unrecovered, 7, 1, .recovered), (.undetected, 7, 1, .detected), (.stale, 7, 1, .fresh),
            (.probeLost, 3, 3, .probeAnswered), (.lostDown, 3, 3, .deliveredDown), (.lostUp, 3, 3, .acknowledgedUp),
            (.callFailed, 7, 1, .answered), (.herdMissing, 7, 1, .herdBack),
        ]
        for (kind, value, lost, sampled) in table {
            let fold = fold([Record(at: .zero, phone: 0, kind: kind, value: value)])
            #expect(fold[of: sampled].lost == lost, "\(kind)")
            for other in table where other.sampled != sampled { #expect(fold[of: other.sampled].lost == 0, "\(kind)") }
        }
    }

    @Test("The peak of a herd is found in any ten consecutive tenths of a second")
    func secondHasTenTenths() {
        var tenths = TenthSecondCounts()
        // Ten tenths of one second, and the two beside them.
        for tenth in 9...20 as ClosedRange<Int64> { tenths.add(inTenthOf: .zero + .milliseconds(tenth * 100 + 99)) }
        #expect(tenths.maxPerSecond == 10 && tenths.maxCount == 1 && tenths.total == 12)
        tenths.add(3, inTenthOf: .zero + .milliseconds(2_000))
        #expect(tenths.maxPerSecond == 10 && tenths.maxCount == 4)
    }

    @Test("A death that the client learns of at once causes no zombie time")
    func deathReportedAtOnceIsNoZombie() {
        for kind in [RecordKind.zombie, .zombieFrozen, .detected] {
            let samples = fold([0, 5].map { Record(at: .zero, phone: 0, kind: kind, value: $0) })[of: kind]
            #expect(samples.count == (kind == .detected ? 2 : 1), "\(kind)")
        }
    }

    @Test("A stall counts only in the direction of its writer")
    func stallsCountInTheirDirection() {
        for (direction, stalls) in [(Direction.up, (1, 7_000_000_000)), (.down, (0, 0))]
            as [(Direction, (Int64, Int128))]
        {
            let record = Record(at: .zero, phone: 0, kind: .flowStalled, tag: direction.bits, value: 7_000_000_000)
            let fold = fold([record])
            #expect((fold.stalledUpFlow.count, fold.stalledUpFlow.sum) == stalls, "\(direction)")
        }
    }

    @Test("A server that acknowledges nothing is distinguished from a late one")
    func serverWithoutAcknowledgementsIsNotLate() {
        // Three of ten messages are lost. Seven reach the server, and `acknowledged` of these are acknowledged.
        for (acknowledged, lost) in [(0, 0), (7, 3)] as [(Int, Int64)] {
            let lostUp = Record(at: .zero, phone: 0, kind: .lostUp, value: 3)
            let arrived = (0..<7).map { _ in Record(at: .zero, phone: 0, kind: .deliveredUp, value: 5) }
            let known = (0..<acknowledged).map { _ in Record(at: .zero, phone: 0, kind: .acknowledgedUp, value: 9) }
            let samples = fold([lostUp] + arrived + known).acknowledgements
            #expect(samples.lost == lost && samples.count == Int64(acknowledged))
        }
        // If no message arrives, none can be acknowledged: lost messages are late for ever.
        #expect(fold([Record(at: .zero, phone: 0, kind: .lostUp, value: 3)]).acknowledgements.lost == 3)
    }

    @Test("The occurrences of each declared condition are counted")
    func changesOfTheTimelineAreCounted() {
        let changes: [(UInt16, Int64)] = [(3, 1), (1, 1), (3, 1), (4, 0)]
        let seen = fold(changes.map { Record(at: .zero, phone: 0, kind: .weather, tag: $0, value: $1) })
        #expect((0..<6).map { seen.occurrences(ofChange: $0) } == [0, 1, 0, 2, 0, 0])
    }

    @Test("The sums of a million phones do not overflow")
    func sumsOfAnyFleetDoNotOverflow() {
        let tag = RadioTag(interface: .cellular, level: PowerLevel.idle, cause: .baseline)
        let year = Record(at: .zero, phone: 0, kind: .residency, tag: tag.bits, value: 31_536_000_000_000_000)
        let fleet = fold(Array(repeating: year, count: 1_000))
        #expect(fleet.ledger.nanoseconds(at: .idle, for: .baseline, on: .cellular) == 31_536_000_000_000_000_000)
    }
}
