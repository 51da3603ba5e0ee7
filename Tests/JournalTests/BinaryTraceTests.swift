import DeadzoneBase
import Testing

struct BinaryTraceTests {
    private func trace(_ records: [Record]) -> BinaryTrace {
        var trace = BinaryTrace()
        trace.record(records)
        return trace
    }

    @Test func `a record is 24 bytes`() {
        // Padding would make traces larger by half.
        #expect(MemoryLayout<Record>.stride == 24)
        let empty = BinaryTrace().bytes.count
        #expect(trace(madeUpRecords(7, lanes: 2, seed: 1)).bytes.count == empty + 7 * 24)
    }

    @Test func `bytes are laid out as documented`() {
        // Programs in other languages read traces by the table in README.md.
        let record = Record(
            at: Instant(nanoseconds: 0x0102_0304_0506_0708), phone: 0x1112_1314, kind: .deliveredDown, tag: 0x2122,
            value: -2)
        let expected: [UInt8] =
            [0x89, 0x44, 0x5A, 0x54, 0x0D, 0x0A, 0x1A, 0x0A, 1, 0, 0, 0, 24, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
            + [8, 7, 6, 5, 4, 3, 2, 1, 0x14, 0x13, 0x12, 0x11, 12, 0, 0x22, 0x21, 0xFE]
            + [UInt8](repeating: 0xFF, count: 7)
        #expect(trace([record]).bytes == expected)
    }

    @Test(arguments: 0...60 as ClosedRange<UInt64>)
    func `what was written is read back`(_ seed: UInt64) throws {
        // A saved run that reads back differently is another run.
        let records = madeUpRecords(Int(seed * seed % 300), lanes: 1 + seed % 7, seed: seed)
        var written = BinaryTrace()
        written.record(records, inBatchesOf: seed)
        let read = try BinaryTrace(bytes: written.bytes)
        #expect(read.records == records.laneByLane, "seed \(seed)")
        #expect(read.bytes == written.bytes, "seed \(seed)")
    }

    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func `interleaving and merging do not change the bytes`(_ seed: UInt64) {
        // Otherwise the same run would produce two different files.
        let rounds = madeUpRecords(400, lanes: 8, seed: seed)
        let bytes = trace(rounds.laneByLane).bytes
        #expect(trace(rounds).bytes == bytes, "seed \(seed)")
        let (even, odd) = (trace(rounds.filter { $0.phone % 2 == 0 }), trace(rounds.filter { $0.phone % 2 == 1 }))
        var (one, two) = (even, odd)
        one.merge(odd)
        two.merge(even)
        #expect(one.bytes == bytes && two.bytes == bytes, "seed \(seed)")
        #expect(one == two)
    }

    /// Keeps records in the order in which they arrive.
    private struct ArrivalOrder: Recorder {
        var records: [Record] = []
        mutating func record(_ batch: UnsafeBufferPointer<Record>) { records.append(contentsOf: batch) }
        mutating func merge(_ other: Self) { records += other.records }
    }

    @Test func `a trace is replayed phone by phone`() {
        // A fold that expects all records of a phone together would see them interleaved.
        let rounds = madeUpRecords(100, lanes: 4, seed: 9)
        var replayed = ArrivalOrder()
        trace(rounds).replay(into: &replayed)
        #expect(replayed.records == rounds.laneByLane && rounds != rounds.laneByLane)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `a saved trace has the same digest as its run`(_ seed: UInt64) throws {
        // Numbers recomputed from a trace would differ from the printed ones.
        let rounds = madeUpRecords(400, lanes: 8, seed: seed)
        var (online, replayed) = (Digest(), Digest())
        online.record(rounds)
        try BinaryTrace(bytes: trace(rounds).bytes).replay(into: &replayed)
        #expect(replayed.value == online.value, "seed \(seed)")
        #expect(online.value != Digest().value)
    }

    @Test func `every truncation is reported`() {
        // A trace cut off by a full disk must not look like a short run.
        let bytes = trace(madeUpRecords(5, lanes: 2, seed: 3)).bytes
        for length in 1..<bytes.count {
            let expected = length < 24 ? 24 : bytes.count
            #expect(throws: TraceFault.truncated(expected: expected, found: length)) {
                try BinaryTrace(bytes: Array(bytes[..<length]))
            }
        }
        #expect(throws: TraceFault.trailingBytes(1)) { try BinaryTrace(bytes: bytes + [0]) }
    }

    @Test func `other formats and versions are rejected with the reason`() {
        // Misread bytes would produce plausible metrics.
        let bytes = trace(madeUpRecords(3, lanes: 1, seed: 3) + [Record(at: .zero, phone: 2, kind: .opened)]).bytes
        func fault(_ at: Int, _ value: UInt8) -> TraceFault? {
            var copy = bytes
            copy[at] = value
            do throws(TraceFault) {
                _ = try BinaryTrace(bytes: copy)
                return nil
            } catch {
                return error
            }
        }
        #expect(throws: TraceFault.notATrace) { try BinaryTrace(bytes: []) }
        #expect(throws: TraceFault.notATrace) { try BinaryTrace(bytes: Array("at,lane,kind\n".utf8)) }
        for at in 0..<8 { #expect(fault(at, bytes[at] ^ 1) == .notATrace) }
        #expect(fault(8, 2) == .unknownVersion(2))
        #expect(fault(12, 32) == .unknownRecordSize(32))
        #expect(fault(16, 5) == .truncated(expected: 24 + 5 * 24, found: bytes.count))
        #expect(fault(23, 0xFF) == .truncated(expected: .max, found: bytes.count))
        #expect(fault(16, 3) == .trailingBytes(24))
        #expect(fault(24 + 13, 0xFF).map { "\($0)".contains("which this program does not know") } == true)
        #expect(fault(24 + 8, 9) == .phoneOutOfOrder(0, record: 1))
    }

    @Test func `every kind survives`() throws {
        // A kind that the reader does not support makes every new trace unreadable.
        let records = RecordKind.allCases.map { Record(at: .zero, phone: 0, kind: $0) }
        #expect(try BinaryTrace(bytes: trace(records).bytes).records.map(\.kind) == RecordKind.allCases)
    }
}
