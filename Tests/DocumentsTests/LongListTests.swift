import DeadzoneMetrics
import DeadzoneTestKit
import Testing

@testable import DeadzoneReports

/// Lists of a comparison end after their limit, and the number of the other items is named.
struct LongListTests {
    private func count(_ words: String, in text: String) -> Int { text.split(separator: words).count - 1 }

    @Test func regressionsOnATerminal() throws {
        // Broken: one regression more or less than twenty is listed, or the wrong number is named.
        var report = try ComparedRuns.report()
        report.uncompared = []
        var one = report.scenarios[0]
        one.outcomes = []
        report.scenarios = [one]
        let each = report.regressions.count
        #expect(each == 2)
        for scenarios in [9, 10, 11, 15] {
            report.scenarios = Array(repeating: one, count: scenarios)
            let text = report.terminalText(.plain)
            let total = each * scenarios
            #expect(count("\n  FAIL  ", in: text) == min(20, total), "\(total)")
            #expect(text.contains("\n  and \(total - 20) more\n") == (total > 20), "\(total)")
        }
    }

    @Test func uncomparedItems() throws {
        // Broken: an item is left out without a word, or verbose output is cut.
        var report = try ComparedRuns.report()
        report.scenarios = []
        for total in [1, 11, 12, 13, 20, 30, 31, 40] {
            report.uncompared = (0..<total).map { Uncompared(scenario: "s\($0)", reason: .new) }
            let text = report.uncomparedText(.plain, false)
            #expect(count("\n  s", in: text) == min(12, total), "\(total)")
            #expect(text.contains("  and \(total - 12) more; -v shows all\n") == (total > 12), "\(total)")
            let verbose = report.uncomparedText(.plain, true)
            #expect(count("\n  s", in: verbose) == total && !verbose.contains("more"))
            #expect(count("was not compared.", in: report.markdown) == min(30, total), "\(total)")
        }
        report.uncompared = []
        #expect(report.uncomparedText(.plain, false).isEmpty)
    }
}
