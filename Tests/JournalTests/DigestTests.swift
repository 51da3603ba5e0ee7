import DeadzoneBase
import Testing

struct DigestTests {
    private func digest(_ records: [Record]) -> UInt64 {
        var digest = Digest()
        digest.record(records)
        return digest.value
    }

    @Test func `a record is 24 bytes`() {
        // Broken: padding makes the records of a run larger by half.
        #expect(MemoryLayout<Record>.stride == 24)
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func `interleaving and batches do not change the digest`(_ seed: UInt64) {
        // Sync windows of 20 ms, or each lane up to the horizon: the same run must print the same digest.
        let rounds = madeUpRecords(500, lanes: 1 + seed % 9, seed: seed)
        var batched = Digest()
        batched.record(rounds.laneByLane, inBatchesOf: seed)
        #expect(batched.value == digest(rounds), "seed \(seed)")
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func `merging commutes and splits by lane do not change the digest`(_ seed: UInt64) {
        // The digest must not depend on which thread ran which lanes, or on which thread finished first.
        let records = madeUpRecords(500, lanes: 12, seed: seed)
        var parts = [Digest(), Digest(), Digest()]
        for index in parts.indices {
            parts[index].record(records.filter { (UInt64($0.phone) &* 0x9E37_79B9 &+ seed) % 3 == UInt64(index) })
        }
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            var merged = Digest()
            for index in order { merged.merge(parts[index]) }
            #expect(merged.value == digest(records), "seed \(seed), order \(order)")
        }
        parts[1].merge(parts[2])
        parts[0].merge(parts[1])
        #expect(parts[0].value == digest(records), "seed \(seed), nested")
    }

    @Test func `every bit of every field changes the digest`() {
        // A change in a field that is missing from the hash would be invisible.
        let records = madeUpRecords(20, lanes: 3, seed: 5)
        var seen: Set<UInt64> = [digest(records)]
        var changes = 0
        func change(_ index: Int, _ changed: Record) {
            var copy = records
            copy[index] = changed
            seen.insert(digest(copy))
            changes += 1
        }
        for (index, record) in records.enumerated() {
            for bit in 0..<64 {
                let mask = Int64(bitPattern: 1 << UInt64(bit))
                let moment = Instant(nanoseconds: record.at.nanoseconds ^ mask)
                change(index, record.with(at: moment))
                change(index, record.with(value: record.value ^ mask))
            }
            for bit in 0..<16 { change(index, record.with(tag: record.tag ^ 1 << UInt16(bit))) }
            for bit in 0..<10 { change(index, record.with(phone: record.phone ^ 1 << UInt32(bit))) }
            for kind in RecordKind.allCases where kind != record.kind { change(index, record.with(kind: kind)) }
        }
        #expect(seen.count == changes + 1)
    }

    @Test func `order within a lane, length and lane change the digest`() {
        // A hash that only sums would not detect two swapped events.
        let record = Record(at: .zero, phone: 0, kind: .opened)
        let other = Record(at: .zero, phone: 0, kind: .closed)
        let variants: [[Record]] = [
            [], [record], [record, record], [other], [record, other], [other, record], [record.with(phone: 1)],
            [record, record.with(phone: 1)], [record.with(phone: 1), record.with(phone: 2)],
            [record, other.with(phone: 1)],
        ]
        #expect(Set(variants.map(digest)).count == variants.count)
    }

    @Test func `lanes far apart and from above are kept`() {
        // The table of hashes also grows downwards; an error there would lose the existing lanes.
        let lanes: [UInt32] = [900_000, 900_001, 899_999, 5, 1_000_000, 0, 4]
        let records = lanes.map { Record(at: .zero, phone: $0, kind: .opened, value: Int64($0)) }
        var digests = Set<UInt64>()
        for start in records.indices { digests.insert(digest(Array(records[start...] + records[..<start]))) }
        #expect(digests.count == 1)
        #expect(digests != [digest(Array(records.dropLast()))])
    }

    @Test func `one lane in two recorders is rejected`() async {
        // The order of their records is unknown. An arbitrary merge would make the digest depend on threads.
        await #expect(processExitsWith: .failure) {
            var (one, two) = (Digest(), Digest())
            one.record([Record(at: .zero, phone: 3, kind: .opened)])
            two.record([Record(at: .zero, phone: 3, kind: .closed)])
            one.merge(two)
        }
    }

    @Test func `the digest is the same on every machine and in every build`() {
        // A change here makes every saved result look like another run: record it in the changelog.
        var digest = Digest()
        // The first kinds that existed, because the list of all kinds grows.
        let kinds: [RecordKind] = [.residency, .promotion, .bytes, .sentDown, .sentUp, .deliveredDown]
        let records = madeUpRecords(1_000, lanes: 10, seed: 1)
        digest.record(records.enumerated().map { $1.with(kind: kinds[$0 % kinds.count]) })
        #expect(digest.hex == "49cc3c48efc98a68")
        #expect(Digest().hex == "243f6a8885a308d3")
    }

    @Test func `replicas are combined in their order`() {
        // Two swapped replicas, or a missing one, must change the result.
        #expect(Digest.combined([1, 2]) == Digest.combined([1, 2]))
        let sequences: [[UInt64]] = [[], [0], [1], [0, 0], [1, 2], [2, 1], [1, 2, 3]]
        #expect(Set(sequences.map { Digest.combined($0) }).count == sequences.count)
    }
}

extension Record {
    func with(
        at: Instant? = nil, phone: UInt32? = nil, kind: RecordKind? = nil, tag: UInt16? = nil, value: Int64? = nil
    )
        -> Record
    {
        Record(
            at: at ?? self.at, phone: phone ?? self.phone, kind: kind ?? self.kind, tag: tag ?? self.tag,
            value: value ?? self.value)
    }
}
