import DeadzoneTestKit
import Testing

@testable import DeadzoneBase

/// Names, units, bytes and bounds of the small types, row by row.
struct PrimitiveTableTests {
    @Test func everyNameIsItsOwn() {
        // Broken: a report, a trace or a metric has the name of another cause or state.
        #expect(
            Cause.allCases.map { "\($0.name)" } == [
                "baseline", "payload", "keepalive", "pong", "ack", "connect", "tls", "dns", "resume", "retransmit",
                "poll", "push", "wake", "other_apps", "handover", "search", "probe", "tunnel",
            ])
        #expect(
            PowerLevel.allCases.map { "\($0.name) \($0.state.name) \($0.isAtRest)" } == [
                "unassociated idle true", "idle idle true", "search search true", "promotion promotion false",
                "second_promotion promotion false", "active_down active false", "active_up active false",
                "tail tail false",
                "short_drx short_drx false", "long_drx long_drx false", "second_tail tail false",
                "inactive inactive false", "handover handover false", "fach fach false", "dch dch false",
                "active_high active false", "fach_promotion promotion false", "power_saving power_saving true",
            ])
        #expect(
            RadioState.allCases.map { "\($0.name)" } == [
                "idle", "search", "promotion", "active", "tail", "short_drx", "long_drx", "inactive", "handover", "dch",
                "fach", "power_saving",
            ])
        #expect(
            Direction.allCases.map(\.name) == ["up", "down"] && Interface.common.map(\.name) == ["wifi", "cellular"]
                && Interface.common.map(\.title) == ["Wi-Fi", "cellular"])
        #expect(PhoneID(1) < PhoneID(2) && !(PhoneID(2) < PhoneID(2)) && PhoneID(3).index == 3)
        #expect(
            plural(1, "wait") == "1 wait" && plural(0, "wait") == "0 waits"
                && plural(2, "entry", "entries") == "2 entries" && plural(1, "entry", "entries") == "1 entry")
        #expect(
            (0..<6).map(Purpose.otherApp) == [
                .firstOtherApp, .secondOtherApp, .thirdOtherApp, .fourthOtherApp, .fourthOtherApp, .fourthOtherApp,
            ])
        let privileges = AppPrivileges(isExempt: true, requestsTime: false)
        #expect(privileges.isExempt && !privileges.requestsTime)
    }

    @Test func everyInterfaceHasItsRow() {
        // Broken: a carrier's data counts as free, or a phone selects another network than its system does.
        #expect(
            Interface.allCases.map { "\($0.rawValue) \($0.name) \($0.title) \($0.isCellular)" } == [
                "0 wifi Wi-Fi false", "1 cellular cellular true", "2 bluetooth Bluetooth false",
                "3 sim2 second SIM true", "4 ethernet Ethernet false",
            ])
        #expect(Interface.byPreference == [.ethernet, .wifi, .bluetooth, .cellular, .sim2])
        #expect(Interface.further == [.bluetooth, .sim2, .ethernet])
        let counts: [([Interface], Int)] = [
            ([], 2), ([.wifi], 2), ([.cellular], 2), ([.bluetooth], 3), ([.sim2, .wifi], 4), ([.wifi, .ethernet], 5),
        ]
        for (interfaces, count) in counts {
            #expect(Array(Interfaces(including: interfaces)) == Array(Interface.allCases[..<count]), "\(interfaces)")
        }
    }

    @Test func timesHaveTheirUnits() {
        // Broken: a unit of time has another length, or arithmetic does not saturate.
        #expect(
            [TimeSpan.nanoseconds(3), .microseconds(3), .milliseconds(3), .seconds(3), .minutes(3), .hours(3)].map(
                \.nanoseconds) == [3, 3_000, 3_000_000, 3_000_000_000, 180_000_000_000, 10_800_000_000_000])
        #expect(
            TimeSpan.zero.nanoseconds == 0 && TimeSpan.longest.nanoseconds == .max && TimeSpan.seconds(1) < .seconds(2)
                && !(TimeSpan.seconds(2) < .seconds(2)))
        #expect(
            TimeSpan.seconds(1) + .seconds(2) == .seconds(3) && TimeSpan.longest + .nanoseconds(1) == .longest
                && TimeSpan(nanoseconds: .min) + TimeSpan(nanoseconds: -1) == TimeSpan(nanoseconds: .min))
        #expect(TimeSpan.seconds(9) / 2 == .milliseconds(4_500) && TimeSpan.seconds(2) * -3 == .seconds(-6))
        var span = TimeSpan.seconds(5)
        span += .seconds(2)
        span -= .seconds(3)
        #expect(span == .seconds(4))
        #expect(
            Instant.zero.nanoseconds == 0 && Instant.never.nanoseconds == .max && Instant.zero < .never
                && !(Instant.zero < .zero))
        #expect(
            Instant.zero + .seconds(2) - Instant(nanoseconds: 500_000_000) == .milliseconds(1_500)
                && Instant.never + .seconds(1) == .never)
        #expect((Instant.zero + .seconds(2)) - .seconds(3) == Instant(nanoseconds: -1_000_000_000))
        var instant = Instant(nanoseconds: 7)
        instant += .nanoseconds(3)
        #expect(instant.nanoseconds == 10)
    }

    @Test func energiesAddUp() {
        // Broken: an energy or a power is multiplied by another factor.
        #expect(
            Power.milliwatts(2).femtojoules == 2_000 && Power.microwatts(2).femtojoules == 2
                && Power.milliwatts(2).cycle == 1)
        let (a, b) = (Energy(femtojoules: 5), Energy(femtojoules: 3))
        var sum = a
        sum += b
        #expect(
            a + b == Energy(femtojoules: 8) && a - b == Energy(femtojoules: 2) && sum == a + b && b < a && !(a < a)
                && Energy.zero.femtojoules == 0)
        #expect(BitCost(femtojoules: 3).energy(ofBytes: 5).femtojoules == 120 && BitCost.zero.femtojoules == 0)
    }

    @Test func numbersHaveTheirBytes() {
        // Broken: a file of an earlier build is read as other numbers.
        func bytes(_ body: (inout BinaryCoder) -> Void) -> [UInt8] {
            var coder = BinaryCoder()
            body(&coder)
            return coder.bytes
        }
        let numbers: [(Int128, [UInt8])] = [
            (0, [0]), (-1, [1]), (1, [2]), (63, [126]), (-64, [127]), (64, [128, 1]), (-65, [129, 1]),
            (8_191, [254, 127]), (8_192, [128, 128, 1]), (.max, [254] + Array(repeating: 255, count: 17) + [3]),
            (.min, [255] + Array(repeating: 255, count: 17) + [3]),
        ]
        for (number, expected) in numbers {
            var own = number
            let written = bytes { $0.code(&own) }
            #expect(written == expected, "\(number): \(written)")
            var (coder, read) = (BinaryCoder(reading: written), Int128(99))
            coder.code(&read)
            #expect(read == number && coder.isFullyRead, "\(number)")
        }
        var (row, growing, text, texts, optional, none, blob) = (
            [Int64](arrayLiteral: 0, 5, 0, -1), [UInt8](arrayLiteral: 7), "é", ["a", ""], Int8?(9), Int8?.none,
            [UInt8](arrayLiteral: 1, 2)
        )
        let written = bytes {
            $0.code(&row)
            $0.code(growing: &growing)
            $0.code(&text)
            $0.code(texts: &texts)
            $0.code(optional: &optional)
            $0.code(optional: &none)
            $0.code(blob: &blob)
        }
        #expect(
            written == [8, 4, 2, 10, 4, 1, 2, 2, 0, 14, 4, 0xC3, 0xA9, 4, 2, 97, 0, 2, 18, 0, 4, 1, 2], "\(written)")
    }

    /// The value that a coder reads from these bytes, and whether it marks them as corrupt.
    private func read(_ bytes: [UInt8], _ body: (inout BinaryCoder) -> String) -> String {
        var coder = BinaryCoder(reading: bytes)
        let text = body(&coder)
        return text + (coder.isCorrupt ? " corrupt" : coder.isFullyRead ? "" : " more")
    }

    @Test func damagedBytesAreRefused() {
        // Broken: a count or a number that cannot be is read, or everything after it is read as something.
        func number<Number: FixedWidthInteger>(_ type: Number.Type) -> (inout BinaryCoder) -> String {
            { coder in
                var own = Number(7)
                coder.code(&own)
                return "\(own)"
            }
        }
        #expect(
            read([], number(Int.self)) == "0 corrupt" && read([128], number(Int.self)) == "0 corrupt"
                && read([2, 0], number(Int.self)) == "1 more")
        #expect(
            read([254, 3], number(UInt8.self)) == "255" && read([128, 4], number(UInt8.self)) == "0 corrupt"
                && read([1], number(UInt8.self)) == "0 corrupt")
        #expect(
            read(Array(repeating: 128, count: 18) + [0], number(Int128.self)) == "0"
                && read(Array(repeating: 128, count: 19) + [0], number(Int128.self)) == "0 corrupt")
        func growing(_ coder: inout BinaryCoder) -> String {
            var own: [UInt8] = [9]
            coder.code(growing: &own)
            return "\(own)"
        }
        #expect(
            read([4, 2, 2, 6], growing) == "[0, 3]" && read([4, 4, 0, 6, 2, 6], growing) == "[3, 3]"
                && read([0, 0], growing) == "[]")
        #expect(
            read([4, 2, 4, 6], growing) == "[0, 0] corrupt" && read([1, 0], growing) == "[] corrupt"
                && read([4, 2, 2, 1], growing) == "[0, 0] corrupt")
        #expect(
            read([4, 10, 2, 6], growing) == "[0, 0] corrupt" && read([4, 1, 2, 6], growing) == "[0, 0] corrupt"
                && read([4, 2, 1, 6], growing) == "[0, 0] corrupt")
        func row(_ coder: inout BinaryCoder) -> String {
            var own: [UInt8] = [9, 9]
            coder.code(&own)
            return "\(own)"
        }
        #expect(
            read([4, 0], row) == "[0, 0]" && read([2, 0], row) == "[0, 0] corrupt"
                && read([6, 0], row) == "[0, 0] corrupt")
    }

    @Test func damagedTextsAreRefused() {
        // Broken: a text that is cut or is not UTF-8 is read.
        func blob(_ coder: inout BinaryCoder) -> String {
            var own: [UInt8] = [9]
            coder.code(blob: &own)
            return "\(own)"
        }
        #expect(
            read([4, 1, 2], blob) == "[1, 2]" && read([6, 1, 2], blob) == "[] corrupt"
                && read([1], blob) == "[] corrupt" && read([0], blob) == "[]" && read([2, 1, 2], blob) == "[1] more")
        func blobs(_ coder: inout BinaryCoder) -> String {
            var own: [[UInt8]] = []
            coder.code(blobs: &own)
            return "\(own)"
        }
        #expect(
            read([4, 2, 7, 0], blobs) == "[[7], []]" && read([4, 2, 7], blobs) == "[[7], []] corrupt"
                && read([6, 0, 0], blobs) == "[] corrupt" && read([1], blobs) == "[] corrupt")
        func text(_ coder: inout BinaryCoder) -> String {
            var own = "x"
            coder.code(&own)
            return own
        }
        #expect(read([4, 0xC3, 0xA9], text) == "é" && read([2, 0xC3], text) == "x corrupt")
        func texts(_ coder: inout BinaryCoder) -> String {
            var own = ["x"]
            coder.code(texts: &own)
            return "\(own)"
        }
        #expect(read([4, 2, 97, 2, 0xC3], texts) == "[\"a\"] corrupt" && read([2, 2, 97], texts) == "[\"a\"]")
    }

    @Test func damagedOptionsAreRefused() {
        // Broken: a value that may be missing is read though its mark cannot be.
        func optional(_ coder: inout BinaryCoder) -> String {
            var own: Int8? = 5
            coder.code(optional: &own)
            return "\(own.map { "\($0)" } ?? "nil")"
        }
        #expect(
            read([0], optional) == "nil" && read([2, 14], optional) == "7" && read([4, 14], optional) == "nil more"
                && read([2], optional) == "0 corrupt")
        #expect(
            read(
                [2],
                { coder in
                    coder.require(false); return ""
                }) == " corrupt"
                && read(
                    [],
                    { coder in
                        coder.require(true); return ""
                    }
                ).isEmpty)
        var writing = BinaryCoder()
        writing.require(false)
        #expect(
            !writing.isCorrupt && !writing.isFullyRead && BinaryCoder.validCounts == 0...8_796_093_022_208
                && BinaryCoder.validSums == 0...(1 << 76))
    }

    @Test func charactersThatActAreEscaped() {
        // Broken: a character that a terminal or a runner obeys is printed.
        for value in UInt32(0)..<0x3000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let hidden: Set<Unicode.GeneralCategory> = [
                .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned,
            ]
            let isPlain =
                !hidden.contains(scalar.properties.generalCategory) && !scalar.properties.isDefaultIgnorableCodePoint
            #expect(TerminalEscaper.isPlain(scalar) == isPlain, "\(value)")
            #expect(
                "a\(scalar)b".escapedForTerminal == (isPlain ? "a\(scalar)b" : "a\\u{\(String(value, radix: 16))}b"),
                "\(value)")
        }
        let table: [(String, String)] = [
            ("", ""), ("::a", "\\u{3a}:a"), (":", ":"), (":a:", ":a:"), ("a ::b", "a \\u{3a}:b"),
            ("a\u{A0}::b", "a\u{A0}\\u{3a}:b"), ("a:: b", "a:: b"), ("#[", "#["), ("##[", "##\\u{5b}"),
            ("###[", "###\\u{5b}"), ("# #[", "# #["), ("##vso[", "##vso\\u{5b}"), ("##vs[", "##vs["),
            ("##vsoo[", "##vsoo["),
            ("##v##[", "##v##\\u{5b}"), ("##vso##[", "##vso##\\u{5b}"), ("##[##[", "##\\u{5b}##\\u{5b}"),
            ("#vso[", "#vso["), ("##x[", "##x["), ("##v[", "##v["),
        ]
        for (text, expected) in table {
            #expect(text.escapedForTerminal == expected, "\(text): \(text.escapedForTerminal)")
        }
    }

    @Test func distributionsHaveTheirEnds() {
        // Broken: a draw at an end or in the middle of a distribution is another value, or its parameters are exchanged.
        let draws: [(Distribution, [Int64])] = [
            (.constant(7), [7, 7, 7]), (.uniform(10, 19), [10, 15, 19]), (.uniform(-5, 5), [-5, 0, 5]),
            (.uniform(.min, .max), [.min, 0, .max]), (.exponential(mean: 1_000_000), [0, 693_147, 43_668_272]),
            (.normal(mean: 1_000, deviation: 100), [92, 1_000, 1_908]),
            (.logNormal(median: 1_000_000, sigmaPPM: 500_000), [10_673, 1_000_000, 93_698_067]),
            (.pareto(scale: 1_000, shapePPM: 2_000_000), [1_000, 1_414, 4_294_967_296_000]),
            (.table([Quantile(.zero, 10), Quantile(ppm: 500_000, 20), Quantile(.one, 100)]), [10, 20, 100]),
        ]
        for (law, expected) in draws {
            let found = [0, 1 << 63, UInt64.max].map(law.draw)
            for (one, other) in zip(found, expected) {
                #expect(
                    (Double(one) - Double(other)).magnitude <= max(1, Double(other).magnitude / 50), "\(law): \(found)")
            }
        }
        #expect(
            Distribution.constant(7).constant == 7 && Distribution.uniform(7, 7).draw(3) == 7
                && Distribution.exponential(mean: 7).constant == nil)
        let laws: [Distribution] = draws.map(\.0)
        #expect(
            laws.map { "\($0.law)".prefix { $0 != "(" } } == [
                "constant", "uniform", "uniform", "uniform", "exponential", "normal", "logNormal", "pareto", "table",
            ])
        for law in laws {
            switch law.law {
            case .constant(let value): #expect(value == 7)
            case .uniform(let low, let high): #expect(low < high)
            case .exponential(let mean): #expect(mean == 1_000_000)
            case .normal(let mean, let deviation): #expect(mean == 1_000 && deviation == 100)
            case .logNormal(let median, let sigma): #expect(median == 1_000_000 && sigma == 500_000)
            case .pareto(let scale, let shape): #expect(scale == 1_000 && shape == 2_000_000)
            case .table(let quantiles): #expect(quantiles.map(\.value) == [10, 20, 100])
            }
        }
        let steps = Distribution.table([
            Quantile(.zero, 0), Quantile(ppm: 250_000, 100), Quantile(ppm: 250_000, 200), Quantile(ppm: 750_000, 300),
            Quantile(.one, 301),
        ])
        let parts: [(Double, Int64)] = [
            (0, 0), (0.125, 50), (0.2499, 100), (0.25, 200), (0.5, 250), (0.75, 300), (0.875, 301), (0.99, 301),
        ]
        for (part, value) in parts { #expect(steps.draw(UInt64(part * 0x1p64)) == value, "\(part)") }
    }

    @Test func addressesOfDrawsAreTheirOwn() {
        // Broken: two phones, purposes or slots share a draw.
        var seen: Set<UInt64> = []
        for phone in UInt32(0)..<3 {
            for purpose in [Purpose.strategy, .trafficDown, .highest] {
                var dice = Dice(seed: 9, phone: PhoneID(phone), purpose: purpose)
                for slot in UInt64(0)..<3 {
                    let word = dice.at(slot)
                    #expect(dice.next() == word && dice.pair(at: slot).0 == word && seen.insert(word).inserted)
                    #expect(
                        Philox.block(key: 9, counter: (slot, UInt64(phone) << 16 | UInt64(purpose.rawValue)))
                            == dice.pair(at: slot))
                }
            }
        }
        #expect(
            Dice.FixedDraw.allCases.allSatisfy { Dice(fixed: $0).fixedDraw == $0 }
                && Dice(seed: 0, phone: PhoneID(0), purpose: .test).fixedDraw == nil)
        #expect(
            Dice.FixedDraw.usual.rawValue == Purpose.usual.rawValue
                && Dice.FixedDraw.highest.rawValue == Purpose.highest.rawValue)
        #expect(
            UInt64(9).seed(ofReplica: 0) == 9
                && UInt64(9).seed(ofReplica: 1) == Philox.block(key: 9, counter: (1, .max)).0)
        #expect(
            UInt64.max.scaled(below: 10) == 9 && UInt64(0).scaled(below: 10) == 0
                && (UInt64(1) << 63).scaled(below: 10) == 5)
        #expect(
            Probability(1, of: 2).halves == 1 << 62 && Probability.one.hits(.max) && !Probability.zero.hits(0)
                && Probability(1, of: 2).hits(1 << 63 - 1) && !Probability(1, of: 2).hits(1 << 63))
        #expect(
            Probability(1, of: 3).halves == 3_074_457_345_618_258_602 && Probability.zero < .one
                && !(Probability.one < .one))
    }
}
