import DeadzoneBase
import DeadzoneDevice

/// Draws radio power over time at low zoom, when there are more radio states than pixels. It draws columns with an area
/// in proportion to joules. If all states were painted over each other, short high peaks would fill the lane, although
/// the radio was mostly idle.
struct PowerColumns {
    private struct PowerColumn {
        var joules = ShadeTable(repeating: 0.0)
        var peakWatts = 0.0
    }

    /// Height of the line at a column's peak, in tenths of a pixel.
    private static let peakLineHeight = 5

    private let axis: TimeAxis
    /// Length of a column in nanoseconds.
    private let length: Int64
    private var columns: [PowerColumn]

    /// `nil` if there are few enough periods to draw each one.
    /// - Parameters:
    ///   - most: Number of columns, and most periods that are drawn one by one.
    ///   - isForced: `true` if another lane of the figure needs columns. Lanes in different styles cannot be compared: a
    ///     short peak that is drawn alone has more ink than many peaks in a mean.
    init?(_ periods: [PhoneHistory.RadioPeriod], _ axis: TimeAxis, most: Int, isForced: Bool = false) {
        guard periods.count > most || isForced else { return nil }
        self.axis = axis
        length = max(1, (axis.horizon + Int64(most) - 1) / Int64(most))
        columns = Array(repeating: PowerColumn(), count: Int((axis.horizon + length - 1) / length))
        for period in periods { add(period) }
    }

    private mutating func add(_ period: PhoneHistory.RadioPeriod) {
        let (shade, watts) = (RadioShade(period.level.state), period.watts)
        var at = max(0, period.start)
        while at < min(period.end, axis.horizon) {
            let index = Int(at / length)
            let end = min(period.end, Int64(index + 1) * length)
            columns[index].joules[shade] += watts * Double(end - at) / 1e9
            columns[index].peakWatts = max(columns[index].peakWatts, watts)
            at = end
        }
    }

    /// The largest mean power of a column.
    var largestMean: Double {
        columns.indices.map { columns[$0].joules.sum / seconds($0) }.max() ?? 0
    }

    private func seconds(_ index: Int) -> Double {
        Double(min(length, axis.horizon - Int64(index) * length)) / 1e9
    }

    /// - Parameters:
    ///   - height: Height of the lane in tenths of a pixel, which represents `watts`.
    ///   - showsPeaks: `true` adds a line at the largest power of each column, which the height must contain.
    ///   - joinsColumns: `true` draws adjacent columns of equal height as one bar. The picture is the same, and most of a
    ///     day is idle.
    func drawing(
        height: Int, watts: Double, _ id: String, showsPeaks: Bool = true, joinsColumns: Bool = false
    ) -> String {
        var paths = ShadeTable(repeating: BarPath())
        var open = ShadeTable(repeating: (start: Int64(0), end: Int64(-1), top: 0, bottom: 0))
        func close(_ shade: RadioShade) {
            let bar = open[shade]
            if bar.end >= 0 { paths[shade].add(bar.start, bar.end, top: bar.top, bottom: bar.bottom) }
        }
        var peaks = BarPath()
        func place(_ power: Double) -> Int { height - Int((power / watts * Double(height)).rounded()) }
        for (index, column) in columns.enumerated() {
            let start = axis(Int64(index) * length)
            let end = axis(min(Int64(index + 1) * length, axis.horizon))
            let seconds = seconds(index)
            var below = 0.0
            for shade in RadioShade.allCases where column.joules[shade] > 0 {
                let bottom = place(below / seconds)
                below += column.joules[shade]
                let top = place(below / seconds)
                guard top < bottom else { continue }
                let last = open[shade]
                if joinsColumns, last.end == start, last.top == top, last.bottom == bottom {
                    open[shade].end = end
                } else {
                    close(shade)
                    open[shade] = (start, end, top, bottom)
                }
            }
            let peak = place(column.peakWatts)
            if showsPeaks, column.peakWatts > 0 {
                peaks.add(start, end, top: max(0, peak - Self.peakLineHeight), bottom: max(Self.peakLineHeight, peak))
            }
        }
        for shade in RadioShade.allCases { close(shade) }
        return RadioShade.drawn(paths, id) + peaks.svg("r-most")
    }
}
