import DeadzoneTestKit
import Testing
@testable import DeadzoneBase

/// Every kind of setting: what it reads, what it resolves, what it describes, and each fault with its place.
struct ReaderPartsTests {
    private static func map(_ entries: [(String, Node)], line: Int = 1) -> Node {
        let marked = entries.enumerated().map { index, entry in
            Node.MapEntry(key: entry.0, keyMark: SourceMark(line: line, column: 10 * index + 1), value: entry.1)
        }
        return Node(.map(marked), at: SourceMark(line: line, column: 1))
    }

    private func map(_ entries: (String, Node)...) -> Node { Self.map(entries) }

    private func text(_ text: String, _ column: Int = 5) -> Node {
        Node(.scalar(text, quoted: false), at: SourceMark(line: 1, column: column), width: text.utf8.count)
    }

    private func list(_ items: Node...) -> Node { Node(.list(items), at: SourceMark(line: 1, column: 3)) }

    /// The value, the canonical text and the faults of a map that `body` reads.
    private func read<Value>(_ node: Node, _ body: (inout SettingsReader) -> Value) -> String {
        var settings = SettingsReader(node, of: "client")
        let value = body(&settings)
        settings.finish()
        let faults = settings.faults.sorted.map { fault in
            "\n  \(fault.code.rawValue) \(fault.mark.line):\(fault.mark.column)+\(fault.width) \(fault.message) | \(fault.label) | \(fault.help)"
        }
        return "\(flowText(node)) -> \(value) \(flowText(settings.resolved))\(faults.joined())"
    }

