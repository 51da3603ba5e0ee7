import DeadzoneBase

/// Random records from dice: any lane below `lanes`, with times that never decrease within a lane.
func madeUpRecords(_ count: Int, lanes: UInt64, seed: UInt64) -> [Record] {
    var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
    var clocks = [Int64](repeating: 0, count: Int(lanes))
    return (0..<count).map { _ in
        let phone = Int(dice.next().scaled(below: lanes))
        clocks[phone] += Int64(dice.next().scaled(below: 1_000_000_000))
        let kind = RecordKind.allCases[Int(dice.next().scaled(below: UInt64(RecordKind.allCases.count)))]
        return Record(
            at: Instant(nanoseconds: clocks[phone]), phone: UInt32(phone), kind: kind,
            tag: UInt16(truncatingIfNeeded: dice.next()), value: Int64(bitPattern: dice.next()))
    }
}

extension Recorder {
    mutating func record(_ records: [Record]) { records.withUnsafeBufferPointer { record($0) } }

    /// Records in batches of random lengths: empty, single and long ones.
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
    /// The same records sorted by lane, as an uncoupled run records them.
    var laneByLane: [Record] { sorted { $0.phone < $1.phone } }
}
