import DeadzoneBase
import DeadzoneMetrics

/// A point of the chart and of the slider on a tuning page: the present settings, a proposal, or another point of the
/// front, measured in fresh weathers.
struct TunePagePoint {
    let row: TuneReport.TuneRow
    /// Name of a proposal; empty for other points of the front.
    let name: String
    let colour: Int
    let isHollow: Bool
    /// The values of the first two goals as ratios to the present settings.
    let (x, y): (Double, Double)

    /// Colour of the front, beside the colours of the proposals.
    private static let frontColour = 7

    /// All points that have both ratios, the best in the first goal first.
    static func all(_ report: TuneReport) -> [TunePagePoint] {
        let rows = report.rows.enumerated().compactMap { index, row in
            TunePagePoint(row, report.title(of: row), colour: index + 1, isHollow: false)
        }
        let front = report.front.compactMap { TunePagePoint($0, "", colour: frontColour, isHollow: true) }
        let present = TunePagePoint(present: report)
        let isHigher = report.goals.first?.better == .higher
        return (front + rows + [present]).enumerated().sorted { a, b in
            let (first, second) = isHigher ? (b.element.x, a.element.x) : (a.element.x, b.element.x)
            return first != second ? first < second : a.offset < b.offset
        }.map(\.element)
    }

    private init?(_ row: TuneReport.TuneRow, _ name: String, colour: Int, isHollow: Bool) {
        guard row.changes.count > 1, let x = row.changes[0].change, let y = row.changes[1].change, x > -1, y > -1 else {
            return nil
        }
        (self.row, self.name, self.colour, self.isHollow, self.x, self.y) = (row, name, colour, isHollow, x + 1, y + 1)
    }

    private init(present report: TuneReport) {
        (row, name, colour, isHollow, x, y) = (report.present, "present", 0, false, 1, 1)
    }

    var isPresent: Bool { colour == 0 }

    /// The settings that differ from the present ones, such as `keepalive.interval 4m`.
    func settingsText(_ report: TuneReport) -> String {
        row.changed.map { "\(report.settings[$0].name) \(row.values[$0] ?? "")" }.joined(separator: ", ")
    }
}

/// The points of a tuning page one by one: a table, of which a slider shows one row. The results are on the page, so
/// nothing is simulated.
struct TunePointsTable {
    let report: TuneReport

    /// Empty if there is nothing to choose among.
    var html: String {
        let points = TunePagePoint.all(report)
        guard report.goals.count > 1, report.isComplete, points.count > 2 else { return "" }
        let rows = points.enumerated().map { index, point in
            let changes = report.goals.indices.map { goal in
                point.isPresent ? "" : Markup.escaped(TuneReport.text(point.row.changes[goal]))
            }
            let name = point.name.isEmpty ? "on the front" : point.name
            let settings = point.isPresent ? "as they are" : point.settingsText(report)
            return "<tr data-point=\"\(index)\"><th scope=\"row\"><b class=\"who\">"
                + Marker(index: point.colour).inline
                + Markup.escaped(name, atMost: 80) + "</b></th>" + changes.map { "<td>\($0)</td>" }.joined()
                + "<td>\(Markup.escaped(settings, atMost: 600))</td></tr>\n"
        }
        let head = [""] + report.goals.map { Markup.escaped($0.label) } + ["settings"]
        let first = Markup.escaped(report.goals[0].label, atMost: 60)
        return """
            <p class="pointer" hidden><label>Best in “\(first)” on the left \
            <input type="range" min="0" max="\(points.count - 1)" value="\(points.firstIndex { $0.isPresent } ?? 0)"></label> \
            <button type="button">all points</button></p>
            <div class="wide"><table class="points"><thead><tr>\(head.map(Markup.head).joined())</tr></thead><tbody>
            \(rows.joined())</tbody></table></div>

            """
    }
}
