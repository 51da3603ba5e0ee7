import DeadzoneBase
import DeadzoneSimulator
import DeadzoneTestKit
import Testing

@Suite struct DedupTests {
    /// The deduplication memory of one session.
    private final class DedupHarness {
        let rules: Dedup
        var memory = DedupMemory()
        var words: UnsafeMutableBufferPointer<UInt64>

        init(_ rules: Dedup) {
            self.rules = rules
            words = .allocate(capacity: rules.words)
            words.initialize(repeating: 0)
        }

        deinit { words.deallocate() }

        func admits(_ key: UInt32, at now: Instant = .zero, salt: UInt64 = 7) -> Bool {
            memory.admits(key, rules, at: now, salt: salt, &words)
        }
    }

    /// Broken: a duplicate inside the window is admitted, or a new key is dropped.
    @Test(arguments: [Dedup.bitmap(window: 1), .bitmap(window: 64), .bitmap(window: 1_000), .set(window: 1_000)])
    func knowsKeysInsideItsWindow(rules: Dedup) {
        let memory = DedupHarness(rules)
        var again = 0
        for key in 0..<5_000 as Range<UInt32> {
            #expect(memory.admits(key))
            for back in [0, 1, 5, 63] as [UInt32] where back <= key && back < window(of: rules) {
                #expect(!memory.admits(key - back), "\(rules) forgot \(key - back) at \(key)")
                again += 1
            }
        }
        #expect(again > 4_000)
    }

    private func window(of rules: Dedup) -> UInt32 {
        switch rules {
        case .bitmap(let window), .set(let window): window
        default: 0
        }
    }

    /// Broken: keys outside the window. A bitmap treats a number below its window as a duplicate, even if it never
    /// arrived. A set treats a key that it has forgotten as new (RFC 4303 §3.4.3).
    @Test func errsOutsideItsWindow() {
        let bitmap = DedupHarness(.bitmap(window: 100))
        let set = DedupHarness(.set(window: 100))
        for key in 0..<1_000 as Range<UInt32> where key != 10 {
            _ = bitmap.admits(key)
            _ = set.admits(key)
        }
        #expect(!bitmap.admits(10) && set.admits(10))
        #expect(!bitmap.admits(20) && set.admits(20))
    }

    /// Broken: "1000 messages or 5 minutes, whichever is larger" differs, at some rate, from a plain list of all
    /// keys. Or the table does not grow with the keys of that time. At every third step, an older key repeats.
    @Test func keepsTheLargerOfCountAndTime() {
        var byNumber = 0
        var byAge = 0
        var forgotten = 0
        seedSweep(30) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(3), purpose: .test)
            func below(_ bound: UInt64) -> Int64 { Int64(dice.next().scaled(below: bound)) }
            let window = UInt32(below(2) * (1 + below(100)))
            let time = TimeSpan.seconds(1 + below(60))
            let memory = DedupHarness(.lasting(window: window, time: time))
            var kept: [(key: UInt32, at: Instant)] = []
            var now = Instant.zero
            var fresh: UInt32 = 0
            for step in 0..<600 {
                now += .milliseconds(below(1_000))
                let key = step % 3 == 2 ? fresh - UInt32(below(UInt64(fresh))) - 1 : fresh
                if key == fresh { fresh += 1 }
                while kept.count > Int(window), now - kept[0].at > time { kept.removeFirst() }
                let isNew = !kept.contains { $0.key == key }
                #expect(memory.admits(key, at: now) == isNew, "seed \(seed), step \(step)")
                if isNew { kept.append((key, now)) }
                if isNew, key + 1 < fresh { forgotten += 1 }
                if !isNew { if now - kept[0].at > time { byNumber += 1 } else { byAge += 1 } }
                while kept.count > Int(window), now - kept[0].at > time { kept.removeFirst() }
                #expect(Int(memory.memory.count) == kept.count && Int(memory.memory.peakCount) >= kept.count)
            }
        }
        #expect(byNumber > 0 && byAge > 0 && forgotten > 0)
    }

    /// Broken: a jump beyond the window leaves old bits behind, so new numbers count as duplicates.
    @Test func aJumpEmptiesTheWindow() {
        let memory = DedupHarness(.bitmap(window: 100))
        for key in 0..<100 as Range<UInt32> { _ = memory.admits(key) }
        #expect(memory.admits(350))
        for key in 251..<350 as Range<UInt32> { #expect(memory.admits(key)) }
        #expect(!memory.admits(250))
    }

    /// Broken: the error rate of the WebSocket article's filter of 512 bytes is 1 in 1,000. With a thousand messages
    /// and the best number of hashes it is 14 in 100. An error rate of 1 in 1,000 takes 1,798 bytes and ten hashes.
    @Test(arguments: [(4_096, 3, 1_000, 120, 160), (4_096, 3, 284, 1, 12), (14_384, 10, 1_000, 0, 3)])
    func aBloomFilterHasTheExpectedErrorRate(bits: UInt32, hashes: UInt8, keys: UInt32, least: Int, most: Int) {
        // In thousandths of 40,000 keys that never arrived, over 20 sessions.
        var mistaken = 0
        for session in 0..<20 as Range<UInt64> {
            let memory = DedupHarness(.bloom(bits: bits, hashes: hashes, keys: nil))
            var key: UInt32 = 0
            while memory.memory.count < keys {
                _ = memory.admits(key, salt: session)
                key += 1
            }
            for probe in 0..<2_000 as Range<UInt32> {
                var copy = memory.memory
                // A probe must not change the filter: the words are saved before it, and restored after it.
                let before = Array(memory.words)
                if !copy.admits(1_000_000 + probe, memory.rules, at: .zero, salt: session, &memory.words) {
                    mistaken += 1
                }
                for index in before.indices { memory.words[index] = before[index] }
            }
        }
        #expect(mistaken / 40 >= least && mistaken / 40 <= most, "\(mistaken) of 40,000")
    }

    /// Broken: the memory that a scenario accounts for (clients.md of the sources: 125 B of bits instead of 16 kB of
    /// UUIDs; a Swift set of a thousand has 2,048 slots).
    @Test func takesTheMemoryThatItReports() {
        #expect(Dedup.bitmap(window: 1_000).bytes == 8 + 125)
        #expect(Dedup.set(window: 1_000).bytes == 2_048 * 16 + 256)
        #expect(Dedup.bloom(bits: 4_096, hashes: 3, keys: nil).bytes == 512)
        // 3,000 keys, from five minutes at ten a second, take 4,096 slots, each with the time of its key.
        let lasting = Dedup.lasting(window: 1_000, time: .minutes(5))
        #expect(lasting.bytes == 2_048 * 24 + 256 && lasting.bytes(holding: 3_000) == 4_096 * 24 + 512)
        #expect(Dedup.none.bytes == 0 && Dedup.none.words == 0)
    }

    /// Broken: a history keeps one message too many or too few.
    @Test func aHistoryKeepsByNumberAndTime() {
        var history = History()
        #expect(history.keeps(age: .hours(1_000), newer: 1_000_000))
        history.messages = 5
        #expect(history.keeps(age: .zero, newer: 4) && !history.keeps(age: .zero, newer: 5))
        history.time = .minutes(5)
        #expect(history.keeps(age: .minutes(5), newer: 0) && !history.keeps(age: .milliseconds(300_001), newer: 0))
    }
}
