import DeadzoneJournal
import DeadzonePrimitives

/// Records made up from dice: any lane below `lanes`, times that never fall within a lane.
func madeUpRecords(_ count: Int, lanes: UInt64, seed: UInt64) -> [Record] {
    var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
    var clocks = [Int64](repeating: 0, count: Int(lanes))
    return (0..<count).map { _ in
        let lane = Int(dice.next().scaled(below: lanes))
        clocks[lane] += Int64(dice.next().scaled(below: 1_000_000_000))
        let kind = Kind.allCases[Int(dice.next().scaled(below: UInt64(Kind.allCases.count)))]
        return Record(
            at: Instant(nanoseconds: clocks[lane]), lane: UInt32(lane), kind: kind,
            tag: UInt16(truncatingIfNeeded: dice.next()), value: Int64(bitPattern: dice.next()))
    }
}

extension Recorder {
    mutating func record(_ records: [Record]) { records.withUnsafeBufferPointer { record($0) } }

    /// In batches whose lengths come from dice: empty ones, single ones, long ones.
    mutating func record(_ records: [Record], inBatchesOf seed: UInt64) {
        var dice = Dice(seed: seed, phone: PhoneID(1), purpose: .test)
        var rest = records[...]
        while !rest.isEmpty {
            let batch = rest.prefix(Int(dice.next().scaled(below: 40)))
            rest = rest.dropFirst(batch.count)
            record(Array(batch))
        }
    }
}

extension [Record] {
    /// The same lanes, one after another: what an uncoupled run records.
    var laneByLane: [Record] { sorted { $0.lane < $1.lane } }
}
