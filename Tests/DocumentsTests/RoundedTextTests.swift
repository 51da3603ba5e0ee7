import DeadzoneBase
import DeadzoneMetrics
import DeadzoneSamples
import DeadzoneTestKit
import Foundation
import Testing

@testable import DeadzoneReports

/// Numbers, shares and tables as text, beside a second computation or at the exact value at which the text changes.
struct RoundedTextTests {
    private static func billionths(_ number: Double) -> Billionths {
        Billionths(count: Int128((number * 1e9).rounded()))
    }

    @Test func numbersHaveFourDigits() {
        // Broken: a number has a digit too many or too few at a power of ten, or is rounded down.
        let table: [(Int128, String)] = [
            (0, "0"), (1_000_000_000, "1"), (12_345_000_000_000, "12345"), (1_234_500_000, "1.235"),
            (9_999_500_000, "10"),
            (9_999_400_000, "9.999"), (10_000_000_001, "10"), (12_344_999_999, "12.34"), (12_345_000_001, "12.35"),
            (99_994_999_999, "99.99"), (100_050_000_000, "100.1"), (100_049_999_999, "100"),
            (1_000_500_000_000, "1001"),
            (1_000_499_999_999, "1000"), (999_949_999_999, "999.9"), (500_000_000, "0.5"), (123_450_000, "0.1235"),
            (99_999_000, "0.1"), (99_994_000, "0.09999"), (12_345_000, "0.01235"), (1_234_500, "0.001235"),
            (1, "0.000000001"),
            (1_500_000_000_000_000_500, "1500000000"), (-1_234_500_000, "-1.235"), (-1, "-0.000000001"),
        ]
        for (count, text) in table { #expect(NumberText.short(Billionths(count: count)) == text, "\(count)") }
    }

    @Test func decimalsAreRoundedHalfUp() {
        // Broken: a decimal is cut instead of rounded, keeps its trailing zeros, or loses its sign.
        let table: [(Int128, Int, String)] = [
            (1_250_000_000, 1, "1.3"), (1_249_999_999, 1, "1.2"), (1_500_000_000, 0, "2"), (1_499_999_999, 0, "1"),
            (50_000_000, 1, "0.1"), (49_999_999, 1, "0"), (-49_999_999, 1, "0"), (-50_000_000, 1, "-0.1"),
            (7_000_000, 3, "0.007"), (7_000_000, 2, "0.01"), (1_000_000_001, 9, "1.000000001"),
            (10_000_000_000, 3, "10"),
        ]
        for (count, places, text) in table {
            #expect(NumberText.decimal(Billionths(count: count), places: places) == text, "\(count)")
        }
    }

    @Test func aRowHasOneUnit() {
        // Broken: a row of a Markdown table has 747.6 s beside 1831 ms.
        let unit = PrintedUnit(.milliseconds, for: Self.billionths(747_600))
        let figures: [Figure] = [
            .value(Self.billionths(747_600)), .value(Self.billionths(1_831)), .atLeast(Self.billionths(20_000)), .never,
            .nothing,
        ]
        #expect(figures.map { $0.text(withUnit: unit) } == ["747.6 s", "1.831 s", "> 20 s", "never", "-"])
        #expect(Figure.value(Self.billionths(0.5)).text(withUnit: PrintedUnit(.ratio, for: .zero)) == "50%")
        #expect(Figure.value(Self.billionths(3)).text(withUnit: PrintedUnit(.count, for: .zero)) == "3")
    }

    @Test func changesAreRelative() {
        // Broken: a change has the wrong sign, its percentage is rounded down, tenfold begins elsewhere, or a number that
        // is not zero has dropped by 100%.
        let table: [(Double, Double, String?)] = [
            (0, 5, nil), (-1, 5, nil), (100, 100, "0%"), (100, 110, "+10%"), (100, 90, "-10%"), (100, 100.04, "0%"),
            (100, 100.05, "+0.1%"), (100, 109.94, "+9.9%"), (100, 109.95, "+10%"), (100, 112.4, "+12%"),
            (100, 112.5, "+13%"), (100, 0, "-100%"), (100, 0.6, "-99%"), (100, 0.5, "-99.5%"), (100, 0.2, "-99.8%"),
            (100, 0.01, "-99.9%"), (100, 999.9, "+900%"), (100, 1_000, "10x"), (100, 1_049, "10x"),
            (100, 1_050, "11x"), (3, 3.01, "+0.3%"), (300, 299, "-0.3%"),
        ]
        for (old, new, text) in table {
            #expect(NumberText.change(from: Self.billionths(old), to: Self.billionths(new)) == text, "\(old) \(new)")
        }
    }

    @Test func unitsGrowWithTheirNumbers() {
        // Broken: a unit changes at another size, or converts with another factor.
        let table: [(Metric.Unit, Double, String, Double)] = [
            (.milliseconds, 9_999.9, "ms", 1), (.milliseconds, 10_000, "s", 1_000), (.bytes, 9_999.9, "B", 1),
            (.bytes, 10_000, "kB", 1e3), (.bytes, 9_999_999, "kB", 1e3), (.bytes, 10_000_000, "MB", 1e6),
            (.bytes, 9_999_999_999, "MB", 1e6), (.bytes, 10_000_000_000, "GB", 1e9), (.joules, 0, "J", 1),
            (.joules, 0.9, "mJ", 1e-3), (.joules, 1, "J", 1), (.ratio, 0.5, "%", 0.01), (.count, 5, "", 1),
            (.seconds, 90_000, "s", 1), (.perHour, 3, "/h", 1), (.percent, 3, "%", 1),
        ]
        for (unit, largest, name, size) in table {
            let printed = PrintedUnit(unit, for: Self.billionths(largest))
            #expect(printed.name == name, "\(unit) \(largest)")
            #expect(printed.text(Self.billionths(12.5 * size)) == "12.5")
        }
        // Rounded half up, before the digits are cut.
        let kilobytes = PrintedUnit(.bytes, for: Self.billionths(20_000))
        #expect(
            kilobytes.text(Billionths(count: 500)) == "0.000000001" && kilobytes.text(Billionths(count: 499)) == "0")
        #expect(Self.billionths(0.256).text(.ratio) == "25.6%" && Self.billionths(3).text(.count) == "3")
        #expect(Self.billionths(3).text(.seconds) == "3 s" && Self.billionths(0.25).text(.joules) == "250 mJ")
    }

