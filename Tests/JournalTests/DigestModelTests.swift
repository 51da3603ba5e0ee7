import DeadzoneTestKit
import Testing
@testable import DeadzoneBase

/// Digests beside a plain model, and the faults of traces.
struct DigestModelTests {
    private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = UInt128(a) * UInt128(b)
        return UInt64(product >> 64) ^ UInt64(truncatingIfNeeded: product)
    }

    // The digits of pi after the point.
    private static let (seed, k0, k1, k2): (UInt64, UInt64, UInt64, UInt64) = (
        0x243F_6A88_85A3_08D3, 0xA409_3822_299F_31D0, 0x082E_FA98_EC4E_6C89, 0x4528_21E6_38D0_1377
    )

    private static func mixed(_ hash: UInt64, _ record: Record) -> UInt64 {
        let what = fold(UInt64(bitPattern: record.at.nanoseconds) ^ k0, UInt64(bitPattern: record.value) ^ k1)
        let name = UInt64(record.phone) * (1 << 32) + UInt64(record.kind.rawValue) * (1 << 16) + UInt64(record.tag)
        return fold(hash ^ what, name ^ k2)
    }

    private func model(_ records: [Record]) -> UInt64 {
        let phones = Dictionary(grouping: records, by: \.phone).mapValues { $0.reduce(Self.seed, Self.mixed) }
        return phones.sorted { $0.key < $1.key }.reduce(Self.seed) {
            Self.fold($0 ^ $1.value, UInt64($1.key) ^ Self.k2)
        }
    }

    @Test func digestsAreThoseOfTheModel() {
        // Broken: a field of a record does not count, or phones are combined in another order.
        seedSweep(60) { seed in
            let lanes = 1 + seed % 9
            var records = madeUpRecords(Int(seed * 7), lanes: lanes, seed: seed)
            // Phones at the ends of the range and far apart, in both orders.
            let names: [UInt32] = [5, .max, 0, 1_000, 999, .max - 1, 4, 2_000, 1]
            records = records.map {
                Record(at: $0.at, phone: names[Int($0.phone)], kind: $0.kind, tag: $0.tag, value: $0.value)
            }
            if seed % 3 > 0 { records = records.filter { $0.phone < 10_000 } }
            guard seed % 3 > 0 || lanes < 2 else { return }
            var digest = Digest()
            digest.record(records, inBatchesOf: seed)
            #expect(digest.value == model(records), "seed \(seed)")
            #expect(
                digest.hex == String(repeating: "0", count: 16 - String(digest.value, radix: 16).count)
                    + String(digest.value, radix: 16))
            var (even, odd) = (Digest(), Digest())
            even.record(records.filter { $0.phone % 2 == 0 })
            odd.record(records.filter { $0.phone % 2 == 1 })
            even.merge(odd)
            #expect(even.value == digest.value, "seed \(seed)")
            var writing = BinaryCoder()
            writing.code(&digest)
            var (reading, read) = (BinaryCoder(reading: writing.bytes), Digest())
            reading.code(&read)
            #expect(reading.isFullyRead && read.value == digest.value, "seed \(seed)")
        }
        #expect(Digest().value == Self.seed && Digest.combined([]) == Self.seed)
        #expect(Digest.combined([3, 9]) == Self.fold(Self.fold(Self.seed ^ 3, Self.k0) ^ 9, Self.k0))
        for pairs in [[(-1, Int128(5))], [(1 << 32, 5)], [(4, -1)], [(4, 1 << 64)]] {
            var writing = BinaryCoder()
            writing.code(pairs: pairs) { _, _ in true }
            var (reading, read) = (BinaryCoder(reading: writing.bytes), Digest())
            reading.code(&read)
            #expect(reading.isCorrupt, "\(pairs)")
        }
    }

    @Test func minutesAreSumsOfTheirRecords() {
        // Broken: a record counts in another minute, or not with all its fields.
        let horizon = Instant.zero + .minutes(5)
        let records = madeUpRecords(200, lanes: 1, seed: 4).map {
            Record(
                at: Instant(nanoseconds: $0.at.nanoseconds * 3), phone: $0.phone, kind: $0.kind, tag: $0.tag,
                value: $0.value)
        }
        var digests = MinuteDigests(until: horizon)
        digests.record(records)
        var sums = [UInt64](repeating: 0, count: 5)
        for record in records {
            sums[min(4, Int(record.at.nanoseconds / 60_000_000_000))] &+= Self.mixed(Self.seed, record)
        }
        #expect(digests.minutes == sums && Set(sums).count == 5)
        var early = MinuteDigests(until: horizon)
        early.record([
            Record(at: Instant(nanoseconds: -5), phone: 0, kind: .pinged),
            Record(at: Instant(nanoseconds: 59_999_999_999), phone: 0, kind: .pinged),
            Record(at: Instant(nanoseconds: 60_000_000_000), phone: 0, kind: .pinged),
        ])
        #expect(
            early.minutes[0] != 0
                && early.minutes[1]
                    == Self.mixed(Self.seed, Record(at: Instant(nanoseconds: 60_000_000_000), phone: 0, kind: .pinged))
                && early.minutes[2...].allSatisfy { $0 == 0 })
        #expect(MinuteDigests(until: .zero).minutes.count == 1 && MinuteDigests.maxCount == 1_440)
    }
}
