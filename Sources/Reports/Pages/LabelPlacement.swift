/// Places the names of points in a chart beside their points, so that names cover neither each other nor a point.
struct LabelPlacement {
    /// Mean width of a character and height of a line, in the coordinates of the chart.
    private static let (character, line) = (6.6, 12.0)

    private struct Box {
        let left, right, top, bottom: Double

        func overlaps(_ other: Box) -> Bool {
            left < other.right && other.left < right && top < other.bottom && other.top < bottom
        }
    }

    let plotArea: PlotArea
    /// Smallest y coordinate of a label.
    private static let top = 4.0
    private var taken: [Box] = []

    init(plotArea: PlotArea) { self.plotArea = plotArea }

    /// Keeps labels away from a point.
    mutating func block(_ x: Double, _ y: Double) {
        taken.append(Box(left: x - 6, right: x + 6, top: y - 5, bottom: y + 5))
    }

    /// Baseline of a label: beside its point above the horizontal line, else below it, else farther away. A label that
    /// would leave the chart ends left of its point.
    mutating func place(length: Int, at x: Double, _ y: Double) -> (x: Double, y: Double, isFlipped: Bool) {
        let width = Double(length) * Self.character
        // Names may reach into the margin on the right.
        let isLate = x + 9 + width > Double(plotArea.right) + 34
        func box(_ baseline: Double, _ isFlipped: Bool) -> Box {
            let left = isFlipped ? x - 9 - width : x + 9
            return Box(left: left, right: left + width, top: baseline - Self.line + 3, bottom: baseline + 3)
        }
        var candidates: [(baseline: Double, isFlipped: Bool)] = []
        for step in 0..<12 {
            let more = Double(step) * Self.line / 2
            for isFlipped in [isLate, !isLate] {
                candidates += [(y - 7 - more, isFlipped), (y + 15 + more, isFlipped)]
            }
        }
        let fitting = candidates.filter { candidate in
            let box = box(candidate.baseline, candidate.isFlipped)
            return box.top >= Self.top && box.bottom <= Double(plotArea.bottom) && box.left >= 0
                && box.right <= Double(plotArea.right) + 40 && !taken.contains { $0.overlaps(box) }
        }
        let (baseline, isFlipped) = fitting.first ?? (y - 7, isLate)
        taken.append(box(baseline, isFlipped))
        return (isFlipped ? x - 9 : x + 9, baseline, isFlipped)
    }
}
