import DeadzoneBase
import DeadzoneMetrics
import DeadzoneTestKit
import Testing

@testable import DeadzoneReports

/// The helpers that escape, wrap and align: every special character and both sides of every boundary.
struct WriterTests {
    @Test func everyCharacterOfAJSONStringIsRead() throws {
        // Broken: a character is written so that a reader sees another one, or a terminal obeys it.
        for value in UInt32(0)..<0x3000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = JSON.string("a\(scalar)b").text(.line)
            #expect(try JSON(text: Array(text.utf8)).string == "a\(scalar)b", "\(value)")
            let isEscaped = text.contains("\\")
            #expect(isEscaped == (!TerminalEscaper.isPlain(scalar) || scalar == "\"" || scalar == "\\"), "\(value)")
        }
        #expect(JSON.string("\u{1}").text(.line) == #""\u0001""# && JSON.string("\u{7F}").text(.line) == #""\u007f""#)
        #expect(JSON.string("\u{E0041}").text(.line) == #""\udb40\udc41""#)
        #expect(JSON.string("##[error]").text(.line) == "\"##\\u005berror]\"")
        #expect(JSON.string("#[error]").text(.line) == "\"#[error]\"")
    }

    @Test func layoutsBreakTheirLines() {
        // Broken: a list is on one line where it should have several, or the other way round.
        let value = JSON.object([
            "b": .array([.integer(1), .integer(2)]), "a": .array([.object(["x": .null]), .array([])]),
            "c": .object([:]),
        ])
        #expect(value.text(.line) == #"{"a": [{"x": null}, []], "b": [1, 2], "c": {}}"#)
        expectText(
            value.text(.indented),
            #"""
            {
              "a": [
                {
                  "x": null
                },
                []
              ],
              "b": [
                1,
                2
              ],
              "c": {}
            }
            """#)
        expectText(
            value.text(.rows),
            #"""
            {
              "a": [
                {
                  "x": null
                },
                []
              ],
              "b": [1, 2],
              "c": {}
            }
            """#)
        let decimals: [(Int128, String)] = [
            (0, "0"), (1, "0.000000001"), (1_700_000_000_123_456_789, "1700000000.123456789"), (-1_500_000_000, "-1.5"),
        ]
        for (count, text) in decimals { #expect(JSON.decimal(Billionths(count: count)).text(.line) == text) }
        #expect(JSON.decimal(.zero).double == nil && JSON.integer(3).double == 3 && JSON.number(1.5).double == 1.5)
        #expect(JSON.string("a").items == nil && JSON.array([]).string == nil && JSON.null.bool == nil)
        #expect(JSON.number(1).integer == nil && JSON.bool(false).bool == false && JSON.array([])["a"] == nil)
    }

    @Test func faultsOfJSONSayWhere() {
        // Broken: a fault is reported at another byte, or as another one.
        let table: [(String, Int, String)] = [
            ("", 0, "a value is expected here"), ("1 2", 2, "unexpected text after the value"),
            ("{1}", 1, "a key is expected here"),
            ("{\"a\" 1}", 5, "a colon is expected here"), ("{\"a\":1,\"a\":2}", 12, "a key occurs twice"),
            ("{\"a\":1]", 6, "a comma or } is expected here"), ("[1}", 2, "a comma or ] is expected here"),
            ("nul", 0, "a value is expected here"), ("-", 1, "a value is expected here"),
            ("1.x", 2, "a digit is expected here"),
            ("1e+", 3, "a digit is expected here"), ("1e999", 5, "the number is too large"),
            ("\"a", 2, "the string does not end"), ("\"a\\", 3, "the string does not end"),
            ("\"\u{1F}\"", 2, "a control character must be escaped"),
            ("\"\\x\"", 3, "unknown escape"), ("\"\\u12g4\"", 5, "four hexadecimal digits are expected here"),
            ("\"\\ud800\"", 7, "incomplete surrogate pair"), ("\"\\ud800\\u0041\"", 13, "incomplete surrogate pair"),
        ]
        for (text, offset, message) in table {
            #expect(throws: JSONFault(offset: offset, message: message), "\(text)") { try JSON(text: Array(text.utf8)) }
        }
        let deep = String(repeating: "[", count: JSON.maxDepth + 1)
        #expect(throws: JSONFault(offset: JSON.maxDepth, message: "nested deeper than 64 levels")) {
            try JSON(text: Array(deep.utf8))
        }
        let numbers: [(String, JSON)] = [
            ("0", .integer(0)), ("-0", .integer(0)), ("-12", .integer(-12)), ("0.5", .number(0.5)),
            ("1e2", .number(100)),
            ("1E+2", .number(100)), ("25e-1", .number(2.5)), (" \t\r\n7 ", .integer(7)),
            (String(repeating: "9", count: 40), .number(1e40)), ("9", .integer(9)),
        ]
        for (text, value) in numbers { #expect((try? JSON(text: Array(text.utf8))) == value, "\(text)") }
        let escapes = #""\"\\\/\b\f\n\r\t\u0020\uD7FF\uE000""#
        #expect((try? JSON(text: Array(escapes.utf8)))?.string == "\"\\/\u{8}\u{C}\n\r\t \u{D7FF}\u{E000}")
        #expect((try? JSON(text: Array("\"\u{20}\"".utf8)))?.string == " ")
    }

    @Test func namesAreNoMarkdown() {
        // Broken: a name opens markup, mentions a user, or becomes a link.
        for scalar in "<>&@\\`*_{}[]#+!|~$:\"'".unicodeScalars {
            #expect(Markdown.escaped(String(scalar)) == "&#\(scalar.value);")
        }
        #expect(Markdown.escaped("a-b.c (d) é漢") == "a-b.c (d) é漢" && Markdown.escaped("www.a") == "www&#46;a")
        #expect(Markdown.escaped("\u{7}") == "&#92;u&#123;7&#125;")
        let name = String(repeating: "n", count: 200)
        #expect(Markdown.escaped(name) == name && Markdown.escaped(name + "n") == name + "…")
        #expect(Markdown.row(["a", "b"]) == "| a | b |\n")
        #expect(
            Markdown.table(["a", "b"], [["1", "2"], ["3", "4"]]) == "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n")
        #expect(
            Markdown.fenced("a `` b ` c") == "```\na `` b ` c\n```\n"
                && Markdown.fenced("````") == "`````\n````\n`````\n")
        #expect(Markdown.fenced("``` ``") == "````\n``` ``\n````\n")
    }

    @Test func xmlIsEscaped() {
        // Broken: a character of a message ends an attribute or an element.
        let text = JUnit.text([
            .init(suite: "s", name: "n", result: .failed("<&>\"'\nb\u{7}", details: "d<")),
            .init(suite: "s", name: "m", result: .passedWithNote("a>b")),
        ])
        #expect(text.contains("message=\"&lt;&amp;&gt;&quot;&apos;&#10;b\\u{7}\">d&lt;</failure>\n    </testcase>\n"))
        #expect(text.contains(">\n      <system-out>a&gt;b</system-out>\n    </testcase>\n"))
    }

    @Test func shellWordsArePlainOrQuoted() {
        // Broken: a character that a shell interprets is not quoted.
        for value in UInt8(0x20)..<0x7F {
            let text = String(Unicode.Scalar(value))
            let isPlain = text.first.map { $0.isLetter || $0.isNumber || "-_./+,:=@%".contains($0) } ?? false
            #expect(ShellWord.text(text) == (isPlain ? text : text == "'" ? "''\\'''" : "'\(text)'"), "\(text)")
        }
        #expect(ShellWord.text("é") == "'é'" && ShellWord.text("a''b") == "'a'\\'''\\''b'")
    }

    @Test func annotationsAreCutAndEscaped() {
        // Broken: a property or a message is cut at another length, or breaks the command.
        let title = String(repeating: "t", count: 201)
        #expect(Annotation.text(.error, title: title, "m") == "::error title=\(title.dropLast())::m\n")
        #expect(
            Annotation.text(.error, title: String(title.dropLast()), "m") == "::error title=\(title.dropLast())::m\n")
        let message = String(repeating: "m", count: 2_000)
        #expect(Annotation.text(.notice, title: "t", message).hasSuffix("::\(message)\n"))
        #expect(Annotation.text(.notice, title: "t", message + "n").hasSuffix("::\(message)\n"))
        #expect(
            Annotation.text(.warning, title: "t", "a\u{7}b\n\n%", line: 4)
                == "::warning line=4,title=t::a\\u{7}b%0A%0A%25\n")
        #expect(
            Annotation.text(.warning, title: "a:b,c", "a:b,c", column: 5) == "::warning col=5,title=a%3Ab%2Cc::a:b,c\n")
    }

    @Test func wideCharactersTakeTwoColumns() {
        // Broken: a block of wide characters ends one character too early or too late.
        let wide: [ClosedRange<UInt32>] = [
            0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
            0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
        ]
        for block in wide {
            for (value, isInside) in [
                (block.lowerBound - 1, false), (block.lowerBound, true), (block.upperBound, true),
                (block.upperBound + 1, false),
            ] {
                guard let scalar = Unicode.Scalar(value) else { continue }
                let isMark = [.nonspacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
                let isWide = isInside || wide.contains { $0.contains(value) }
                #expect(String(scalar).columns == (isMark ? 0 : isWide ? 2 : 1), "\(String(value, radix: 16))")
            }
        }
        #expect("a".columns == 1 && "\u{20DD}".columns == 0 && "\u{301}".columns == 0 && "é".columns == 1)
    }

    @Test func narrowTablesWrapTheirOuterColumns() {
        // Broken: a column is narrower than its longest word, or a table that fits is wrapped.
        var table = TextTable(leftAligned: [0, 2])
        table.row([.init("  alpha beta gamma delta", .bold), .init("12"), .init("one two three four five six seven")])
        table.row([.init("b"), .init("3456", .dim), .init("")])
        let narrow = [65, 64, 63, 50, 20].map {
            table.text(Style(hasColour: false, width: $0, hasFixedWidth: true))
        }
        var last = TextTable(leftAligned: [])
        last.row([.init("a b c d e f g h i j k l m n"), .init("a b c d e f g h i j k l m n")])
        expectText(
            (narrow + [
                table.text(Style(hasColour: true, width: 20)),
                last.text(Style(hasColour: false, width: 30, hasFixedWidth: true)),
            ]).joined(separator: "\n"),
            #"""
              alpha beta gamma delta    12  one two three four five six seven
            b                         3456

              alpha beta gamma         12  one two three four five six seven
                delta
            b                        3456

              alpha beta gamma        12  one two three four five six seven
                delta
            b                       3456

              alpha beta gamma    12  one two three four five
                delta                   six seven
            b                   3456

              alpha beta gamma    12  one two three four
                delta                   five six seven
            b                   3456

            «b:  alpha beta gamma delta»    12  one two three four five six seven
            b                         «d:3456»

             a b c d e f g h i  a b c d e f g h i j k l m n
                     j k l m n

            """#)
        var empty = TextTable()
        empty.row([.init("a"), .init(""), .init("b")])
        empty.row([.init(""), .init(""), .init("")])
        #expect(empty.text(.plain) == "a  b\n\n" && TextTable().text(.plain).isEmpty)
        var blank = TextTable(leftAligned: [0])
        blank.row([.init("extraordinarily"), .init("1")])
        #expect(blank.text(Style(hasColour: false, width: 5, hasFixedWidth: true)) == "extraordinarily  1\n")
    }

    @Test func listsAndBlocksFit() {
        // Broken: a list is folded although it fits, or its facts are in another order.
        let rows = [
            ["name", "fact", "n", "the words of it"],
            ["long name", "f", "12", "more words of it, which are wrapped when narrow"],
        ]
        expectText(
            Style(hasColour: true).list(rows),
            #"""
            «b:name»       fact  n   the words of it
            «b:long name»  f     12  more words of it, which are wrapped when narrow

            """#)
        expectText(
            Style(hasColour: false, width: 52, hasFixedWidth: true).list(rows),
            #"""
            name
                fact, n: the words of it
            long name
                f, 12: more words of it, which are wrapped when
                narrow

            """#)
        expectText(
            Style(hasColour: false, width: 51, hasFixedWidth: true).list(rows),
            #"""
            name
                fact, n: the words of it
            long name
                f, 12: more words of it, which are wrapped when
                narrow

            """#)
        #expect(
            Style.plain.list([]).isEmpty && Style(hasColour: true).list([["a", "b"]]) == "\u{1B}[1ma\u{1B}[0m  b\n")
        #expect(Style(hasColour: false, width: 30, hasFixedWidth: true).list([["a", "b c"]]) == "a\n    b c\n")
        #expect(Style(hasColour: true).heading("a") == "\u{1B}[1ma\u{1B}[0m\n")
        #expect(
            Style(hasColour: true).passed == "\u{1B}[32mpass\u{1B}[0m"
                && Style(hasColour: true).failed == "\u{1B}[31mFAIL\u{1B}[0m")
        let four = Style(hasColour: true, width: 4, hasFixedWidth: true)
        #expect(
            four.fits("\u{1B}[31mabcd\u{1B}[0m\nabc") && !four.fits("abc\nabcde")
                && Style(hasColour: true, width: 4).fits("abcde"))
        #expect(Style.plain.width == 100 && !Style.plain.hasFixedWidth && !Style.plain.hasColour)
        #expect(Style(hasColour: false, width: 4).wrapped("", indent: 0).isEmpty)
        #expect(Style(hasColour: false, width: 4).wrapped("abcdef gh", indent: 1) == "abcdef\n gh")
    }
}
