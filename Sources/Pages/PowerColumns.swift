import DeadzoneDevice
import DeadzonePrimitives
import DeadzoneTraces

/// A radio from afar, where more states lie side by side than there are pixels: columns whose areas are joules. Painted one
/// over the other the states would make a wall of whatever is shortest and highest, though the radio was mostly idle.
struct PowerColumns {
    private struct Column {
        var joules: [RadioShade: Double] = [:]
        var most = 0.0
    }

    private static let order: [RadioShade] = [.idle, .search, .tail, .promotion, .active]
    /// Of the line at a column's most, in tenths of a pixel.
    private static let line = 5

    private let axis: TimeAxis
    /// Nanoseconds.
    private let length: Int64
    private var columns: [Column]

    /// Nil where each state can be drawn for itself.
    init?(_ periods: [Story.RadioPeriod], _ axis: TimeAxis, most: Int) {
        guard periods.count > most else { return nil }
        self.axis = axis
        length = max(1, (axis.horizon + Int64(most) - 1) / Int64(most))
        columns = Array(repeating: Column(), count: Int((axis.horizon + length - 1) / length))
        for period in periods { add(period) }
    }

    private mutating func add(_ period: Story.RadioPeriod) {
        let (shade, watts) = (RadioShade(period.level.state), period.watts)
        var at = max(0, period.start)
        while at < min(period.end, axis.horizon) {
            let index = Int(at / length)
            let end = min(period.end, Int64(index + 1) * length)
            columns[index].joules[shade, default: 0] += watts * Double(end - at) / 1e9
            columns[index].most = max(columns[index].most, watts)
            at = end
        }
    }

    /// - Parameter height: the whole of it, in tenths of a pixel, for so many watts.
    func drawing(height: Int, watts: Double, _ id: String) -> String {
        var paths = [RadioShade: BarPath]()
        var peaks = BarPath()
        func place(_ power: Double) -> Int { height - Int((power / watts * Double(height)).rounded()) }
        for (index, column) in columns.enumerated() {
            let start = axis(Int64(index) * length)
            let end = axis(min(Int64(index + 1) * length, axis.horizon))
            let seconds = Double(min(length, axis.horizon - Int64(index) * length)) / 1e9
            var below = 0.0
            for shade in Self.order {
                guard let own = column.joules[shade] else { continue }
                let bottom = place(below / seconds)
                below += own
                let top = place(below / seconds)
                if top < bottom { paths[shade, default: BarPath()].add(start, end, top: top, bottom: bottom) }
            }
            let peak = place(column.most)
            if column.most > 0 { peaks.add(start, end, top: max(0, peak - Self.line), bottom: max(Self.line, peak)) }
        }
        return RadioShade.drawn(paths, id) + peaks.svg("r-most")
    }
}

extension Story.RadioPeriod {
    var watts: Double { Double(energy) / 1e6 / Double(max(1, end - start)) }
}
