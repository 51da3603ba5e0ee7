import DeadzoneCompare
import DeadzoneMetrics
import DeadzoneSamples
import Foundation
import Testing

@testable import DeadzoneDocuments

@Suite struct CSVTests {
    @Test("Else a spreadsheet would run a name as a formula, or split it in two")
    func cellsAreQuoted() {
        let table = [
            ("plain", "plain"), ("=1+1", "\"'=1+1\""), ("+a", "\"'+a\""), ("-a", "\"'-a\""), ("@a", "\"'@a\""),
            ("\ta", "\"'\ta\""), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a\nb", "\"a\nb\""), ("", ""),
            ("a\r\nb", "\"a\r\nb\""), (" a", "\" a\""), ("a=b", "a=b"),
        ]
        for (cell, text) in table { #expect(CSV.quoted(cell) == text) }
    }

    @Test("Else a number would be missing from the long form, or in the wrong column")
    func theLongForm() {
        var report = Sample.report(name: "=cmd()")
        report.scenario.cell = [CellAxis(key: "interval", value: "15s"), CellAxis(key: "radio", value: "lte")]
        let lines = CSV.text([report]).components(separatedBy: "\r\n")
        #expect(lines.count == 2 + 2 * Catalogue.all.count && lines.last == "")
        #expect(lines[0] == CSV.header)
        #expect(lines.contains { $0.hasPrefix("\"'=cmd()\",interval=15s radio=lte,tuned,zombie.max,s,9,9,9") })
        #expect(lines.contains("\"'=cmd()\",interval=15s radio=lte,tuned,latency.up.p50,ms,,,"))
        #expect(
            lines.dropFirst().dropLast().allSatisfy {
                $0.split(separator: ",", omittingEmptySubsequences: false).count == 8
            })
    }
}
