import DeadzoneCompare
import DeadzoneDocuments
import DeadzoneHost
import DeadzonePages
import DeadzoneRuns
import DeadzoneTestKit
import Testing

@testable import DeadzoneClaims

/// Measures all claims.
struct VerdictTests {
    private static var maker: ClaimMaker { ClaimMaker(by: ParallelExecutor(jobs: HostMachine.cores)) }

    /// Broken: the scenario of a claim cannot be run, the claim uses a missing value, or no rule decides it.
    @Test func `every claim has a verdict`() throws {
        let reports = try Self.maker.reports(of: ArticleClaim.all)
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

    /// Broken: a number is missing, or two claims share one.
    @Test func `claims are numbered without a gap`() {
        for article in Article.allCases {
            let numbers = ArticleClaim.all.filter { $0.id.hasPrefix(article.rawValue) }.map { $0.id.dropFirst() }
            #expect(numbers.compactMap { Int($0) } == Array(1..<(numbers.count + 1)))
        }
    }
}
