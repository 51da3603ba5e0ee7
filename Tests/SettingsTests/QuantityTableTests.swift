import DeadzoneTestKit
import Testing
@testable import DeadzoneBase

/// Units, numbers and words: every row of every table, and the boundaries of numbers.
struct QuantityTableTests {
    private static let kinds: [QuantityKind] = [.span, .size, .power, .bitCost, .rate, .energy, .charge, .voltage]

    @Test func everyUnitHasItsSize() {
        // Broken: a unit has another size, or another spelling is written.
        let rows = Self.kinds.flatMap { kind in
            ["\(kind.noun), \(kind.example), \(kind.isCompound), \(kind.text(0)): \(kind.unitNames)"]
                + kind.units.map { "  \($0.name) = \($0.base)\($0.isCanonical ? "" : ", only read")" }
        }
        expectText(
            rows.joined(separator: "\n"),
            everyUnitHasItsSizeText)
        for kind in Self.kinds {
            for unit in kind.units {
                #expect(
                    kind.value(of: "1\(unit.name)") == unit.base && kind.value(of: "3 \(unit.name)") == 3 * unit.base)
                let text = kind.text(unit.base)
                #expect(kind.value(of: text) == unit.base && (!unit.isCanonical || text == "1\(unit.name)"), "\(text)")
            }
        }
        #expect(
            QuantityKind.span.text(90_000_000_000) == "90s" && QuantityKind.span.text(1_001) == "1001ns"
                && QuantityKind.span.text(-60_000_000_000) == "-1m")
        #expect(QuantityKind.voltage.pattern == "^\\+?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)? *(V|mV)$")
        #expect(
            QuantityKind.span.pattern.hasPrefix("^\\+?([0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)? *(h|m|s|")
                && QuantityKind.span.pattern.hasSuffix("μs) *)+$"))
    }

    @Test func unitsAreCombinedInTheirOrder() {
        // Broken: a smaller unit may come first, or a part is left out of the sum.
        let table: [(String, Int64?)] = [
            ("1h1m1s1ms1us1ns", 3_661_001_001_001), ("1h 1ns", 3_600_000_000_001), ("1m1h", nil), ("1s1s", nil),
            ("1h-1m", nil), ("-1h1m", -3_540_000_000_000),
            ("1h+1m", 3_660_000_000_000), ("1h1", nil), ("2562047h47m16s854ms775us807ns", .max),
            ("2562047h47m16s854ms775us808ns", nil), ("1d1h", 90_000_000_000_000),
            ("1h 1m ", 3_660_000_000_000), (" 1h", nil), ("1h1m x", nil),
        ]
        for (text, value) in table { #expect(QuantityKind.span.value(of: text) == value, "\(text)") }
    }

    @Test func numbersAreExact() {
        // Broken: a digit is lost, an exponent has another sign, or a number that does not fit is read.
        func read(_ text: String) -> String {
            switch plainNumber(text) {
            case .success(let number): "\(number.coefficient)/\(number.places)"
            case .failure(let error): "\(error)"
            }
        }
        let table: [(String, String)] = [
            ("0", "0/0"), ("-0", "0/0"), ("+5", "5/0"), ("-5", "-5/0"), ("1.50", "15/1"), ("0.05", "5/2"),
            ("100", "100/0"), ("1e2", "100/0"), ("1E+2", "100/0"),
            ("1.5e1", "15/0"), ("15e-1", "15/1"), ("1e-18", "1/18"), ("1e-19", "tooFine"),
            ("9223372036854775807", "9223372036854775807/0"),
            ("9223372036854775808", "tooLarge"), ("0.9223372036854775807", "tooFine"),
            ("1e18", "1000000000000000000/0"), ("1e19", "tooLarge"), ("12345678901234567890", "tooLarge"),
            ("99999999999999999999", "tooLarge"), ("0.99999999999999999", "99999999999999999/17"),
            ("1.2345678901234567890", "1234567890123456789/18"), ("1.23456789012345678901", "tooFine"),
            ("0.000000000000000000", "0/0"),
            ("0e999", "0/0"), ("1e1000", "tooLarge"), ("1e-1000", "tooFine"), ("1e99999999999", "tooLarge"),
            ("1e", "unknownUnit(\"e\", \"\")"), ("1e+", "unknownUnit(\"e+\", \"\")"),
            ("1ex", "unknownUnit(\"ex\", \"\")"), ("", "notANumber"), ("-", "notANumber"), (".5", "notANumber"),
            ("5.", "notANumber"), ("1.e2", "notANumber"), ("1..2", "notANumber"),
            ("00", "octal"), ("0x", "octal"), ("0o7", "octal"), ("0b1", "octal"), ("0b", "unknownUnit(\"b\", \"\")"),
            ("0b2", "unknownUnit(\"b2\", \"\")"), ("0b01", "octal"), ("-0X1", "octal"), ("0.5", "5/1"),
            ("1:2", "sexagesimal"), ("1:2.5", "sexagesimal"), (":", "sexagesimal"),
            ("1:x", "unknownUnit(\":x\", \"\")"), ("12.5", "125/1"),
            ("NaN", "notFinite"), (".inf", "notFinite"), ("-Infinity", "notFinite"), ("infinit", "notANumber"),
            ("1/2", "unknownUnit(\"/2\", \"\")"), ("1:9", "sexagesimal"), ("9:", "sexagesimal"),
        ]
        for (text, expected) in table { #expect(read(text) == expected, "\(text): \(read(text))") }
        var scanner = NumberScanner("12ab+")
        #expect(
            (try? scanner.number()) == ExactDecimal(12) && scanner.word() == "ab" && scanner.remainder == "+"
                && !scanner.isAtEnd)
        for stop in "0 +-." {
            var scanner = NumberScanner("ab\(stop)c")
            #expect(scanner.word() == "ab" && scanner.remainder == "\(stop)c")
        }
        #expect(
            ExactDecimal(15, places: 1).description == "1.5" && power(ofTen: 0) == 1
                && power(ofTen: 18) == 1_000_000_000_000_000_000)
        #expect(
            (try? ExactDecimal(15, places: 1).scaled(by: 2)) == 3
                && (try? ExactDecimal(15, places: 1).scaled(by: 1)) == nil)
        #expect(
            (try? ExactDecimal(3).scaled(by: 2, over: 6)) == 1 && (try? ExactDecimal(3).scaled(by: 1, over: 2)) == nil)
        #expect((try? ExactDecimal(.max).scaled(by: 2)) == nil && (try? ExactDecimal(.max).scaled(by: 1)) == .max)
        for (coefficient, places, text) in [
            (0, 0, "0"), (-5, 0, "-5"), (5, 1, "0.5"), (-5, 3, "-0.005"), (100, 2, "1"), (120, 2, "1.2"),
            (1_000, 0, "1000"), (10, 2, "0.1"), (99, 2, "0.99"), (100, 3, "0.1"),
        ] as [(Int128, Int, String)] {
            #expect(decimalText(coefficient, places: places) == text)
        }
    }

    @Test func distancesAreThoseOfTheModel() {
        // Broken: a swap of neighbours counts as two edits, or a suggestion is farther than allowed.
        func model(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
            if a.isEmpty || b.isEmpty { return a.count + b.count }
            var best = min(model(a.dropLast(), b), model(a, b.dropLast())) + 1
            best = min(best, model(a.dropLast(), b.dropLast()) + (a.last == b.last ? 0 : 1))
            if a.count > 1, b.count > 1, a[a.count - 1] == b[b.count - 2], a[a.count - 2] == b[b.count - 1] {
                best = min(best, model(a.dropLast(2), b.dropLast(2)) + 1)
            }
            return best
        }
        func model(_ a: ArraySlice<Unicode.Scalar>, _ b: [Unicode.Scalar]) -> Int { model(Array(a), b) }
        func model(_ a: [Unicode.Scalar], _ b: ArraySlice<Unicode.Scalar>) -> Int { model(a, Array(b)) }
        func model(_ a: ArraySlice<Unicode.Scalar>, _ b: ArraySlice<Unicode.Scalar>) -> Int {
            model(Array(a), Array(b))
        }
        withEvery { choices in
            let a = choices.sequence(of: Array("ab".unicodeScalars), upTo: 4)
            let b = choices.sequence(of: Array("abc".unicodeScalars), upTo: 4)
            let distance = editDistance(a, b)
            #expect(
                distance == model(a, b) || abs(a.count - b.count) > 2 && distance == abs(a.count - b.count), "\(a) \(b)"
            )
        }
        let table: [(String, [String], String?)] = [
            ("a", ["ab", "b"], "ab"), ("a", ["bc"], nil), ("ab", ["cd", "ac"], "ac"), ("abc", ["xyc"], "xyc"),
            ("abcd", ["xycd"], "xycd"), ("abcd", ["xyzd"], nil),
            ("same", ["sama", "samb"], "sama"), ("Same", ["SAMS"], "SAMS"),
            ("ping", ["ping-interval"], "ping-interval"), ("ping", ["zing", "ping-interval"], "zing"),
            (String(repeating: "a", count: 64), [String(repeating: "a", count: 63)], String(repeating: "a", count: 63)),
            (String(repeating: "a", count: 65), [String(repeating: "a", count: 64)], nil), ("x", [], nil),
        ]
        for (word, known, expected) in table { #expect(suggestion(for: word, among: known) == expected, "\(word)") }
    }

    @Test func scalarsAreQuotedOnlyIfNeeded() {
        // Broken: a text is written so that a reader of YAML reads another one.
        for value in UInt32(1)..<0x180 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = "a\(scalar)b"
            let isPlain =
                scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789%-./_".unicodeScalars.contains(scalar))
            let isShown = TerminalEscaper.isPlain(scalar)
            let escaped: String =
                switch scalar {
                case "\"": "\\\""
                case "\\": "\\\\"
                case "\n": "\\n"
                case "\r": "\\r"
                case "\t": "\\t"
                default: isShown ? String(scalar) : "\\u" + String(String(0x10000 + value, radix: 16).dropFirst())
                }
            #expect(flowText(.text(text)) == (isPlain ? text : "\"a\(escaped)b\""), "\(value)")
            #expect(flowText(Node(.scalar(text, quoted: true))) == "\"a\(escaped)b\"", "\(value)")
            let first = isPlain && !"%-.".unicodeScalars.contains(scalar)
            #expect(flowText(.text("\(scalar)b")) == (first ? "\(scalar)b" : "\"\(escaped)b\""), "\(value)")
        }
        #expect(
            flowText(.text("\u{E0041}")) == "\"\\U000e0041\"" && escaped("\u{202E}") == "\\u202e"
                && flowText(.text("##[x")) == "\"##\\u005bx\""
                && flowText(.text("")) == "\"\"")
        #expect(
            escaped("a#b") == "a#b" && escaped("\u{7F}") == "\\u007f" && escaped("\u{1F}") == "\\u001f"
                && escaped(" ~") == " ~")
    }

    @Test func blocksHaveALineForEachKey() {
        // Broken: a map or a list is written so that it reads back as another one.
        func map(_ entries: (String, Node)...) -> Node { .map(entries.map { Node.MapEntry(key: $0.0, value: $0.1) }) }
        let node = map(
            ("a", .text("1")), ("b", map(("c", map(("d", .text("x y")))), ("e", map()))),
            ("f", .list([.text("1"), .text("2")])),
            ("g", .list([map(("h", .text("1")), ("i", .list([]))), .text("3")])),
            ("j k", .list([.list([.text("4")])])), ("l", .list([])))
        expectText(
            blockText(node),
            #"""
            a: 1
            b:
              c:
                d: "x y"
              e: {}
            f: [1, 2]
            g:
              - {h: 1, i: []}
              - 3
            "j k":
              - [4]
            l: []

            """#)
        #expect(
            flowText(node)
                == "{a: 1, b: {c: {d: \"x y\"}, e: {}}, f: [1, 2], g: [{h: 1, i: []}, 3], \"j k\": [[4]], l: []}")
        #expect(
            blockText(map()) == "{}\n" && blockText(.text("a")) == "a\n" && blockText(.list([.text("a")])) == "[a]\n")
        #expect(
            Node.text("a")["x"] == nil && node["b"]?["e"] == map() && node.items == nil && Node.text("a").entries == nil
                && node.scalar == nil)
        for text in ["", "~", "null", "Null", "NULL"] {
            #expect(Node.text(text).isEmpty && !Node(.scalar(text, quoted: true)).isEmpty)
        }
        #expect(!Node.text("nULL").isEmpty && !Node.list([]).isEmpty)
    }
}

private let everyUnitHasItsSizeText = #"""
    a duration, 45s, true, 0s: h, m, s, ms, us, ns, d, min
      h = 3600000000000
      m = 60000000000
      s = 1000000000
      ms = 1000000
      us = 1000
      ns = 1
      d = 86400000000000, only read
      min = 60000000000, only read
      µs = 1000, only read
      μs = 1000, only read
    a size, 64KiB, false, 0KiB: GiB, MiB, KiB, B, GB, MB, kB
      GiB = 1073741824
      MiB = 1048576
      KiB = 1024
      B = 1
      GB = 1000000000, only read
      MB = 1000000, only read
      kB = 1000, only read
    a power, 350mW, false, 0mW: W, mW, uW
      W = 1000000
      mW = 1000
      uW = 1
      µW = 1, only read
      μW = 1, only read
    an energy per bit, 14.55mW/Mbps, false, 0mW/Mbps: W/Mbps, mW/Mbps, uW/Mbps, fJ/bit, nJ/bit, pJ/bit
      W/Mbps = 1000000000
      mW/Mbps = 1000000
      uW/Mbps = 1000
      fJ/bit = 1
      nJ/bit = 1000000, only read
      pJ/bit = 1000, only read
    a rate, 20Mbps, false, 0Mbps: Gbps, Mbps, kbps, bps, Gbit/s, Mbit/s, kbit/s, bit/s
      Gbps = 1000000000
      Mbps = 1000000
      kbps = 1000
      bps = 1
      Gbit/s = 1000000000, only read
      Mbit/s = 1000000, only read
      kbit/s = 1000, only read
      bit/s = 1, only read
    an energy, 15.4Wh, false, 0Wh: Wh, mWh, J, mJ, uJ, kWh, kJ
      Wh = 3600000000
      mWh = 3600000
      J = 1000000
      mJ = 1000
      uJ = 1
      kWh = 3600000000000, only read
      kJ = 1000000000, only read
    a charge, 4300mAh, false, 0mAh: Ah, mAh, uAh
      Ah = 1000000
      mAh = 1000
      uAh = 1
    a voltage, 3.85V, false, 0V: V, mV
      V = 1000
      mV = 1
    """#
