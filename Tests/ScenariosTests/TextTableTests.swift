import DeadzoneBase
import DeadzoneTestKit
import DeadzoneTransport
import Testing

@testable import DeadzoneScenarios

/// The text of files: encodings, characters, positions, YAML syntax, traces and expectations.
struct TextTableTests {
    @Test func everyCharacterIsAllowedOrNamed() {
        // Broken: a control character is read, or a letter is refused.
        let forbidden: [ClosedRange<UInt32>] = [
            0x00...0x08, 0x0B...0x0C, 0x0E...0x1F, 0x7F...0x9F, 0x2028...0x2029, 0xFEFF...0xFEFF, 0xFFFE...0xFFFF,
        ]
        for value in Array(UInt32(0)..<0x3000) + [
            0xD7FF, 0xE000, 0xFEFE, 0xFEFF, 0xFF00, 0xFFFD, 0xFFFE, 0xFFFF, 0x10000, 0x10FFFF,
        ] {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let fault = TextCheck.fault(in: Array("ab\(scalar)".utf8), file: 2, limit: 100)
            let isForbidden = forbidden.contains { $0.contains(value) }
            #expect((fault != nil) == isForbidden, "\(String(value, radix: 16))")
            if let fault {
                #expect(fault.mark == SourceMark(line: 1, column: 3, file: 2))
                #expect(fault.code == ([0x85, 0x2028, 0x2029].contains(value) ? .lineSeparator : .controlCharacter))
                let name =
                    "U+" + String(repeating: "0", count: 4 - String(value, radix: 16).count)
                    + String(value, radix: 16, uppercase: true)
                #expect(fault.message.contains(name) || value == 0 || value == 0xFEFF, "\(fault.message)")
            }
        }
    }

