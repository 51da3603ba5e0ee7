import DeadzoneBase
import Testing

struct ArenaTests {
    @Test func clearedMemoryIsZero() {
        // Broken: a phone finds the data of another phone in its arena.
        let ground = Arena(bytes: 1_024)
        let kept = ground.allocator.allocate(of: UInt64.self, 4)
        kept.initialize(repeating: .max, count: 4)
        let mark = ground.position
        for count in [8, 60] {
            let first = ground.allocator.allocate(of: UInt64.self, count)
            #expect((0..<count).allSatisfy { first[$0] == 0 }, "\(count)")
            first.initialize(repeating: .max, count: count)
            ground.clear(keeping: mark)
        }
        #expect(kept[0] == 0 && ground.used.count == Arena.blockSize)
    }

    @Test(arguments: [
        (Int64.max, Int64(-1), Int64.max), (.min, 1, .min), (0, .min, .max), (-2, .max, .min), (5, 7, -2), (-5, -7, 2),
    ])
    func differencesSaturate(_ a: Int64, _ b: Int64, _ difference: Int64) {
        // Broken: a time span that overflows becomes negative.
        #expect(TimeSpan(nanoseconds: a) - TimeSpan(nanoseconds: b) == TimeSpan(nanoseconds: difference))
    }

    @Test(arguments: [
        (Int64.max, Int64(2), Int64.max), (.max, -2, .min), (-.max, 2, .min), (-.max, -2, .max), (-3, -4, 12),
        (.min, -1, .max),
    ])
    func productsSaturate(_ a: Int64, _ factor: Int64, _ product: Int64) {
        #expect(TimeSpan(nanoseconds: a) * factor == TimeSpan(nanoseconds: product))
    }

    @Test func energiesAreRoundedToTheNearest() {
        // Broken: a bill loses half a femtojoule in each of a million cells.
        let third = Power(femtojoules: 1, per: .nanoseconds(3))
        #expect((0..<7).map { third.energy(over: .nanoseconds($0)).femtojoules } == [0, 0, 1, 1, 1, 2, 2])
    }

    @Test(arguments: [
        ("plain", "plain"), ("a\u{7F}b", "a\\u{7f}b"), ("::error::x", "\\u{3a}:error::x"),
        ("a ::error::x", "a \\u{3a}:error::x"),
        ("a::b", "a::b"), ("##[x]", "##\\u{5b}x]"), ("##vso[x]", "##vso\\u{5b}x]"), ("#[x]", "#[x]"),
        ("a\u{202E}b", "a\\u{202e}b"),
    ])
    func terminalAndRunnerCommandsAreEscaped(_ text: String, _ visible: String) {
        // Broken: a name acts as a command in the terminal or the CI runner that shows it.
        #expect(text.escapedForTerminal == visible)
    }

    @Test func trailingBytesAreNotAFullRead() {
        // Broken: data of a version with more numbers is accepted as data of this version.
        var (written, number) = (BinaryCoder(), 5)
        written.code(&number)
        for tail in 0..<3 {
            var (coder, read) = (BinaryCoder(reading: written.bytes + Array(repeating: 0, count: tail)), 0)
            coder.code(&read)
            #expect(read == 5 && coder.isFullyRead == (tail == 0))
        }
    }
}
