import Testing
@testable import DeadzoneBase

struct MinuteDigestTests {
    private static let minute: Int64 = 60_000_000_000

    @Test(arguments: [
        (1, 1, 1), (60_000, 1, 1), (60_001, 2, 1), (86_400_000, 1_440, 1), (86_400_001, 721, 2),
        (172_800_000, 1_440, 2),
        (172_800_001, 961, 3),
    ])
    func runsAreSplitIntoMinutes(_ milliseconds: Int64, _ count: Int, _ minutes: Int64) {
        // Broken: the last instant of a run belongs to no minute, or a long run is split into more parts than the
        // limit.
        let digests = MinuteDigests(until: .zero + .milliseconds(milliseconds))
        #expect(digests.minutes.count == count && digests.length == .minutes(minutes))
    }

    @Test func partsAddUpForEverySplit() {
        // Broken: with more threads, an unchanged minute is shown as changed.
        let records = (0..<40).map { index in
            Record(at: .zero + .seconds(11 * index), phone: UInt32(index % 3), kind: .pinged, value: index)
        }
        func digests(_ records: [Record]) -> MinuteDigests {
            var digests = MinuteDigests(until: .zero + .minutes(7))
            records.withUnsafeBufferPointer { digests.record($0) }
            return digests
        }
        let whole = digests(records).minutes
        #expect(whole.count == 7 && Set(whole).count == 7)
        for phone: UInt32 in 0..<3 {
            var sum = digests(records.filter { $0.phone == phone })
            sum.merge(digests(records.filter { $0.phone != phone }))
            #expect(sum.minutes == whole)
        }
        // An event at the very end belongs to the last minute.
        #expect(digests([Record(at: .zero + .minutes(7), phone: 0, kind: .pinged)]).minutes.last != 0)
    }

    @Test func aFlagIsOneOrZero() {
        #expect(Bool(bits: 0) == false && Bool(bits: 1) == true && Bool(bits: 2) == nil && Bool(bits: 3) == nil)
    }
}
