import DeadzoneBase
import DeadzoneDevice
import DeadzoneMetrics
import DeadzoneSamples
import Testing

@testable import DeadzoneReports

struct PhoneHistoryTests {
    private static let second: Int64 = 1_000_000_000
    /// 10 mW idle, 500 mW active.
    private static let profile: RadioProfile = {
        var powers = PowerTable()
        powers[.idle] = .milliwatts(10)
        powers[.activeUp] = .milliwatts(500)
        return RadioProfile(
            technology: .lte, powers: powers, costUp: .zero, costDown: .zero,
            machine: .wifi(WiFiTimers(tail: .zero, beacon: .none)), handover: .none,
            search: SearchTimers(scan: .seconds(1), firstPause: .seconds(1), longestPause: .seconds(1)))
    }()
    private static let prices = Prices(radios: RadioProfiles(wifi: nil, cellular: profile))

    private func record(_ kind: RecordKind, at seconds: Double, phone: UInt32 = 0, tag: UInt16 = 0, value: Double = 0)
        -> Record
    {
        Record(
            at: Instant(nanoseconds: Int64(seconds * 1e9)), phone: phone, kind: kind, tag: tag,
            value: Int64(value * 1e9))
    }

    private func spent(_ level: PowerLevel, _ seconds: Double, until end: Double) -> Record {
        record(
            .residency, at: end, tag: RadioTag(interface: .cellular, level: level, cause: .payload).bits, value: seconds
        )
    }

    private func history(_ records: [Record]) -> PhoneHistory {
        var history = PhoneHistory(horizon: .seconds(20), prices: Self.prices, markers: [])
        records.withUnsafeBufferPointer { history.record($0) }
        return history
    }