    @Test func figuresSayWhatTheyAre() {
        // Broken: a lower bound is printed as a number, or a missing number as zero.
        let unit = PrintedUnit(.seconds, for: .zero)
        let figures: [(Figure, String, String)] = [
            (.value(Self.billionths(3)), "3", "3 s"), (.atLeast(Self.billionths(3)), "> 3", "> 3 s"),
            (.never, "never", "never"),
            (.nothing, "-", "-"), (.atLeast(.zero), "> 0", "> 0 s"),
        ]
        for (figure, cell, sentence) in figures {
            #expect(figure.text(in: unit) == cell && figure.text(.seconds) == sentence)
            let isOpen = cell.hasPrefix(">")
            #expect(figure.isOpen == isOpen && (figure.billionths == nil) == (figure == .never || figure == .nothing))
        }
    }

    @Test func durationsHaveTheirUnits() {
        // Broken: a unit is left out, or a part is counted twice.
        let table: [(Int64, String)] = [
            (0, "0 s"), (1, "1 ns"), (999, "999 ns"), (1_000, "1 µs"), (1_000_001, "1 ms 1 ns"),
            (60_000_000_000, "1 min"),
            (59_999_000_000, "59 s 999 ms"), (3_600_000_000_000, "1 h"), (90_000_000_000_000, "1 d 1 h"),
        ]
        for (span, text) in table { #expect(DurationText.short(.nanoseconds(span)) == text) }
        let clocks: [(Int64, String)] = [
            (0, "00:00.000"), (9, "00:00.009"), (10, "00:00.010"), (99, "00:00.099"), (100, "00:00.100"),
            (9_999, "00:09.999"),
            (10_000, "00:10.000"), (59_999, "00:59.999"), (60_000, "01:00.000"), (3_599_999, "59:59.999"),
            (3_600_000, "1:00:00.000"), (36_610_001, "10:10:10.001"),
        ]
        for (milliseconds, text) in clocks { #expect(DurationText.clock(milliseconds) == text) }
    }

    // MARK: Layout

    @Test func proseIsWrappedBetweenWords() {
        // Broken: a line is wider than the terminal, or breaks although the next word fits. The model fills greedily.
        seedSweep(100) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let words = (0..<12).map { _ in String(repeating: "w", count: 1 + Int(dice.next().scaled(below: 9))) }
            let (width, indent, lead) = (14 + Int(seed % 12), Int(seed % 4), Int(seed % 5))
            var (lines, used) = ([words[0]], lead + words[0].count)
            for word in words.dropFirst() {
                if used + 1 + word.count <= width {
                    lines[lines.count - 1] += " " + word
                    used += 1 + word.count
                } else {
                    lines.append(word)
                    used = indent + word.count
                }
            }
            let text = Style(hasColour: false, width: width).wrapped(
                words.joined(separator: " "), indent: indent, after: lead)
            #expect(text == lines.joined(separator: "\n" + String(repeating: " ", count: indent)), "seed \(seed)")
        }
    }

    @Test func tablesAlignTheirColumns() {
        // Broken: a column is aligned to the other side, a gap is missing, or a line ends in blanks.
        var table = TextTable(leftAligned: [0, 2])
        table.row([.init("name"), .init("n"), .init("mark"), .init("")])
        table.heading("Heading")
        table.row([.init("longer name"), .init("1000"), .init("*"), .init("x")])
        table.blank()
        table.row([.init("b"), .init(""), .init("")])
        #expect(table.text(.plain) == "name            n  mark\nHeading\nlonger name  1000  *     x\n\nb\n")
        var narrow = TextTable()
        narrow.row([.init("one two three four five six"), .init("12345")])
        let style = Style(hasColour: false, width: 27, hasFixedWidth: true)
        #expect(narrow.text(style) == "one two three four    12345\n  five six\n")
        #expect(
            Style(hasColour: true).paint("a", .red) == "\u{1B}[31ma\u{1B}[0m"
                && Style(hasColour: true).paint("", .red).isEmpty)
        #expect("a界e\u{301}".columns == 4 && "ab".padded(to: 4) == "ab  " && "abcde".padded(to: 4) == "abcde")
        for (width, isList) in [(60, true), (41, true), (40, false)] {
            let list = Style(hasColour: false, width: width, hasFixedWidth: true).list([["name", "a", "words of it"]])
            #expect(list == (isList ? "name  a  words of it\n" : "name\n    a: words of it\n"), "\(width)")
        }
    }

