import DeadzoneBase
import Testing

struct PhiloxTests {
    struct KnownAnswer: Sendable {
        let counter: (UInt64, UInt64)
        let key: UInt64
        let block: (UInt64, UInt64)
    }

    /// Random123, `tests/kat_vectors`, lines `philox2x64 10`.
    static let known = [
        KnownAnswer(counter: (0, 0), key: 0, block: (0xCA00_A045_9843_D731, 0x66C2_4222_C9A8_45B5)),
        KnownAnswer(counter: (.max, .max), key: .max, block: (0x65B0_21D6_0CD8_310F, 0x4D02_F322_2F86_DF20)),
        KnownAnswer(
            counter: (0x243F_6A88_85A3_08D3, 0x1319_8A2E_0370_7344), key: 0xA409_3822_299F_31D0,
            block: (0x0A5E_742C_2997_341C, 0xB0F8_83D3_8000_DE5D)),
    ]

    @Test(arguments: known)
    func `matches the known answers of Random123`(_ known: KnownAnswer) {
        // The statistical tests that Philox passed say nothing about a generator that is only nearly Philox.
        let block = Philox.block(key: known.key, counter: known.counter)
        #expect(block == known.block)
    }

    @Test func `different counters give different blocks`() {
        // A round that dropped a word would map two counters onto one block: for one key the cipher is a permutation.
        var seen = Set<[UInt64]>()
        for low: UInt64 in 0..<64 {
            for high: UInt64 in 0..<64 {
                let block = Philox.block(key: 7, counter: (low, high))
                seen.insert([block.0, block.1])
            }
        }
        #expect(seen.count == 64 * 64)
    }
}