    @Test func duplicateIsNotTheArrivalOfAnotherMessage() {
        // Broken: a duplicate is drawn as the arrival of a message that was lost.
        let history = history([
            record(.sentDown, at: 1), record(.sentDown, at: 2), record(.deliveredDown, at: 3, value: 2),
            record(.deliveredDown, at: 4, value: 3), record(.finished, at: 20, value: 20),
        ])
        let second = Self.second
        #expect(
            history.messages.map { [$0.sent, $0.seen ?? -1] } == [
                [second, 3 * second], [second, 4 * second], [2 * second, -1],
            ])
    }

    @Test func aPeriodWithoutLengthIsNotDrawn() {
        // Broken: a power level that lasts for no time is a period of the radio's chart.
        let levels = [PowerLevel.idle, .activeUp]
        for level in levels {
            let whole = [spent(.activeUp, 1, until: 2), spent(.idle, 1, until: 8)]
            let empty = [
                whole[0], spent(level, 0, until: 2), spent(level, 0, until: 5), whole[1], spent(level, 0, until: 9),
            ]
            func periods(_ records: [Record]) -> [[Int64]] {
                history(records).radio[Int(Interface.cellular.rawValue)].map { [$0.start, $0.end] }
            }
            #expect(periods(empty) == periods(whole) && periods(whole).count == 2, "\(level)")
        }
    }

    @Test func energiesAreRoundedToTheNearest() {
        // Broken: an energy above 9,223 J, or with more digits than a number has, differs from that of the metrics.
        let largest = Int128(Int64.max)
        let edges: [Int128] = [0, 1, 1 << 53 + 1, 1 << 53 + 3, largest, largest + 1, 1 << 100 + 1 << 40 + 7]
        for energy in edges + edges.map({ -$0 - 1 }) { #expect(Double(femtojoules: energy) == Double(energy)) }
    }

    @Test func periodsOfOneLevelAreOne() {
        // Broken: one period of a picture is drawn in pieces, or periods of different levels merge.
        let history = history([spent(.idle, 5, until: 5), spent(.idle, 4, until: 9), spent(.activeUp, 1, until: 10)])
        let second = Self.second
        #expect(history.radio[1].map { [$0.start, $0.end] } == [[0, 9 * second], [9 * second, 10 * second]])
        #expect(history.radio[1].map(\.level) == [.idle, .activeUp])
        #expect(history.radio[1].map(\.energy) == [90_000_000_000_000, 500_000_000_000_000])
    }

    @Test func periodsAreJoinedOnlyWithoutAGap() {
        // Broken: time without a record has the power of the radio before it, shares of one period are drawn beside each
        // other, or periods of two technologies merge.
        func share(_ seconds: Double, until end: Double, technology: UInt8 = 0, _ cause: Cause = .payload) -> Record {
            let tag = RadioTag(interface: .cellular, technology: technology, level: .idle, cause: cause)
            return record(.residency, at: end, tag: tag.bits, value: seconds)
        }
        let rows: [(records: [Record], periods: [[Int64]])] = [
            ([share(5, until: 5), share(1, until: 6)], [[0, 6]]),
            ([share(5, until: 5), share(1, until: 7)], [[0, 5], [6, 7]]),
            ([share(5, until: 5), share(1, until: 7), share(2, until: 9)], [[0, 5], [6, 9]]),
            ([share(5, until: 5), share(1, until: 6, technology: 1)], [[0, 5], [5, 6]]),
            ([share(5, until: 5), share(1, until: 6, .keepalive)], [[0, 6]]),
            ([share(2, until: 5), share(3, until: 5, .keepalive)], [[0, 5]]),
            ([share(2, until: 2), share(1, until: 5), share(1, until: 5, .keepalive)], [[0, 2], [3, 5]]),
        ]
        let prices = Prices(radios: RadioProfiles(wifi: [], cellular: [Self.profile, Self.profile]))
        for row in rows {
            var history = PhoneHistory(horizon: .seconds(20), prices: prices, markers: [])
            row.records.withUnsafeBufferPointer { history.record($0) }
            let periods = history.radio[Int(Interface.cellular.rawValue)]
            #expect(periods.map { [$0.start, $0.end] } == row.periods.map { $0.map { $0 * Self.second } })
            // 10 mW, or 10^10 femtojoules in a millisecond.
            let length = row.records.reduce(0) { $0 + $1.value }
            #expect(periods.reduce(0) { $0 + $1.energy } == Int128(length) * 10_000)
        }
    }

    @Test func attemptsOfAllPhonesAddUp() {
        // Broken: a herd is drawn with the size of its last part only.
        var all = history([record(.connecting, at: 0.05), record(.connecting, at: 0.12, phone: 1)])
        all.merge(history([record(.connecting, at: 0.06, phone: 2), record(.connecting, at: 0.35, phone: 3)]))
        #expect(all.attemptCounts == [2, 1, 0, 1])
    }

    @Test func joulesAreOfOnePhone() throws {
        // Broken: a chart of a population shows the sum of all phones.
        var fold = RunFold()
        let records = [
            spent(.activeUp, 4, until: 4), record(.finished, at: 20, value: 20),
            record(.finished, at: 20, phone: 1, value: 20),
        ]
        records.withUnsafeBufferPointer { fold.record($0) }
        let spent = try #require(ChartData(of: fold, prices: Self.prices).energyByCause.first)
        #expect(spent.cause == .payload && abs(spent.joules - 1) < 1e-9 && spent.inTails == 0)
    }

    @Test func numberTakesOnlyTheBytesItNeeds() {
        // Broken: the bytes differ from those of other writers of the format, so that files cannot be compared.
        for (value, bytes) in [(0, [8, 0]), (127, [8, 127]), (128, [8, 128, 1]), (16_384, [8, 128, 128, 1])]
            as [(UInt64, [UInt8])]
        {
            var message = Protobuf()
            message.varint(1, value)
            #expect(message.bytes == bytes)
        }
    }

    @Test func powerEndsWithThePeriod() {
        // Broken: the power of all radios never decreases.
        let history = history([spent(.idle, 5, until: 5), spent(.activeUp, 5, until: 10)])
        let bytes = PerfettoTrace.bytes([RunWithTraces(report: Sample.report(), histories: [history])])
        // `double_counter_value` is field 44: its key, followed by eight bytes.
        let powers = bytes.indices.dropLast(9).filter { bytes[$0] == 0xE1 && bytes[$0 + 1] == 0x02 }.map { place in
            Double(bitPattern: (0..<8).reduce(0) { $0 | UInt64(bytes[place + 2 + $1]) << (8 * UInt64($1)) })
        }
        #expect(powers.starts(with: [10, 500, 0]), "\(powers)")
    }
}
