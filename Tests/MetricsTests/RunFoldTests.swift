import DeadzoneDevice
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneTestKit
import Testing

@testable import DeadzoneMetrics

@Suite struct RunFoldTests {
    @Test("Else the number of threads, or of batches, would show in a result")
    func aJournalMayBeCutAnywhere() {
        var lost: Int64 = 0
        seedSweep(20) { seed in
            let records = randomRecords(1_000, seed: seed)
            let whole = fold(records)
            for cut in stride(from: 0, through: records.count, by: 137) {
                #expect(merged(fold(records[..<cut]), fold(records[cut...])) == whole)
            }
            #expect(whole.unreadable == 0)
            #expect(whole[of: .deliveredDown].count > 0, "the records were too tame")
            lost += whole[of: .detected].lost
        }
        #expect(lost > 0, "the records were too tame")
    }

    @Test("Else a run that was divided among machines would come to something else than one that was not")
    func whatIsTapedIsTheSame() {
        seedSweep(20) { seed in
            var whole = fold(randomRecords(Int(seed) * 100, seed: seed))
            var tape = Tape()
            tape.pass(&whole)
            var (reading, read) = (Tape(reading: tape.bytes), RunFold())
            reading.pass(&read)
            #expect(reading.isReadWhole && read == whole)
            #expect(read != RunFold())
        }
    }

    @Test("Else what a batch adds up in machine words would be less, or more, than its records one by one")
    func aBatchIsTheSumOfItsRecords() {
        let tags = (0..<4_096).map { UInt16($0) &* 16 &+ 3 }
        var crowd = tags.map { Record(at: .zero, lane: 0, kind: .timerFired, tag: $0, value: Int64($0)) }
        crowd += crowd.reversed()
        let large = [Int64.max, 1, .max, 0, 5].map { Record(at: .zero, lane: 0, kind: .finished, value: $0) }
        for records in [crowd, large, large + crowd + large, randomRecords(3_000, seed: 1)] {
            let oneByOne = records.reduce(into: RunFold()) { $0.merge(fold([$1])) }
            #expect(fold(records) == oneByOne)
        }
        #expect(fold(large).sum(of: .finished) == 2 * Int128(Int64.max) + 6)
        #expect(fold(crowd).count(of: .timerFired) == 8_192)
    }

    @Test("Else the order in which threads finish would show in a result")
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

    @Test("Else a damaged trace would crash the tool or bend the numbers")
    func whatNamesNothingIsCountedApart() {
        let wild = [
            Record(at: .zero, lane: 0, kind: .residency, tag: 63 << 6, value: 5),
            Record(at: .zero, lane: 0, kind: .residency, tag: 63, value: 5),
            Record(at: .zero, lane: 0, kind: .bytes, tag: 63 << 6, value: 5),
            Record(at: .zero, lane: 0, kind: .closed, tag: 9_999, value: 0),
            Record(at: .zero, lane: 0, kind: .deliveredDown, value: -1),
            Record(at: .zero, lane: 0, kind: .awake, tag: 63, value: 5),
            Record(at: .zero, lane: 0, kind: .woke, tag: 256),
            Record(at: .zero, lane: 0, kind: .suspended, tag: 9, value: 5),
            Record(at: .zero, lane: 0, kind: .callFailed, tag: 9, value: 5),
            Record(at: .zero, lane: 0, kind: .resolved, tag: 9, value: 5),
            Record(at: .zero, lane: 0, kind: .goAway, tag: 9),
            Record(at: .zero, lane: 0, kind: .serverExpired, tag: 9),
            Record(at: .zero, lane: 0, kind: .serverRejected, tag: 9),
            Record(at: .zero, lane: 0, kind: .connecting, tag: 2),
            Record(at: .zero, lane: 0, kind: .herdBack, tag: 2),
        ]
        let bent = fold(wild)
        #expect(bent.unreadable == Int64(wild.count) && bent[of: .answered].lost == 0)
        for kind in Kind.allCases { #expect(bent.count(of: kind) == 0, "\(kind)") }
    }

    @Test("Else a wild stamp of a damaged trace would trap, or take memory without bound")
    func bearsAnyStamp() {
        let stamps: [Int64] = [.min, -1, 0, 1, .max]
        let records = stamps.flatMap { at in
            [Kind.connecting, .serverHeld, .herdBack].flatMap { kind in
                [0, 1, Int64.max].map { Record(at: Instant(nanoseconds: at), lane: 0, kind: kind, value: $0) }
            }
        }
        let wild = fold(records)
        #expect(wild.unreadable == 0 && wild.count(of: .connecting) == 15)
        let run = Measurement(of: [wild], prices: Prices(radios: Radios(wifi: nil, cellular: nil)), seed: 1)
        #expect(run.figure("herd.attempts") == .value(Billionths(count: 15_000_000_000)))
    }

    @Test("Else connections that follow each other would count as standing side by side")
    func countsWhatStandsAtOnce() {
        // Each stands from `from` to `until`, in milliseconds; looked at every 100 ms.
        let table: [([(from: Int64, until: Int64)], most: Int128)] = [
            ([], 0), ([(0, 50)], 1), ([(1, 99)], 0), ([(0, 100), (100, 200)], 1), ([(0, 101), (100, 200)], 2),
            ([(50, 1_000), (150, 900), (250, 800), (950, 2_000)], 3),
        ]
        for (stays, most) in table {
            let records = stays.map {
                Record(
                    at: Instant(nanoseconds: $0.until * 1_000_000), lane: 0, kind: .serverHeld,
                    value: ($0.until - $0.from) * 1_000_000)
            }
            let run = Measurement(
                of: [fold(records)], prices: Prices(radios: Radios(wifi: nil, cellular: nil)), seed: 1)
            #expect(
                run.figure("server.connections_max") == .value(Billionths(count: most * 1_000_000_000)), "\(stays)")
        }
    }