    @Test func bytesAreUTF8OrRefused() {
        // Broken: an overlong or cut sequence is read as a character.
        func isUTF8(_ bytes: [UInt8]) -> Bool { String(validating: bytes, as: UTF8.self) != nil }
        func check(_ bytes: [UInt8]) {
            let valid = (0...bytes.count).last { isUTF8(Array(bytes.prefix($0))) } ?? 0
            let before = Array(bytes.prefix(valid))
            // A control character before the damage is reported instead.
            guard TextCheck.fault(in: [97] + before, file: 0, limit: 100) == nil else { return }
            let fault = TextCheck.fault(in: [97] + bytes, file: 0, limit: 100)
            #expect((fault?.code == .notUTF8) == (valid < bytes.count), "\(bytes)")
            let column = 2 + String(decoding: before, as: UTF8.self).unicodeScalars.count
            if let fault { #expect(fault.mark.column == column, "\(bytes)") }
        }
        for first in UInt8(0x80)...0xFF {
            check([first])
            for second in [UInt8](0x7E...0x82) + [0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0] {
                check([first, second])
                for third in [0x7F, 0x80, 0xBF, 0xC0] as [UInt8] {
                    check([first, second, third])
                    for fourth in [0x7F, 0x80, 0xBF, 0xC0] as [UInt8] where first >= 0xF0 {
                        check([first, second, third, fourth])
                    }
                }
            }
        }
        #expect(
            TextCheck.fault(in: [0xFF, 0xFE, 97], file: 0, limit: 9)?.message == "the file is UTF-16"
                && TextCheck.fault(in: [0xFE, 0xFF], file: 0, limit: 9)?.message == "the file is UTF-16")
        #expect(
            TextCheck.fault(in: [97, 0xC3], file: 0, limit: 9)?.message == "the byte 0xC3 is not UTF-8"
                && TextCheck.fault(in: [0xEF, 0xBB, 0xBF, 97], file: 0, limit: 9) == nil)
        #expect(
            TextCheck.fault(in: Array("abc".utf8), file: 0, limit: 3) == nil
                && TextCheck.fault(in: Array("abcd".utf8), file: 1, limit: 3)?.message
                    == "the file has 4 bytes, more than the limit of 3"
        )
        #expect(
            TextCheck.fault(in: [UInt8](repeating: 97, count: 1 << 20 + 1), file: 0, limit: 1 << 20)?.help
                == "a file may have at most 1 MiB: split it, or leave out parts of it")
    }

    @Test func positionsCountLinesAndColumns() {
        // Broken: a carriage return counts twice, or a line begins at another column.
        for (text, line, column) in [
            ("\u{7}", 1, 1), ("a\n\u{7}", 2, 1), ("a\r\u{7}", 2, 1), ("a\r\nb\u{7}", 2, 2), ("a\r\n\r\n\u{7}", 3, 1),
            ("é漢\u{7}", 1, 3), ("\t\u{7}", 1, 2), ("a\n\r\u{7}", 3, 1), ("\r\u{7}", 2, 1), ("a\r", 0, 0),
        ] as [(String, Int, Int)] {
            let fault = TextCheck.fault(in: Array(text.utf8), file: 0, limit: 100)
            #expect(
                fault.map { "\($0.mark.line):\($0.mark.column)" } == (line == 0 ? nil : "\(line):\(column)"),
                "\(text.debugDescription)")
        }
    }

    @Test func syntaxIsExplained() {
        // Broken: a mistake in YAML is reported at another place, or without advice.
        let texts = [
            "a: [1", "a: 1\n b: 2", "a: 'x", "a:\n\t- 1", "\ta: 1", "a: {b: 1", "a: b: c", "- 1\n- 2\na: 1", "a: *x",
            "a: &x 1\nb: *x", "a: !foo 1", "a: !!str 1", "a: 1\na: 2", "{a: 1, a: 2}", "? [a]\n: 1", "[a]: 1",
            "a: 1\n---\nb: 2", "", "# nothing", "---", "a: %x", "a: @x", "a: `x`", "a: ${x}", "{a: ${x}}", "<<: 1",
            "b: &c {d: 1}\n<<: *c\nd: 2",
            "b: &c {d: 1}\na: {<<: [*c, {e: 2}]}", "a: \"\\q\"", "a: |\n  x\n y", "a: >\n  x", "a: 1 # c",
            "a:\n- 1\n - 2", "a: ]", "a: ,", "a: x: y", "a: [1 2", "a: \"b\" c", "!!map {a: 1}", "a: !!seq [1]",
            "a: !!int 1", "&a a: *a",
        ]
        expectText(
            texts.map { text -> String in
                let composition = compose(Array(text.utf8))
                return text.debugDescription + " -> " + (composition.node.map(flowText) ?? "-")
                    + (composition.faults.isEmpty ? "" : "\n    " + faultLines(composition.faults))
            }.joined(separator: "\n"),
            syntaxIsExplainedText)
        for (depth, isRead) in [(63, true), (64, true), (65, false)] {
            let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            let composition = compose(Array(text.utf8))
            #expect(composition.faults.isEmpty == isRead, "\(depth): \(faultLines(composition.faults))")
        }
    }

    @Test func tracesAreExact() {
        // Broken: a time or a rate is another number, or digits that were measured are cut.
        func decimal(_ text: String, _ tens: Int) -> Int64? {
            LinkTraceParser.decimal(Array(text.utf8)[...], tens: tens)
        }
        let numbers: [(String, Int, Int64?)] = [
            ("0", 9, 0), ("1", 9, 1_000_000_000), ("1.5", 9, 1_500_000_000), ("1.1234567899", 9, 1_123_456_789),
            (".5", 1, 5), ("5.", 1, 50), (".", 1, nil), ("", 1, nil), ("1.2.3", 1, nil), ("-1", 1, nil),
            ("1e3", 1, nil), ("9.9", 0, 9), ("9223372036854775807", 0, .max), ("9223372036854775808", 0, nil),
            ("9223372036", 9, 9_223_372_036_000_000_000), ("9223372037", 9, nil), ("0x", 1, nil), ("/", 0, nil),
            (":", 0, nil),
        ]
        for (text, tens, expected) in numbers { #expect(decimal(text, tens) == expected, "\(text)") }
        func read(_ text: String) -> String {
            switch LinkTraceParser.read(Array(text.utf8)) {
            case .success(let trace): flattened(trace).map { "\($0.path)=\($0.text)" }.joined(separator: " ")
            case .failure(let error): error.message
            }
        }
        let texts = [
            "", "#\n\n", "0\n5\n", "5\n5\n", "0\n0\n", "5\n4\n", "0 1\n1 2\n", "time_s,Mbps\n0,1\n2,0.5\n",
            "time_ms;kbps\n0;1\n2;3;9\n", "time_ms\tbps\r\n0\t8\r\n1\t0\r\n", "time_ms,MBps\n0,1\n", "x,Mbps\n0,1\n",
            "0,1\n0,1\n", "0,1\n-1,1\n", "0,1\n1,x\n", "0,1\n1\n", "1\n2 3\n", "x\n", "0,0\n1,0\n", "0 1\n# c\n\n1 2\n",
        ]
        expectText(
            texts.map { "\($0.debugDescription): \(read($0))" }.joined(separator: "\n"),
            #"""
            "": it is empty
            "#\n\n": it is empty
            "0\n5\n": times.0=0 times.1=5000000 rates=[] period=5000000
            "5\n5\n": times.0=5000000 times.1=5000000 rates=[] period=5000000
            "0\n0\n": all its opportunities are at 0 ms: the last line must give the period of the trace
            "5\n4\n": the time of entry 2 is not later than the one before it
            "0 1\n1 2\n": times.0=0 times.1=1000000000 rates.0=1000000 rates.1=2000000 period=2000000000
            "time_s,Mbps\n0,1\n2,0.5\n": times.0=0 times.1=2000000000 rates.0=1000000 rates.1=500000 period=4000000000
            "time_ms;kbps\n0;1\n2;3;9\n": times.0=0 times.1=2000000 rates.0=1000 rates.1=3000 period=4000000
            "time_ms\tbps\r\n0\t8\r\n1\t0\r\n": times.0=0 times.1=1000000 rates.0=8 rates.1=0 period=2000000
            "time_ms,MBps\n0,1\n": line 1 is neither a row of numbers nor a header: the columns are time_s or time_ms, and Mbps, kbps or bps
            "x,Mbps\n0,1\n": line 1 is neither a row of numbers nor a header: the columns are time_s or time_ms, and Mbps, kbps or bps
            "0,1\n0,1\n": the time of entry 2 is not later than the one before it
            "0,1\n-1,1\n": line 2 does not begin with a time
            "0,1\n1,x\n": the second column of line 2 is not a rate
            "0,1\n1\n": line 2 has 1 columns, unlike the first line
            "1\n2 3\n": line 2 has 2 columns, unlike the first line
            "x\n": line 1 does not begin with a time
            "0,0\n1,0\n": none of its rates is above zero
            "0 1\n# c\n\n1 2\n": times.0=0 times.1=1000000000 rates.0=1000000 rates.1=2000000 period=2000000000
            """#)
        var lines = LinkTraceLines(Array("a b\n#x\n\n \r\nc;d,e\tf".utf8))
        #expect(lines.next()?.map { String(decoding: $0, as: UTF8.self) } == ["a", "b"] && lines.number == 1)
        #expect(
            lines.next()?.map { String(decoding: $0, as: UTF8.self) } == ["c", "d", "e", "f"] && lines.number == 5
                && lines.next() == nil)
    }

    @Test func expectationsNameWhatExists() {
        // Broken: a bound of an unknown metric, strategy or group is accepted, or bounds are in another order.
        let head =
            "{version: 1, name: E, duration: 10m, phone: {radios: {cellular: test-lte}}, strategies: {b: {strategy: calm}, a: {strategy: hasty}}"
        func outcome(_ expect: String, _ population: String = "") -> String {
            let loaded = load("\(head)\(population), expect: \(expect)}")
            guard loaded.faults.isEmpty else { return faultLines(loaded.faults) }
            return loaded.scenarios.map {
                $0.expectations.map { "\($0.strategy)/\($0.group ?? "-")/\($0.metric)/\($0.bound)/\($0.mark.column)" }
                    .joined(separator: " ")
            }.joined()
        }
        let two = ", population: {new: {phones: 1}, old: {phones: 2, links: {cellular: {delay: 40ms}}}}"
        let rows = [
            ("{a: {zombie.max: under 15s, battery.joules: 3}, b: {zombie.max: under 1s}}", ""),
            ("{c: {zombie.max: under 15s}}", ""), ("{a: {zombie.min: under 15s}}", ""), ("{a: {zombie.max: soon}}", ""),
            ("{a: {battery.joules: at most 60% of b}}", ""), ("{a: {battery.joules: at most 60% of c}}", ""),
            ("{a: {battery.joules: at most 60% of baseline}}", ""), ("{a: {battery.joules: at most 60% of a}}", ""),
            ("{a: {new: {zombie.max: under 1s}}}", ""), ("{a: {zombie.max: {x: 1}}}", ""),
            ("{a: {new: {zombie.max: under 1s}, zombie.max: under 2s}}", two),
            (
                "{a: {old: {zombie.max: under 1s}, new: {battery.joules: 1, zombie.max: under 3s}}, b: {old: {zombie.max: 1}}}",
                two
            ),
            ("{a: {odd: {zombie.max: under 1s}}}", two), ("{a: {new: under 1s}}", two),
            ("{a: {new: {odd: under 1s}}}", two), ("{a: {new: {old: under 1s}}}", two),
            ("{a: {new: {zombie.max: at most 50% of old}}}", two), ("{a: {new: {zombie.max: at most 50% of b}}}", two),
            ("{a: {new: {zombie.max: at most 50% of c}}}", two),
            ("{a: {new: {zombie.max: under 1s}}}", ", population: {new: {phones: 3}}"), ("[a]", ""), ("{a: [1]}", ""),
        ]
        expectText(
            rows.map { "\($0.0)\($0.1.isEmpty ? "" : " with groups")\n    \(outcome($0.0, $0.1))" }.joined(
                separator: "\n"),
            expectationsNameWhatExistsText)
    }
}

private let syntaxIsExplainedText = #"""
    "a: [1" -> -
        E0004 2:1+1 this is not YAML: did not find expected ',' or ']' | while parsing a flow sequence that began at line 1, column 4 | help: a comma is missing, or a `]`
    "a: 1\n b: 2" -> -
        E0004 2:3+1 this is not YAML: mapping values are not allowed in this context | help: put a value that contains `: ` in quotes, and check the indentation
    "a: \'x" -> -
        E0004 1:6+1 this is not YAML: found unexpected end of stream | while scanning a quoted scalar that began at line 1, column 4 | help: a quote is opened and never closed
    "a:\n\t- 1" -> -
        E0005 2:1+1 a tab where YAML allows none | use spaces
    "\ta: 1" -> -
        E0005 1:1+1 a tab where YAML allows none | use spaces
    "a: {b: 1" -> -
        E0004 2:1+1 this is not YAML: did not find expected ',' or '}' | while parsing a flow mapping that began at line 1, column 4 | help: a comma is missing, or a `}`
    "a: b: c" -> -
        E0004 1:5+1 this is not YAML: mapping values are not allowed in this context | help: put a value that contains `: ` in quotes, and check the indentation
    "- 1\n- 2\na: 1" -> -
        E0004 3:1+1 this is not YAML: did not find expected '-' indicator | while parsing a block collection that began at line 1, column 1 | help: the items of one list begin in the same column
    "a: *x" -> {a: {}}
        E0008 1:4+2 `*x` has no anchor above it | help: `*name` repeats the value that `&name` marks further up in the same file. It cannot refer to a later value or to the value that contains it.
    "a: &x 1\nb: *x" -> {a: 1, b: 1}
    "a: !foo 1" -> {a: 1}
        E0010 1:4+1 the tag `!foo` is not read here | remove it | help: Tags (`!name`) are not read; only `!!str`, `!!map` and `!!seq` are allowed.
    "a: !!str 1" -> {a: "1"}
    "a: 1\na: 2" -> {a: 1}
        E0009 2:1+1 the key `a` appears twice | first at line 1, column 1 | help: remove one of the two
    "{a: 1, a: 2}" -> {a: 1}
        E0009 1:8+1 the key `a` appears twice | first at line 1, column 2 | help: remove one of the two
    "? [a]\n: 1" -> {}
        E0013 1:3+1 a list where a key is expected | help: Keys are words; a list or map cannot be a key.
    "[a]: 1" -> {}
        E0013 1:1+1 a list where a key is expected | help: Keys are words; a list or map cannot be a key.
    "a: 1\n---\nb: 2" -> {a: 1}
        E0011 2:1+3 a second document begins here | help: a file may contain only one document
    "" -> -
        E0012 1:1+1 the file is empty | help: A scenario is a map that begins with `version: 1`. `deadzone init` writes a first one.
    "# nothing" -> -
        E0012 1:1+1 the file is empty | help: A scenario is a map that begins with `version: 1`. `deadzone init` writes a first one.
    "---" -> ""
    "a: %x" -> -
        E0004 1:4+1 this is not YAML: found character that cannot start any token | while scanning for the next token that began at line 1, column 4 | help: put a value that begins with % @ ` or > in quotes
    "a: @x" -> -
        E0004 1:4+1 this is not YAML: found character that cannot start any token | while scanning for the next token that began at line 1, column 4 | help: put a value that begins with % @ ` or > in quotes
    "a: `x`" -> -
        E0004 1:4+1 this is not YAML: found character that cannot start any token | while scanning for the next token that began at line 1, column 4 | help: put a value that begins with % @ ` or > in quotes
    "a: ${x}" -> {a: "${x}"}
    "{a: ${x}}" -> -
        E0004 1:6+1 this is not YAML: did not find expected ',' or '}' | while parsing a flow mapping that began at line 1, column 1 | help: a comma is missing, or a `}`
    "<<: 1" -> {}
        E0014 1:5+1 `1` cannot be merged | help: `<<` takes a map, an alias of a map, or a list of those.
    "b: &c {d: 1}\n<<: *c\nd: 2" -> {b: {d: 1}, d: 2}
    "b: &c {d: 1}\na: {<<: [*c, {e: 2}]}" -> {b: {d: 1}, a: {d: 1, e: 2}}
    "a: \"\\q\"" -> -
        E0004 1:5+1 this is not YAML: found unknown escape character | while parsing a quoted scalar that began at line 1, column 4
    "a: |\n  x\n y" -> -
        E0004 3:2+1 this is not YAML: did not find expected key | while parsing a block mapping that began at line 1, column 1 | help: keys of one map begin in the same column
    "a: >\n  x" -> {a: "x"}
    "a: 1 # c" -> {a: 1}
    "a:\n- 1\n - 2" -> {a: ["1 - 2"]}
    "a: ]" -> -
        E0004 1:4+1 this is not YAML: did not find expected node content | while parsing a block node that began at line 1, column 4
    "a: ," -> -
        E0004 1:4+1 this is not YAML: did not find expected node content | while parsing a block node that began at line 1, column 4
    "a: x: y" -> -
        E0004 1:5+1 this is not YAML: mapping values are not allowed in this context | help: put a value that contains `: ` in quotes, and check the indentation
    "a: [1 2" -> -
        E0004 2:1+1 this is not YAML: did not find expected ',' or ']' | while parsing a flow sequence that began at line 1, column 4 | help: a comma is missing, or a `]`
    "a: \"b\" c" -> -
        E0004 1:8+1 this is not YAML: did not find expected key | while parsing a block mapping that began at line 1, column 1 | help: keys of one map begin in the same column
    "!!map {a: 1}" -> {a: 1}
    "a: !!seq [1]" -> {a: [1]}
    "a: !!int 1" -> {a: 1}
        E0010 1:4+1 the tag `tag:yaml.org,2002:int` is not read here | remove it | help: Tags (`!name`) are not read; only `!!str`, `!!map` and `!!seq` are allowed.
    "&a a: *a" -> {a: a}
    """#

private let expectationsNameWhatExistsText = #"""
    {a: {zombie.max: under 15s, battery.joules: 3}, b: {zombie.max: under 1s}}
        b/-/zombie.max/under 1s/194 a/-/battery.joules/3/170 a/-/zombie.max/under 15s/147
    {c: {zombie.max: under 15s}}
        E0207 1:143+1 unknown strategy `c` | did you mean `b`? | help: known: b, a
    {a: {zombie.min: under 15s}}
        E0204 1:147+10 unknown metric `zombie.min` | did you mean `zombie.max`? | help: `deadzone list metrics` prints them
    {a: {zombie.max: soon}}
        E0205 1:159+4 `soon`: no number | help: write under 15s
    {a: {battery.joules: at most 60% of b}}
        a/-/battery.joules/at most 60% of b/147
    {a: {battery.joules: at most 60% of c}}
        E0207 1:163+16 unknown strategy `c` | did you mean `b`? | help: known: b, a, baseline
    {a: {battery.joules: at most 60% of baseline}}
        a/-/battery.joules/at most 60% of baseline/147
    {a: {battery.joules: at most 60% of a}}
        E0207 1:163+16 a bound of `a` against itself | name another one
    {a: {new: {zombie.max: under 1s}}}
        E0207 1:147+3 unknown group `new` | not known here | help: a scenario has groups where it has a `population:`
    {a: {zombie.max: {x: 1}}}
        E0102 1:159+1 a map where a bound such as `under 15s` is expected | expected a bound such as `under 15s`
    {a: {new: {zombie.max: under 1s}, zombie.max: under 2s}} with groups
        a/-/zombie.max/under 2s/260 a/new/zombie.max/under 1s/237
    {a: {old: {zombie.max: under 1s}, new: {battery.joules: 1, zombie.max: under 3s}}, b: {old: {zombie.max: 1}}} with groups
        b/old/zombie.max/1/319 a/new/battery.joules/1/266 a/new/zombie.max/under 3s/285 a/old/zombie.max/under 1s/237
    {a: {odd: {zombie.max: under 1s}}} with groups
        E0207 1:231+3 unknown group `odd` | did you mean `old`? | help: known: new, old
    {a: {new: under 1s}} with groups
        E0102 1:236+8 `under 1s` where a map of bounds, by metric is expected | expected a map of bounds, by metric
    {a: {new: {odd: under 1s}}} with groups
        E0204 1:237+3 unknown metric `odd` | not known here | help: `deadzone list metrics` prints them
    {a: {new: {old: under 1s}}} with groups
        E0204 1:237+3 unknown metric `old` | not known here | help: `deadzone list metrics` prints them
    {a: {new: {zombie.max: at most 50% of old}}} with groups
        a/new/zombie.max/at most 50% of old/237
    {a: {new: {zombie.max: at most 50% of b}}} with groups
        a/new/zombie.max/at most 50% of b/237
    {a: {new: {zombie.max: at most 50% of c}}} with groups
        E0207 1:249+16 unknown strategy or group `c` | did you mean `b`? | help: known: b, a, new, old, baseline
    {a: {new: {zombie.max: under 1s}}} with groups
        E0207 1:179+3 a bound for one of 1 groups | single groups have no results here | help: a single group contains all phones: write the bound without it
    [a]
        E0102 1:142+1 a list where a map is expected | expected a map
    {a: [1]}
        E0102 1:146+1 a list where a map is expected | expected a map
    """#