    @Test func plainSettingsAreReadInEveryForm() {
        // Broken: a kind of setting reads, resolves or defaults to another value.
        func every(_ settings: inout SettingsReader) -> [String] {
            [
                "\(settings.span("span", default: .seconds(1), in: .zero ... .seconds(9), "a span").nanoseconds)",
                "\(settings.span("span2", "")?.nanoseconds ?? -1)",
                "\(settings.size("size", default: 2, in: 1...9, "a size"))", "\(settings.size("size2") ?? -1)",
                "\(settings.count("count", default: 3, in: 1...9, "a count"))",
                "\(settings.count("count2") ?? -1)",
                "\(settings.probability("probability", default: .one, "a probability") == .one)",
                "\(settings.probability("probability2") == .zero)",
                "\(settings.ratio("ratio", default: 500_000, "a ratio"))", "\(settings.ratio("ratio2") ?? -1)",
                "\(settings.value("power", .quantity(.power), default: 4, "a power"))",
                "\(settings.value("power2", .quantity(.power)) ?? -1)",
                "\(settings.value("cost", .cost, default: BitCost(femtojoules: 5), "a cost").femtojoules)",
                "\(settings.value("cost2", .cost)?.femtojoules ?? -1)",
                "\(settings.value("rate", .quantity(.rate), default: 6, "a rate"))",
                "\(settings.rate("rate2") ?? -1)", "\(settings.flag("flag", default: true, "a flag"))",
                "\(settings.flag("flag2").map { "\($0)" } ?? "-")",
                "\(settings.word("word", of: [("a", 1), ("b", 2)], default: 2, "a word"))",
                "\(settings.word("word2", of: [("a", 1), ("b", 2)]) ?? -1)",
                settings.text("text", default: "t", "a text"),
                settings.text("text2") ?? "-",
                "\(settings.distribution("law", .span, default: .constant(7), "a law") == .constant(7))",
                "\(settings.distribution("law2", .size) == .constant(8))",
            ]
        }
        let written = map(
            ("span", text("2s")), ("span2", text("3s")), ("size", text("4B")), ("size2", text("5B")),
            ("count", text("6")), ("count2", text("7")), ("probability", text("0.5")),
            ("probability2", text("0")), ("ratio", text("25%")), ("ratio2", text("75%")), ("power", text("8mW")),
            ("power2", text("9mW")), ("cost", text("10fJ/bit")), ("cost2", text("11fJ/bit")),
            ("rate", text("12bps")), ("rate2", text("13bps")), ("flag", text("false")), ("flag2", text("true")),
            ("word", text("a")), ("word2", text("b")), ("text", text("x")), ("text2", text("y")),
            ("law", text("1s")), ("law2", text("8B")))
        expectText(
            [read(map(), every), read(written, every)].joined(separator: "\n"),
            #"""
            {} -> ["1000000000", "-1", "2", "-1", "3", "-1", "true", "false", "500000", "-1", "4", "-1", "5", "-1", "6", "-1", "true", "-", "2", "-1", "t", "-", "true", "false"] {cost: 5fJ/bit, count: 3, flag: true, law: 7ns, power: 4uW, probability: 1, rate: 6bps, ratio: 50%, size: 2B, span: 1s, text: "t", word: b}
            {span: 2s, span2: 3s, size: 4B, size2: 5B, count: 6, count2: 7, probability: 0.5, probability2: 0, ratio: 25%, ratio2: 75%, power: 8mW, power2: 9mW, cost: 10fJ/bit, cost2: 11fJ/bit, rate: 12bps, rate2: 13bps, flag: false, flag2: true, word: a, word2: b, text: x, text2: y, law: 1s, law2: 8B} -> ["2000000000", "3000000000", "4", "5", "6", "7", "false", "true", "250000", "750000", "8000", "9000", "10", "11", "12", "13", "false", "true", "1", "2", "x", "y", "false", "true"] {cost: 10fJ/bit, cost2: 11fJ/bit, count: 6, count2: 7, flag: false, flag2: true, law: 1s, law2: 8B, power: 8mW, power2: 9mW, probability: 0.5, probability2: 0, rate: 12bps, rate2: 13bps, ratio: 25%, ratio2: 75%, size: 4B, size2: 5B, span: 2s, span2: 3s, text: "x", text2: "y", word: a, word2: b}
            """#)
        var describing = SettingsReader.describing("client")
        _ = every(&describing)
        expectText(
            describing.shape.rows.map { "\($0.path): \($0.takes); \($0.help)" }.joined(separator: "\n"),
            ReaderPartsExpected.plainSettingsAreReadInEveryFormText)
        #expect(describing.resolved.entries?.count == 12 && describing.isDescribing && describing.faults.isEmpty)
    }

    @Test func partsAreReadInEveryForm() {
        // Broken: a part reads another value, leaves a fault out, or resolves to another text.
        typealias Body = (inout SettingsReader) -> String
        let part: (inout SettingsReader) -> String = { "\($0.count("n", default: 1, in: 0...9, "number"))" }
        let bodies: [(String, Body)] = [
            ("section", { $0.section("a", "help", read: part) ?? "-" }),
            ("group", { $0.group("a", "help", read: part) }),
            ("either", { $0.either("a", "help", plain: ValueFormat<String>.text, map: part) ?? "-" }),
            ("list", { "\($0.list("a", of: ValueFormat<Int64>.count(), counts: 1...2, "help") ?? [-1])" }),
            (
                "maps",
                {
                    ($0.list("a", counts: 1...2, "help") { settings, index in "\(index):" + part(&settings) } ?? ["-"])
                        .joined(separator: ",")
                }
            ),
            (
                "named",
                {
                    ($0.namedSections("a", noun: "thing", atMost: 2, "help") { entry, settings in
                        entry.key + part(&settings)
                    } ?? [("-", "-")]).map { "\($0.name)=\($0.value)" }.joined(separator: ",")
                }
            ),
            ("many", { ($0.oneOrMany("a", counts: 1...2, "help", read: part) ?? ["-"]).joined(separator: ",") }),
            ("required", { "\($0.required("a", ValueFormat<Int64>.count(in: 1...9), standIn: 7, "help"))" }),
            ("custom", { settings in settings.custom("a", "help", isRequired: true) { .text }.map(flowText) ?? "-" }),
        ]
        let values: [Node?] = [
            nil, text("~"), text("5"), text("x"), map(), map(("n", text("2"))),
            map(("n", text("99")), ("m", text("1"))), list(), list(text("1"), text("2")),
            list(text("1"), text("2"), text("3")),
            list(map(("n", text("3"))), map(("x-own", text("1")))),
            map(("q", map(("n", text("4")))), ("b", map(("o", text("1"))))),
            map(("c", map()), ("d", map()), ("e", map())), map(("x-a", text("1")), ("c", text("1"))),
        ]
        let all = bodies.flatMap { name, body in
            ["# \(name)"] + values.map { value in read(Self.map(value.map { [("a", $0)] } ?? []), body) }
        }
        let half = 5 * (values.count + 1)
        expectText(
            all.prefix(half).joined(separator: "\n"),
            ReaderPartsExpected.partsAreReadInEveryFormText1)
        expectText(
            all.dropFirst(half).joined(separator: "\n"),
            ReaderPartsExpected.partsAreReadInEveryFormText2)
        let rows = bodies.map { name, body -> String in
            var settings = SettingsReader.describing("client")
            _ = body(&settings)
            return "\(name): "
                + settings.shape.rows.map { "\($0.depth) \($0.path): \($0.takes); \($0.help)" }.joined(separator: " / ")
                + " \(settings.faults.count)"
        }
        expectText(
            rows.joined(separator: "\n"),
            ReaderPartsExpected.partsAreReadInEveryFormText3)
    }

    @Test func variantsDecideTheirKeys() {
        // Broken: a variant reads the keys of another one, or an unknown word hides its fault among others.
        func body(_ settings: inout SettingsReader) -> String {
            let found = settings.variant(
                "kind", or: "preset",
                of: [
                    SettingVariant("calm", "waits", presets: { [Shape.Keyword(name: "asleep", about: "sleeps")] }) {
                        $0.count("tries", default: 3, "attempts")
                    },
                    SettingVariant("wild", "does not wait") { $0.count("speed", default: 9, "how fast") },
                ], file: .text, unknown: .unknownStrategy, noun: "client", "which one")
            return found.map { "\($0.name) \($0.value)" } ?? "-"
        }
        let nodes = [
            map(), map(("kind", text("calm"))), map(("preset", text("asleep")), ("tries", text("5"))),
            map(("kind", text("wild")), ("preset", text("calm"))), map(("kind", text("clam")), ("odd", text("1"))),
            map(("kind", text("")), ("odd", text("1"))), map(("kind", list()), ("odd", text("1"))),
            map(("kind", text("wild")), ("tries", text("1"))), map(("odd", text("1"))), map(("kind", text("far-away"))),
        ]
        expectText(
            nodes.map { read($0, body) }.joined(separator: "\n"),
            #"""
            {} -> - {}
              E0101 1:1+1 `kind` is missing | client needs `kind` | `kind` is the name of a client: calm, asleep, wild
            {kind: calm} -> calm 3 {kind: calm, tries: 3}
            {preset: asleep, tries: 5} -> asleep 5 {kind: asleep, tries: 5}
            {kind: wild, preset: calm} -> wild 9 {kind: wild, speed: 9}
              E0215 1:11+6 `kind` and `preset` | one of them is enough | 
            {kind: clam, odd: 1} -> - {}
              E0202 1:5+4 unknown client `clam` | did you mean `calm`? | known: calm, asleep, wild
            {kind: "", odd: 1} -> - {}
              E0103 1:5+0 a value is missing | expected the name of a client | remove the key to have the default
            {kind: [], odd: 1} -> - {}
              E0102 1:3+1 a list where the name of a client is expected | expected the name of a client | 
            {kind: wild, tries: 1} -> wild 9 {kind: wild, speed: 9}
              E0104 1:11+5 unknown setting `tries` | not known here | client takes kind, preset, speed
            {odd: 1} -> - {}
              E0101 1:1+1 `kind` is missing | client needs `kind` | `kind` is the name of a client: calm, asleep, wild
            {kind: far-away} -> - {}
              E0202 1:5+8 unknown client `far-away` | not known here | known: calm, asleep, wild
            """#)
        var settings = SettingsReader.describing("client")
        _ = body(&settings)
        expectText(
            settings.shape.rows.map { "\($0.depth) \($0.path) [\($0.key)]: \($0.takes); \($0.help)" }.joined(
                separator: "\n"),
            #"""
            0 kind [kind]: calm|asleep|wild or text; which one
            0 preset [preset]: calm|asleep|wild or text; which one
            0 calm [kind: calm]: ; waits
            1 calm.tries [tries]: a number, default 3; attempts
            0 wild [kind: wild]: ; does not wait
            1 wild.speed [speed]: a number, default 9; how fast
            """#)
        #expect(settings.shape.fields.map(\.key) == ["kind", "preset", "tries", "speed"])
        #expect(
            Shape.list(settings.shape, counts: 0...1).fields.count == 4
                && Shape.either([settings.shape, .text]).fields.count == 4 && Shape.text.fields.isEmpty)
        #expect(Shape.map(MapShape(userKeyShape: settings.shape)).fields.count == 4)
    }

    @Test func ownNamesAreBounded() {
        // Broken: one name too many is read, or a refused name is.
        func body(_ settings: inout SettingsReader) -> String {
            settings.userKeys(of: ValueFormat<Int64>.count(in: 0...5), atMost: 2) { entry, _ in entry.key != "no" }.map
            { "\($0.name)@\($0.mark.column)=\($0.value)" }.joined(separator: ",")
        }
        let nodes = [
            map(), map(("a", text("1")), ("x-b", text("9"))), map(("a", text("1")), ("no", text("2"))),
            map(("a", text("9")), ("b", text("2"))), map(("a", text("1")), ("b", text("2")), ("c", text("3"))),
        ]
        expectText(
            nodes.map { read($0, body) }.joined(separator: "\n"),
            #"""
            {} ->  {}
            {a: 1, x-b: 9} -> a@1=1 {a: 1}
            {a: 1, no: 2} -> a@1=1 {a: 1}
            {a: 9, b: 2} -> b@11=2 {b: 2}
              E0108 1:5+1 `9` is out of range | must be from 0 to 5 | 
            {a: 1, b: 2, c: 3} ->  {}
              E0116 1:1+1 3 entries | at most 2 | 
            """#)
    }

    @Test func contradictionsAreNoted() {
        // Broken: a setting that has no effect is accepted, or the note stands at another key.
        let node = map(("a", text("1")), ("bc", text("2")))
        let bodies: [(inout SettingsReader) -> String] = [
            {
                $0.refuse("a", without: "b"); return ""
            },
            {
                $0.refuse("bc", without: "b"); return ""
            },
            {
                $0.refuse("z", without: "b"); return ""
            },
            {
                $0.refuse(["z", "bc", "a"], "has no effect", label: "remove it"); return ""
            },
            {
                "\($0.has("a")) \($0.has("z")) \($0.hasOnly(["a", "bc"])) \($0.hasOnly(["a"])) \(flowText($0.peek("bc") ?? .text("-"))) \($0.written) \($0.mark(of: "bc").column) \($0.mark(of: "z").column)"
            },
            {
                $0.resolve("q", to: .text("1")); $0.resolve("p", to: .text("2")); $0.omitFromResolved(["q"]); return ""
            },
            {
                let part = $0.read(.map([]), of: "part") { $0.count("n", default: 4) }
                return "\(part.value) \(flowText(part.resolved))"
            },
            { "\($0.parse(.text("x"), ValueFormat<Int64>.count()) ?? -1)" },
        ]
        expectText(
            bodies.map { read(node, $0) }.joined(separator: "\n"),
            ReaderPartsExpected.contradictionsAreNotedText)
        for (node, text) in [
            (Node.text(""), "E0103 client is empty | expected a map | write {} for nothing but defaults"),
            (.text("a"), "E0102 `a` where a map is expected | expected a map | "),
            (.list([]), "E0102 a list where a map is expected | expected a map | "),
        ] {
            let settings = SettingsReader(node, of: "client")
            let fault = settings.faults.sorted[0]
            #expect("\(fault.code.rawValue) \(fault.message) | \(fault.label) | \(fault.help)" == text)
            #expect(settings.resolved == .map([]) && settings.owner == "client")
        }
        let many = Self.map((0..<300).map { ("key\($0)", text("1")) })
        var settings = SettingsReader(many, of: "client")
        settings.finish()
        #expect(settings.faults.count == 300 && settings.faults.isFull)
        #expect(settings.faults.sorted[0].help == "client takes no settings")
    }

    @Test func plainValueInPlaceOfAMapIsPutInOne() {
        // Broken: `connect: 10s` is refused, and the help does not say how to write it.
        func fault(_ value: Node) -> (help: String?, read: Int64) {
            var settings = SettingsReader(.map([.init(key: "connect", value: value)]), of: "client")
            let read = settings.group("connect", main: "limit") { $0.count("limit", default: 7) }
            settings.finish()
            #expect(settings.faults.count == 1)
            return (settings.faults.sorted.first?.help, read)
        }
        #expect(fault(.text("10s")) == ("write `connect: {limit: 10s}`", 7))
        #expect(fault(.list([])).help == "" && fault(.text("")).help == "write {} for nothing but defaults")
    }
}
