import DeadzoneClient
import DeadzonePrimitives
import DeadzoneSettings
import DeadzoneTestKit
import Testing

@testable import DeadzoneEngine

@Suite struct StateTableTests {
    /// Room for seventy-five words, each of which begins as one.
    struct Wide: Strategy {
        typealias State = InlineArray<75, UInt64>
        static let name = "wide"
        static let about = "a state with room for what few do"
        init(_ settings: inout SettingsReader) {}
        func initialState() -> State { State(repeating: 1) }
        func handle(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {}
    }

    private static func strategy() -> AnyStrategy {
        var reader = SettingsReader.describing("a test")
        return AnyStrategy(Wide(&reader))
    }

    /// Broken: a phone finds in its state what another wrote, or not what it wrote, or something of a new one where it had written.
    @Test func everyPhoneFindsWhatItWrote() {
        seedSweep(20) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            func below(_ bound: Int) -> Int { Int(dice.next().scaled(below: UInt64(bound))) }
            var table = StateTable(Self.strategy(), count: 9)
            var expected = Array(repeating: Array(repeating: UInt64(1), count: 75), count: 9)
            var longest = 0
            for _ in 0..<600 {
                let phone = below(9)
                let words = table.place(phone).assumingMemoryBound(to: UInt64.self)
                for word in 0..<75 where words[word] != expected[phone][word] {
                    Issue.record("word \(word) of phone \(phone): \(words[word]), not \(expected[phone][word])")
                }
                // Mostly near the beginning, and now and then as it was.
                let word = below(1 + below(75))
                let value = UInt64(below(3))
                words[word] = value
                expected[phone][word] = value
                longest = max(longest, word)
            }
            #expect(longest > 60)
        }
    }

    /// Broken: what nobody has written takes room all the same.
    @Test func nothingIsKeptBehindWhatDiffers() {
        var table = StateTable(Self.strategy(), count: 2)
        table.place(1).assumingMemoryBound(to: UInt64.self)[3] = 7
        _ = table.place(0)
        table.rest()
        #expect(table.bytes(of: 0) == 16 && table.bytes(of: 1) == 16 + 32)
        table.place(1).assumingMemoryBound(to: UInt64.self)[74] = 7
        table.rest()
        #expect(table.bytes(of: 1) == 16 + 608)
    }
}
