/// Defines the chart that shows the measured numbers of an article's claim. Cells run from left to right in their
/// order, and each finding is drawn in its own style.
package struct ClaimPicture: Hashable, Sendable {
    package enum ChartKind: Hashable, Sendable {
        /// One bar for each finding of each cell.
        case bars
        /// One line per finding, through the cells. The cells are values of one growing quantity.
        case linePerFinding
        /// One line per cell, through the findings. The findings are one quantity at the values of another, growing
        /// quantity.
        case linePerCell
    }

    package let kind: ChartKind
    package let title: String
    /// One sentence that says what the chart shows.
    package let caption: String
    /// Findings in display order. All have the same unit.
    package let findings: [String]
    /// Shows only cells with this text in their name. Empty shows all cells.
    package let cells: String

    private init(_ kind: ChartKind, _ title: String, _ caption: String, _ findings: [String], among cells: String) {
        self.kind = kind
        self.title = title
        self.caption = caption
        self.findings = findings
        self.cells = cells
    }

    package static func bars(
        _ title: String, _ caption: String, of findings: String..., among cells: String = ""
    ) -> Self {
        Self(.bars, title, caption, findings, among: cells)
    }

    package static func linePerFinding(
        _ title: String, _ caption: String, of findings: String..., among cells: String = ""
    ) -> Self {
        Self(.linePerFinding, title, caption, findings, among: cells)
    }

    package static func linePerCell(
        _ title: String, _ caption: String, of findings: String..., among cells: String = ""
    ) -> Self {
        Self(.linePerCell, title, caption, findings, among: cells)
    }
}
