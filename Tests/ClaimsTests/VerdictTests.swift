import DeadzoneCompare
import DeadzoneDocuments
import DeadzoneHost
import DeadzonePages
import DeadzoneRuns
import DeadzoneTestKit
import Testing

@testable import DeadzoneClaims

/// All claims, measured.
struct VerdictTests {
    private static var maker: ClaimMaker { ClaimMaker(by: Crew(jobs: Machine.cores)) }

    /// Broken: a claim whose scenario cannot be run, that speaks of what is not there, or that nothing decides.
    @Test func `every claim comes to a verdict`() throws {
        let reports = try Self.maker.reports(of: ArticleClaim.all)
        #expect(reports.map(\.id) == ArticleClaim.all.map(\.id))
        for report in reports {
            #expect(report.verdict != .open, "\(report.id): \(report.cells.map(\.findings))")
            #expect(!report.claim.isEmpty && !report.value.isEmpty && !report.instead.isEmpty, "\(report.id)")
        }
        // Broken: the pages say what the program no longer does.
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
