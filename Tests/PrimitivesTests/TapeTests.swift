import DeadzonePrimitives
import DeadzoneTestKit
import Testing

@Suite struct TapeTests {
    private struct Sheet: Taped, Equatable {
        var narrow: UInt8 = 0
        var wide = Int128(0)
        var row = [Int64](repeating: 0, count: 40)
        var growing: [UInt64] = []
        var name = ""
        var blobs: [[UInt8]] = []
        var seed: UInt64?

        mutating func pass(through tape: inout Tape) {
            tape.pass(&narrow)
            tape.pass(&wide)
            tape.pass(&row)
            tape.pass(growing: &growing)
            tape.pass(&name)
            tape.pass(blobs: &blobs)
            tape.pass(optional: &seed)
        }

        static func random(_ dice: inout Dice) -> Sheet {
            func number() -> UInt64 { dice.next() >> (dice.next() % 64) }
            var sheet = Sheet()
            sheet.narrow = UInt8(truncatingIfNeeded: dice.next())
            sheet.wide = Int128(bitPattern: UInt128(number()) << 64 | UInt128(dice.next()))
            for _ in 0..<8 { sheet.row[Int(dice.next() % 40)] = Int64(bitPattern: number()) }
            sheet.growing = (0..<(dice.next() % 9)).map { _ in number() }
            sheet.name = String(repeating: "zoë ", count: Int(dice.next() % 4))
            sheet.blobs = (0..<(dice.next() % 4)).map { _ in Array(repeating: sheet.narrow, count: Int(number() % 9)) }
            sheet.seed = dice.next() % 2 == 0 ? nil : number()
            return sheet
        }
    }

    private func taped(_ sheet: Sheet) -> [UInt8] {
        var (tape, sheet) = (Tape(), sheet)
        tape.pass(&sheet)
        return tape.bytes
    }

    @Test("Else what one machine wrote would be something else on another")
    func whatIsWrittenIsRead() {
        seedSweep(300) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .strategy)
            let sheet = Sheet.random(&dice)
            var (tape, read) = (Tape(reading: taped(sheet)), Sheet())
            tape.pass(&read)
            #expect(tape.isReadWhole && read == sheet)
        }
    }

    @Test("Else a file that was cut short, or changed on its way, would end the program or pass for a whole one")
    func whatIsDamagedIsNoCrash() {
        var spoilt = 0
        seedSweep(300) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .strategy)
            let bytes = taped(Sheet.random(&dice))
            var cut = Tape(reading: Array(bytes.dropLast()))
            var sheet = Sheet()
            cut.pass(&sheet)
            #expect(cut.isSpoilt && !cut.isReadWhole && sheet.row.count == 40)
            var changed = bytes
            for _ in 0..<3 { changed[Int(dice.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: dice.next()) }
            var tape = Tape(reading: changed)
            tape.pass(&sheet)
            spoilt += tape.isReadWhole ? 0 : 1
        }
        #expect(spoilt > 20)
    }

    @Test("Else the fold of a phone that did little would take as many bytes as that of a busy one")
    func zerosInARowTakeNothing() {
        var (tape, row) = (Tape(), [Int128](repeating: 0, count: 10_000))
        row[9_000] = 1
        tape.pass(&row)
        #expect(tape.bytes.count < 10)
    }
}