    @Test func blocksFitTheTerminal() {
        // Broken: a table is split although it fits, or not although it does not.
        func block(_ range: Range<Int>) -> String { String(repeating: "x", count: 10 * range.count) + "\n" }
        for (width, blocks) in [(40, [4]), (39, [3, 1]), (20, [2, 2]), (19, [1, 1, 1, 1]), (5, [1, 1, 1, 1])] {
            let text = Style(hasColour: false, width: width, hasFixedWidth: true).columnBlocks(4, block)
            #expect(text == blocks.map { block(0..<$0) }.joined(separator: "\n"), "\(width)")
        }
        #expect(Style(hasColour: false, width: 5).columnBlocks(4, block) == block(0..<4))
    }

    @Test func markdownIsTruncatedBetweenPieces() {
        // Broken: a piece is cut, or the number of those left out is another.
        let piece = String(repeating: "x", count: (Markdown.limit - 1_024) / 4)
        #expect(Markdown.truncated(Array(repeating: piece, count: 4)) { "\($0)" } == String(repeating: piece, count: 4))
        #expect(
            Markdown.truncated(Array(repeating: piece, count: 7)) { "\($0)" } == String(repeating: piece, count: 4)
                + "3")
        #expect(Markdown.truncated([piece + piece, piece + piece + "y"]) { "\($0)" } == piece + piece + "1")
        #expect(Markdown.fenced("a ``` b") == "````\na ``` b\n````\n" && Markdown.fenced("a") == "```\na\n```\n")
        #expect(Markdown.escaped("abcdef", atMost: 5) == "abcde…" && Markdown.escaped("abcde", atMost: 5) == "abcde")
        #expect(Markdown.escaped("a<b") == "a&#60;b" && Markdown.table(["a"], [["1"]]) == "| a |\n| --- |\n| 1 |\n")
        #expect(
            ShellWord.text("plain-1.yaml") == "plain-1.yaml" && ShellWord.text("a b") == "'a b'"
                && ShellWord.text("") == "''")
        #expect(ShellWord.text("it's") == "'it'\\''s'")
    }

    @Test func annotationsAreOneLineEach() {
        // Broken: a message breaks the command, or its place has another property.
        let text = Annotation.text(.warning, title: "a:b,c", "50%\nnext: x", file: "f,1.yaml", line: 3, column: 9)
        #expect(text == "::warning file=f%2C1.yaml,line=3,col=9,title=a%3Ab%2Cc::50%25%0Anext: x\n")
        #expect(Annotation.text(.notice, title: "t", "m") == "::notice title=t::m\n")
        #expect(
            Annotation.text(.error, title: "t", String(repeating: "m", count: 2_001)).count == "::error title=t::\n"
                .count + 2_000)
    }

    // MARK: Reports

    @Test func theSummaryCountsItsReasons() throws {
        // Broken: a reason too many or too few is counted, or a single file has a summary.
        var bad = Sample.report()
        bad.strategies[0].stops = ["one", "two", "three"]
        var one = Sample.report()
        one.strategies[0].stops = ["one"]
        func text(_ reports: [RunReport]) -> String {
            var summary = RunSummary()
            for (index, report) in reports.enumerated() { summary.add("f\(index)", [report]) }
            return summary.text(.plain)
        }
        #expect(text([bad]).isEmpty && text([]).isEmpty)
        let good = Sample.report()
        #expect(text([good, good]) == "\nSummary\n  pass  f0\n  pass  f1\npass: all 2 files\n")
        let first = try #require(bad.failures.first)
        #expect(bad.failures.count == 3 && one.failures.count == 1)
        #expect(
            text([good, bad, one])
                == "\nSummary\n  pass  f0\n  FAIL  f1: \(first); and 2 more\n  FAIL  f2: \(one.failures[0])\nFAIL: 2 of 3 files\n"
        )
    }

    @Test func sharesOfTheEnergyAreRounded() {
        // Broken: a share of the energy is rounded down, or a small one is printed as zero.
        let report = Sample.report()
        for (index, strategy) in report.strategies.enumerated() {
            let total = strategy.measurement.energyByCause.reduce(Int128(0)) { $0 + $1.joules.count }
            for (name, joules) in strategy.measurement.energyByCause
            where joules.count * 100 >= total && joules.count > 0 {
                let share = Int((Double(joules.count) / Double(total) * 100).rounded())
                let row = report.energyText(.plain).split(separator: "\n").first { $0.hasPrefix("  \(name) ") }
                let shares = row?.split(separator: " ").filter { $0.hasSuffix("%") } ?? []
                #expect(
                    shares.count > index && shares[index] == (share == 0 ? "<1%" : "\(share)%"), "\(name): \(row ?? "")"
                )
            }
        }
    }
}
