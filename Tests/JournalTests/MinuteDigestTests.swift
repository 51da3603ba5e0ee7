import DeadzonePrimitives
import Testing

@testable import DeadzoneJournal

struct MinuteDigestTests {
    private static let minute: Int64 = 60_000_000_000

    @Test(arguments: [
        (1, 1, 1), (60_000, 1, 1), (60_001, 2, 1), (86_400_000, 1_440, 1), (86_400_001, 721, 2),
        (172_800_000, 1_440, 2),
        (172_800_001, 961, 3),
    ])
    func aRunHasSoManyMinutes(_ milliseconds: Int64, _ count: Int, _ minutes: Int64) {
        // Broken: the last moment of a run is nowhere, or a long run is kept in more parts than there is room for.
        let digests = MinuteDigests(until: .zero + .milliseconds(milliseconds))
        #expect(digests.minutes.count == count && digests.length == .minutes(minutes))
    }

    @Test func partsAddUpHoweverTheyWereSplit() {
        // Broken: more threads, and a minute in which nothing has changed is shown as another.
        let records = (0..<40).map { index in
            Record(at: .zero + .seconds(11 * index), lane: UInt32(index % 3), kind: .pinged, value: index)
        }
        func digests(_ records: [Record]) -> MinuteDigests {
            var digests = MinuteDigests(until: .zero + .minutes(7))
            records.withUnsafeBufferPointer { digests.record($0) }
            return digests
        }
        let whole = digests(records).minutes
        #expect(whole.count == 7 && Set(whole).count == 7)
        for lane: UInt32 in 0..<3 {
            var sum = digests(records.filter { $0.lane == lane })
            sum.merge(digests(records.filter { $0.lane != lane }))
            #expect(sum.minutes == whole)
        }
        // What happens at the very end belongs to the last minute.
        #expect(digests([Record(at: .zero + .minutes(7), lane: 0, kind: .pinged)]).minutes.last != 0)
    }

    @Test func neighboursInTheWrongOrderAreNoTrace() throws {
        // Broken: a trace that was put together wrongly is told as if it were sound.
        var trace = BinaryTrace()
        let records = (0..<2).map { Record(at: .zero, lane: UInt32($0), kind: .pinged) }
        records.withUnsafeBufferPointer { trace.record($0) }
        let bytes = trace.bytes
        let (head, size) = (BinaryTrace.headerSize, BinaryTrace.recordSize)
        let turned = Array(bytes[..<head] + bytes[(head + size)...] + bytes[head..<(head + size)])
        #expect(try BinaryTrace(bytes: bytes) == trace)
        #expect(throws: TraceFault.laneOutOfOrder(0, record: 1)) { _ = try BinaryTrace(bytes: turned) }
    }

    @Test func aFlagIsOneOrNought() {
        #expect(Bool(bits: 0) == false && Bool(bits: 1) == true && Bool(bits: 2) == nil && Bool(bits: 3) == nil)
    }
}
