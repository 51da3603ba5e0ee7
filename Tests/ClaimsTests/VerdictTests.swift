import DeadzoneHost
import DeadzoneMetrics
import DeadzoneReports
import DeadzoneRuns
import DeadzoneTestKit
import Testing

@testable import DeadzoneClaims

/// Measures all claims.
struct VerdictTests {
    /// All claims are measured once.
    private static let reports = Result {
        try ClaimMaker(by: ParallelExecutor(jobs: HostMachine.cores)).reports(of: ArticleClaim.all)
    }

    /// Broken: the scenario of a claim cannot be run, the claim uses a missing value, or no rule decides it.
    @Test func `every claim has a verdict`() throws {
        let reports = try Self.reports.get()
        #expect(reports.map(\.id) == ArticleClaim.all.map(\.id))
        for report in reports {
            #expect(report.verdict != .open, "\(report.id): \(report.cells.map(\.findings))")
            #expect(!report.claim.isEmpty && !report.value.isEmpty && !report.instead.isEmpty, "\(report.id)")
        }
        // Broken: the saved pages differ from the results of the program.
        let folder = Repository.root + "/Results/claims"
        expectSnapshot(ClaimReport.markdown(reports), "README.md", under: folder)
        for picture in ClaimsPage.pictures(reports) { expectSnapshot(picture.text, picture.name, under: folder) }
        expectSnapshot(ClaimsPage.html(reports), "claims.html", under: folder)
        expectSnapshot(ClaimReport.json(reports).text() + "\n", "claims.json", under: folder)
    }

    private static let verdicts: [(ClaimVerdict, String)] = [
        (
            .confirmed,
            """
            A4 A18 A27 B1 B2 B4 B12 B13 B22 B25 B29 B31 C1 C5 C6 C7 C8 C9 C10 D1 D2 D3 D4 D5 D6 D8 D9
            """
        ),
        (
            .conditional,
            """
            A1 A2 A5 A6 A7 A8 A9 A10 A11 A12 A14 A15 A22 A25 A30 A32 A35 A37 A38 B3 B7 B8 B14 B15 B16 B17 B18 B19 B21 \
            B23 B27 B28 B32 B35 B36 C2 C3 C4 D7
            """
        ),
        (.refuted, "A3 A17 A20 A21 A26 A28 A29 A31 A34 B9 B10 B11 B20 B30 B33 B34"), (.inert, "A13 A16 A33"),
        (.contradiction, "A19 A23 A24 A36 B5 B6 B24 B26"),
    ]

    /// Broken: a verdict changes unnoticed, or a report has the words, the command or the article of another claim. Or
    /// a claim that compares cells is judged in each of them.
    @Test func `verdicts and words are those of the claims`() throws {
        let reports = try Self.reports.get()
        for (verdict, ids) in Self.verdicts {
            for id in ids.split(separator: " ") {
                #expect(reports.first { $0.id == id }?.verdict == verdict, "\(id)")
            }
        }
        for (claim, report) in zip(ArticleClaim.all, reports) {
            #expect([report.id, report.claim] == [claim.id, claim.statement], "\(claim.id)")
            #expect([report.value, report.instead] == [claim.value, claim.instead], "\(claim.id)")
            #expect(report.worldChange.isEmpty && report.article.rawValue == String(claim.id.prefix(1)))
            #expect((report.picture == nil) == (claim.picture == nil))
            // Readers that name cells form one result, however many cells there are.
            if claim.readings.contains(where: { !$0.cell.isEmpty }) {
                #expect(report.cells.map(\.name) == [""], "\(claim.id)")
            }
            if let name = claim.scenario {
                let command = "deadzone claims \(claim.id) --scenario > \(name).yaml && deadzone run \(name).yaml"
                #expect(report.method == .scenario(name) && report.rerunCommand == command)
            } else {
                #expect(report.method == .computation && report.rerunCommand.hasPrefix("deadzone "))
            }
        }
        #expect(Set(ArticleClaim.all.map(\.statement)).count == ArticleClaim.all.count)
    }

    /// Broken: a number is missing, or two claims share one.
    @Test func `claims are numbered without a gap`() {
        for article in Article.allCases {
            let numbers = ArticleClaim.all.filter { $0.id.hasPrefix(article.rawValue) }.map { $0.id.dropFirst() }
            #expect(numbers.compactMap { Int($0) } == Array(1..<(numbers.count + 1)))
        }
    }
}
