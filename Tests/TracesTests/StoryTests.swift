import DeadzoneDevice
import DeadzoneJournal
import DeadzoneMetrics
import DeadzonePrimitives
import DeadzoneSamples
import Testing

@testable import DeadzoneTraces

struct StoryTests {
    private static let second: Int64 = 1_000_000_000
    /// 10 mW idle, 500 mW active.
    private static let profile: RadioProfile = {
        var powers = PowerTable()
        powers[.idle] = .milliwatts(10)
        powers[.activeUp] = .milliwatts(500)
        return RadioProfile(
            technology: .lte, powers: powers, costUp: .zero, costDown: .zero,
            machine: .wifi(WiFiTimers(tail: .zero, beacon: .none)), handover: .none,
            search: SearchLaw(scan: .seconds(1), firstRest: .seconds(1), longestRest: .seconds(1)))
    }()
    private static let prices = Prices(radios: Radios(wifi: nil, cellular: profile))

    private func record(_ kind: Kind, at seconds: Double, lane: UInt32 = 0, tag: UInt16 = 0, value: Double = 0)
        -> Record
    {
        Record(
            at: Instant(nanoseconds: Int64(seconds * 1e9)), lane: lane, kind: kind, tag: tag,
            value: Int64(value * 1e9))
    }

    private func spent(_ level: PowerLevel, _ seconds: Double, until end: Double) -> Record {
        record(
            .residency, at: end, tag: RadioTag(interface: .cellular, level: level, cause: .payload).bits, value: seconds
        )
    }

    private func story(_ records: [Record]) -> Story {
        var story = Story(horizon: .seconds(20), prices: Self.prices, scenes: [])
        records.withUnsafeBufferPointer { story.record($0) }
        return story
    }

    @Test func aMessageThatCameTwiceLeavesAnotherUnseen() {
        // Broken: a repeat is drawn as the arrival of a message that was lost.
        let story = story([
            record(.sentDown, at: 1), record(.sentDown, at: 2), record(.deliveredDown, at: 3, value: 2),
            record(.deliveredDown, at: 4, value: 3), record(.finished, at: 20, value: 20),
        ])
        let second = Self.second
        #expect(
            story.messages.map { [$0.sent, $0.seen ?? -1] } == [
                [second, 3 * second], [second, 4 * second], [2 * second, -1],
            ])
    }

    @Test func periodsOfOneLevelAreOne() {
        // Broken: what is one line of a picture is drawn in pieces, or levels run into each other.
        let story = story([spent(.idle, 5, until: 5), spent(.idle, 4, until: 9), spent(.activeUp, 1, until: 10)])
        let second = Self.second
        #expect(story.radio[1].map { [$0.start, $0.end] } == [[0, 9 * second], [9 * second, 10 * second]])
        #expect(story.radio[1].map(\.level) == [.idle, .activeUp])
        #expect(story.radio[1].map(\.energy) == [90_000_000_000_000, 500_000_000_000_000])
    }

    @Test func attemptsOfAllPhonesAddUp() {
        // Broken: a herd is drawn as large as the last part of it.
        var all = story([record(.connecting, at: 0.05), record(.connecting, at: 0.12, lane: 1)])
        all.merge(story([record(.connecting, at: 0.06, lane: 2), record(.connecting, at: 0.35, lane: 3)]))
        #expect(all.arrivals == [2, 1, 0, 1])
    }

    @Test func jouleAreOfOnePhone() throws {
        // Broken: a chart of a population shows the sum of it.
        var fold = RunFold()
        let records = [
            spent(.activeUp, 4, until: 4), record(.finished, at: 20, value: 20),
            record(.finished, at: 20, lane: 1, value: 20),
        ]
        records.withUnsafeBufferPointer { fold.record($0) }
        let spent = try #require(ChartFigures(of: fold, prices: Self.prices).spent.first)
        #expect(spent.cause == .payload && abs(spent.joules - 1) < 1e-9 && spent.inTails == 0)
    }

    @Test func aNumberTakesAsManyBytesAsItHas() {
        // Broken: other writers of the format write other bytes, and nothing of it can be compared.
        for (value, bytes) in [(0, [8, 0]), (127, [8, 127]), (128, [8, 128, 1]), (16_384, [8, 128, 128, 1])]
            as [(UInt64, [UInt8])]
        {
            var message = Protobuf()
            message.varint(1, value)
            #expect(message.bytes == bytes)
        }
    }

    @Test func powerEndsWithThePeriod() {
        // Broken: the power of all radios only ever grows.
        let story = story([spent(.idle, 5, until: 5), spent(.activeUp, 5, until: 10)])
        let bytes = PerfettoTrace.bytes([Exhibit(report: Sample.report(), stories: [story])])
        // `double_counter_value` is field 44: its key, and eight bytes behind it.
        let powers = bytes.indices.dropLast(9).filter { bytes[$0] == 0xE1 && bytes[$0 + 1] == 0x02 }.map { place in
            Double(bitPattern: (0..<8).reduce(0) { $0 | UInt64(bytes[place + 2 + $1]) << (8 * UInt64($1)) })
        }
        #expect(powers.starts(with: [10, 500, 0]), "\(powers)")
    }
}
