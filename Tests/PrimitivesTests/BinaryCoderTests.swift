import DeadzoneBase
import DeadzoneTestKit
import Testing

@Suite struct BinaryCoderTests {
    private struct CodedRecord: BinaryCodable, Equatable {
        var narrow: UInt8 = 0
        var wide = Int128(0)
        var row = [Int64](repeating: 0, count: 40)
        var growing: [UInt64] = []
        var name = ""
        var blobs: [[UInt8]] = []
        var seed: UInt64?

        mutating func code(through coder: inout BinaryCoder) {
            coder.code(&narrow)
            coder.code(&wide)
            coder.code(&row)
            coder.code(growing: &growing)
            coder.code(&name)
            coder.code(blobs: &blobs)
            coder.code(optional: &seed)
        }

        static func random(_ dice: inout Dice) -> CodedRecord {
            func number() -> UInt64 { dice.next() >> (dice.next() % 64) }
            var record = CodedRecord()
            record.narrow = UInt8(truncatingIfNeeded: dice.next())
            record.wide = Int128(bitPattern: UInt128(number()) << 64 | UInt128(dice.next()))
            for _ in 0..<8 { record.row[Int(dice.next() % 40)] = Int64(bitPattern: number()) }
            record.growing = (0..<(dice.next() % 9)).map { _ in number() }
            record.name = String(repeating: "zoë ", count: Int(dice.next() % 4))
            record.blobs = (0..<(dice.next() % 4)).map { _ in Array(repeating: record.narrow, count: Int(number() % 9))
            }
            record.seed = dice.next() % 2 == 0 ? nil : number()
            return record
        }
    }

    private func encoded(_ record: CodedRecord) -> [UInt8] {
        var (coder, record) = (BinaryCoder(), record)
        coder.code(&record)
        return coder.bytes
    }

    @Test("Encoded values decode to the same values")
    func encodedValuesDecode() {
        seedSweep(300) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .strategy)
            let record = CodedRecord.random(&dice)
            var (coder, read) = (BinaryCoder(reading: encoded(record)), CodedRecord())
            coder.code(&read)
            #expect(coder.isFullyRead && read == record)
        }
    }

    @Test("Truncated or damaged data is reported and never traps")
    func damagedDataIsReported() {
        var rejected = 0
        seedSweep(300) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .strategy)
            let bytes = encoded(CodedRecord.random(&dice))
            var cut = BinaryCoder(reading: Array(bytes.dropLast()))
            var record = CodedRecord()
            cut.code(&record)
            #expect(cut.isCorrupt && !cut.isFullyRead && record.row.count == 40)
            var changed = bytes
            for _ in 0..<3 { changed[Int(dice.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: dice.next()) }
            var coder = BinaryCoder(reading: changed)
            coder.code(&record)
            rejected += coder.isFullyRead ? 0 : 1
        }
        #expect(rejected > 20)
    }

    @Test("Truncated pairs are read up to the truncation, and no pair is made up")
    func truncatedPairsAreNotMadeUp() {
        let pairs: [(Int, Int128)] = [(1, 5), (3, 700), (9, -8), (10, 1 << 70), (2_000, 6)]
        var writer = BinaryCoder()
        writer.code(pairs: pairs) { _, _ in false }
        for length in 1...writer.bytes.count {
            var reader = BinaryCoder(reading: Array(writer.bytes.prefix(length)))
            var read: [(Int, Int128)] = []
            reader.code(pairs: []) {
                read.append(($0, $1))
                return true
            }
            #expect(reader.isCorrupt == (length < writer.bytes.count))
            #expect(zip(read, pairs).allSatisfy { $0 == $1 }, "\(length): \(read)")
            #expect((read.count == pairs.count) == !reader.isCorrupt, "\(length): \(read)")
        }
    }

    @Test("A row of 10,000 zeros and one value takes fewer than 10 bytes")
    func runsOfZerosAreCompressed() {
        var (coder, row) = (BinaryCoder(), [Int128](repeating: 0, count: 10_000))
        row[9_000] = 1
        coder.code(&row)
        #expect(coder.bytes.count < 10)
    }
}
