import Testing

@testable import DeadzoneReports

struct LabelPlacementTests {
    private static let area = PlotArea(left: 58, right: 510, top: 40, bottom: 260)

    @Test(arguments: 0..<200)
    func namesOfACrowdStayReadable(_ seed: Int) {
        // Broken: names of neighbouring points cover each other or a point, or leave the chart.
        let centre = (x: 70.0 + Double(seed * 37 % 430), y: 60.0 + Double(seed * 53 % 190))
        let points = (0..<5).map { index in
            (
                x: min(max(centre.x + Double((seed + index * 29) % 60) - 30, 60), 508),
                y: min(max(centre.y + Double((seed + index * 17) % 40) - 20, 42), 258),
                length: 6 + (seed + index * 5) % 13
            )
        }
        var labels = LabelPlacement(plotArea: Self.area)
        for point in points { labels.block(point.x, point.y) }
        let boxes = points.map { point -> (left: Double, right: Double, bottom: Double) in
            let place = labels.place(length: point.length, at: point.x, point.y)
            let width = Double(point.length) * 6.6
            let left = place.isFlipped ? place.x - width : place.x
            #expect(abs(place.y - point.y) < 90)
            return (left, left + width, place.y)
        }
        for (index, one) in boxes.enumerated() {
            #expect(one.left >= 0 && one.right <= 550 && one.bottom <= 260 && one.bottom >= 10, "\(one)")
            for other in boxes.dropFirst(index + 1) {
                #expect(
                    one.right <= other.left || other.right <= one.left || abs(one.bottom - other.bottom) >= 12,
                    "\(one) \(other)")
            }
            for point in points {
                #expect(
                    point.x <= one.left || one.right <= point.x || point.y <= one.bottom - 9
                        || one.bottom + 3 <= point.y)
            }
        }
    }
}