    @Test("Else a client that tidies up would be blamed for drops")
    func onlyForeignEndsAreDrops() {
        let ends = CloseCode.allCases.map { Record(at: .zero, lane: 0, kind: .closed, tag: $0.rawValue) }
        #expect(fold(ends).drops == Int64(CloseCode.allCases.count - 1))
        #expect(fold(ends).count(of: .closed) == Int64(CloseCode.allCases.count))
    }

    @Test("Else a client would look the better, the more of its outages outlast the run")
    func whatNeverEndedIsLostToItsDistribution() {
        let table: [(kind: Kind, value: Int64, lost: Int64, sampled: Kind)] = [
            (.unrecovered, 7, 1, .recovered), (.undetected, 7, 1, .detected), (.stale, 7, 1, .fresh),
            (.probeLost, 3, 3, .probeAnswered), (.lostDown, 3, 3, .deliveredDown), (.lostUp, 3, 3, .acknowledgedUp),
            (.callFailed, 7, 1, .answered), (.herdMissing, 7, 1, .herdBack),
        ]
        for (kind, value, lost, sampled) in table {
            let fold = fold([Record(at: .zero, lane: 0, kind: kind, value: value)])
            #expect(fold[of: sampled].lost == lost, "\(kind)")
            for other in table where other.sampled != sampled { #expect(fold[of: other.sampled].lost == 0, "\(kind)") }
        }
    }

    @Test("Else a herd would be cut where no second begins, or spread over two")
    func aSecondHasTenTenths() {
        var tenths = Tenths()
        // Ten of one second, and those beside it.
        for tenth in 9...20 as ClosedRange<Int64> { tenths.add(inTenthOf: .zero + .milliseconds(tenth * 100 + 99)) }
        #expect(tenths.mostInASecond == 10 && tenths.most == 1 && tenths.total == 12)
        tenths.add(3, inTenthOf: .zero + .milliseconds(2_000))
        #expect(tenths.mostInASecond == 10 && tenths.most == 4)
    }

    @Test("Else who was told of a death as it happened would have been deceived")
    func whoWasToldAtOnceHasBelievedNothingFalse() {
        for kind in [Kind.zombie, .zombieFrozen, .detected] {
            let samples = fold([0, 5].map { Record(at: .zero, lane: 0, kind: kind, value: $0) })[of: kind]
            #expect(samples.count == (kind == .detected ? 2 : 1), "\(kind)")
        }
    }

    @Test("Else a writer would be blamed for what its reader cannot take")
    func stallsAreOfTheirDirection() {
        for (direction, stalls) in [(Direction.up, (1, 7_000_000_000)), (.down, (0, 0))]
            as [(Direction, (Int64, Int128))]
        {
            let record = Record(at: .zero, lane: 0, kind: .flowStalled, tag: direction.bits, value: 7_000_000_000)
            let fold = fold([record])
            #expect((fold.stalledUp.count, fold.stalledUp.sum) == stalls, "\(direction)")
        }
    }

    @Test("Else nobody who acknowledges nothing would be told from one who is late")
    func whoAcknowledgesNothingIsNotLate() {
        // Of ten messages three are lost; seven reached the server, and so many were acknowledged.
        for (acknowledged, lost) in [(0, 0), (7, 3)] as [(Int, Int64)] {
            let lostUp = Record(at: .zero, lane: 0, kind: .lostUp, value: 3)
            let arrived = (0..<7).map { _ in Record(at: .zero, lane: 0, kind: .deliveredUp, value: 5) }
            let known = (0..<acknowledged).map { _ in Record(at: .zero, lane: 0, kind: .acknowledgedUp, value: 9) }
            let samples = fold([lostUp] + arrived + known).acknowledgements
            #expect(samples.lost == lost && samples.count == Int64(acknowledged))
        }
        // Where nothing arrived, nothing could be acknowledged: what is lost is late for ever.
        #expect(fold([Record(at: .zero, lane: 0, kind: .lostUp, value: 3)]).acknowledgements.lost == 3)
    }

    @Test("Else nobody could tell that a declared condition never happened")
    func changesOfTheTimelineAreCounted() {
        let changes: [(UInt16, Int64)] = [(3, 1), (1, 1), (3, 1), (4, 0)]
        let seen = fold(changes.map { Record(at: .zero, lane: 0, kind: .weather, tag: $0, value: $1) })
        #expect((0..<6).map { seen.occurrences(ofChange: $0) } == [0, 1, 0, 2, 0, 0])
    }

    @Test("Else a fleet of a million phones would overflow the sums")
    func sumsHoldAnyFleet() {
        let tag = RadioTag(interface: .cellular, level: PowerLevel.idle, cause: .baseline)
        let year = Record(at: .zero, lane: 0, kind: .residency, tag: tag.bits, value: 31_536_000_000_000_000)
        let fleet = fold(Array(repeating: year, count: 1_000))
        #expect(fleet.ledger.nanoseconds(at: .idle, for: .baseline, on: .cellular) == 31_536_000_000_000_000_000)
    }
}
