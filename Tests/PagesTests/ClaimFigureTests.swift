import DeadzoneMetrics
import Testing

@testable import DeadzoneReports

/// Figures of claims: the findings that are drawn.
struct ClaimFigureTests {
    private static func report(_ picture: ClaimPicture?, _ cells: [(name: String, joules: [Int128])]) -> ClaimReport {
        let cells = cells.map { cell in
            ClaimReport.ClaimCell(
                cell.name,
                cell.joules.enumerated().map { index, joules in
                    ClaimReport.ClaimFinding(
                        ["energy at 5 s", "energy at 60 s"][index], .joules,
                        .value(Billionths(count: joules * 1_000_000_000)))
                })
        }
        return ClaimReport(
            id: "A1", claim: "something is", value: "1", instead: "do it", method: .computation,
            rerunCommand: "deadzone",
            rule: .holds(["energy at 5 s": "at least 1J"]), cells: cells, picture: picture)
    }

    private static let cells: [(String, [Int128])] = [
        ("3G, often", [70, 30]), ("LTE, often", [90, 20]), ("LTE, seldom", [5, 4]),
    ]

    @Test func `a claim without a picture draws nothing`() {
        #expect(ClaimFigure(Self.report(nil, Self.cells)) == nil)
    }

    /// Broken: a bar is missing, or a bar of an unselected world is drawn.
    @Test func `a bar for each finding of each selected cell`() throws {
        let picture = ClaimPicture.bars("T", "C", of: "energy at 5 s", "energy at 60 s", among: "often")
        let html = try #require(ClaimFigure(Self.report(picture, Self.cells))).html
        #expect(html.components(of: "<rect") == 4)
        #expect(html.contains(">3G</text>") && !html.contains("seldom"))
        #expect(html.contains(">70 J</text>"))
    }

    /// Broken: values below zero are drawn outside of the picture.
    @Test func `values below zero are inside the picture`() throws {
        let curve = ClaimPicture.linePerFinding("T", "C", of: "energy at 5 s")
        let html = try #require(ClaimFigure(Self.report(curve, [("a", [40]), ("b", [-40])]))).html
        #expect(html.components(of: "40 J</text>") == 2)
        let bars = ClaimPicture.bars("T", "C", of: "energy at 5 s")
        let drawn = try #require(ClaimFigure(Self.report(bars, [("a", [40]), ("b", [-40])]))).html
        // The axis goes from 270 to 570, with zero in the middle.
        #expect(drawn.contains("x=\"420\"") && drawn.contains("x=\"270\""))
        #expect(drawn.components(of: "width=\"150\"") == 2)
    }

    @Test func `a curve goes through the cells, a course through the findings`() throws {
        let curve = ClaimPicture.linePerFinding("T", "C", of: "energy at 5 s", "energy at 60 s")
        #expect(try #require(ClaimFigure(Self.report(curve, Self.cells))).html.components(of: "class=\"curve") == 2)
        let course = ClaimPicture.linePerCell("T", "C", of: "energy at 5 s", "energy at 60 s")
        let html = try #require(ClaimFigure(Self.report(course, Self.cells))).html
        #expect(html.components(of: "class=\"curve") == 3)
        #expect(html.contains(">60 s</text>") && !html.contains(">energy at 60 s</text>"))
    }
}

extension String {
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
