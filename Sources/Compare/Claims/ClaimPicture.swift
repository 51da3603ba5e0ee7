/// What of the findings of a claim is drawn. Cells go to the right, in their order; findings are told apart.
public struct ClaimPicture: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// A bar for each finding of each cell.
        case bars
        /// A line through the cells for each finding: the cells are values of one thing that grows.
        case curve
        /// A line through the findings for each cell: the findings are one thing at values of another that grows.
        case course
    }

    public let kind: Kind
    public let title: String
    /// What is to be seen in it, in a sentence.
    public let caption: String
    /// In this order; all have one unit.
    public let findings: [String]
    /// Only cells in whose name this stands; empty: all.
    public let cells: String

    private init(_ kind: Kind, _ title: String, _ caption: String, _ findings: [String], among cells: String) {
        self.kind = kind
        self.title = title
        self.caption = caption
        self.findings = findings
        self.cells = cells
    }

    public static func bars(
        _ title: String, _ caption: String, of findings: String..., among cells: String = ""
    ) -> Self {
        Self(.bars, title, caption, findings, among: cells)
    }

    public static func curve(
        _ title: String, _ caption: String, of findings: String..., among cells: String = ""
    ) -> Self {
        Self(.curve, title, caption, findings, among: cells)
    }

    public static func course(
        _ title: String, _ caption: String, of findings: String..., among cells: String = ""
    ) -> Self {
        Self(.course, title, caption, findings, among: cells)
    }
}
