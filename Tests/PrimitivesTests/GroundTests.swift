import DeadzonePrimitives
import Testing

struct GroundTests {
    @Test func whatWasClearedIsAsNew() {
        // Broken: a phone finds on its ground what another one left there.
        let ground = Ground(bytes: 1_024)
        let kept = ground.surveyor.place(of: UInt64.self, 4)
        kept.initialize(repeating: .max, count: 4)
        let mark = ground.mark
        for count in [8, 60] {
            let first = ground.surveyor.place(of: UInt64.self, count)
            #expect((0..<count).allSatisfy { first[$0] == 0 }, "\(count)")
            first.initialize(repeating: .max, count: count)
            ground.clear(keeping: mark)
        }
        #expect(kept[0] == 0 && ground.used.count == Ground.block)
    }

    @Test(arguments: [
        (Int64.max, Int64(-1), Int64.max), (.min, 1, .min), (0, .min, .max), (-2, .max, .min), (5, 7, -2), (-5, -7, 2),
    ])
    func differencesStayWithinWhatThereIs(_ a: Int64, _ b: Int64, _ difference: Int64) {
        // Broken: a span that is too long turns into one that is negative.
        #expect(TimeSpan(nanoseconds: a) - TimeSpan(nanoseconds: b) == TimeSpan(nanoseconds: difference))
    }

    @Test(arguments: [
        (Int64.max, Int64(2), Int64.max), (.max, -2, .min), (-.max, 2, .min), (-.max, -2, .max), (-3, -4, 12),
        (.min, -1, .max),
    ])
    func productsStayWithinWhatThereIs(_ a: Int64, _ factor: Int64, _ product: Int64) {
        #expect(TimeSpan(nanoseconds: a) * factor == TimeSpan(nanoseconds: product))
    }

    @Test func energiesAreRoundedToTheNearest() {
        // Broken: a bill that is half a femtojoule short, in each of a million cells.
        let third = Power(femtojoules: 1, per: .nanoseconds(3))
        #expect((0..<7).map { third.energy(over: .nanoseconds($0)).femtojoules } == [0, 0, 1, 1, 1, 2, 2])
    }

    @Test(arguments: [
        ("plain", "plain"), ("a\u{7F}b", "a\\u{7f}b"), ("::error::x", "\\u{3a}:error::x"),
        ("a ::error::x", "a \\u{3a}:error::x"),
        ("a::b", "a::b"), ("##[x]", "##\\u{5b}x]"), ("##vso[x]", "##vso\\u{5b}x]"), ("#[x]", "#[x]"),
        ("a\u{202E}b", "a\\u{202e}b"),
    ])
    func whatIsObeyedIsSpelledOut(_ text: String, _ visible: String) {
        // Broken: a name commands the terminal, or the runner, that shows it.
        #expect(text.visible == visible)
    }

    @Test func aTapeWithATailWasNotReadWhole() {
        // Broken: numbers of another version, that has more of them, are taken for those of this one.
        var (written, number) = (Tape(), 5)
        written.pass(&number)
        for tail in 0..<3 {
            var (tape, read) = (Tape(reading: written.bytes + Array(repeating: 0, count: tail)), 0)
            tape.pass(&read)
            #expect(read == 5 && tape.isReadWhole == (tail == 0))
        }
    }
}
