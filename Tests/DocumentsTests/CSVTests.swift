import DeadzoneMetrics
import DeadzoneSamples
import Foundation
import Testing

@testable import DeadzoneReports

@Suite struct CSVTests {
    @Test("A spreadsheet neither runs a name as a formula nor splits it")
    func cellsAreQuoted() {
        let table = [
            ("plain", "plain"), ("=1+1", "\"'=1+1\""), ("+a", "\"'+a\""), ("-a", "\"'-a\""), ("@a", "\"'@a\""),
            ("\ta", "\"'\ta\""), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a\nb", "\"a\nb\""), ("", ""),
            ("a\r\nb", "\"a\r\nb\""), (" a", "\" a\""), ("a=b", "a=b"),
        ]
        for (cell, text) in table { #expect(CSV.quoted(cell) == text) }
    }

    @Test("The long form has every number in its column")
    func theLongForm() {
        var report = Sample.report(name: "=cmd()")
        report.scenario.cell = [CellAxis(key: "interval", value: "15s"), CellAxis(key: "radio", value: "lte")]
        report.strategies[1].groups = [
            GroupReport(name: "=old", phones: 3, measurement: report.strategies[0].measurement)
        ]
        let lines = CSV.text([report]).components(separatedBy: "\r\n")
        #expect(lines.count == 2 + 3 * Catalogue.all.count && lines.last == "")
        let grouped = lines.filter { $0.hasSuffix(",\"'=old\"") }
        #expect(grouped.count == Catalogue.all.count)
        let (own, other) = (report.strategies[1].name, report.strategies[0].name)
        for line in grouped {
            // The numbers of the group, under the strategy that it belongs to.
            let twin = line.replacing(",\"'=old\"", with: ",").replacing(",\(own),", with: ",\(other),")
            #expect(lines.contains(twin), "\(line)")
        }
        #expect(lines[0] == CSV.header)
        #expect(lines.contains { $0.hasPrefix("\"'=cmd()\",interval=15s radio=lte,tuned,zombie.max,s,9,9,9,") })
        #expect(lines.contains("\"'=cmd()\",interval=15s radio=lte,tuned,latency.up.p50,ms,,,,"))
        #expect(
            lines.dropFirst().dropLast().allSatisfy {
                $0.split(separator: ",", omittingEmptySubsequences: false).count == 9
            })
    }
}
