import DeadzoneBase
import DeadzoneDevice
import DeadzoneMetrics
import DeadzoneReplay

/// Draws the lanes (chart rows over time) of a replayed capture: radio power, packets, bursts, and cumulative joules.
struct ReplayLanes {
    let id: String
    let picture: RadioTimeline
    let bursts: [ReplayReport.BurstRow]
    let axis: TimeAxis
    let joules: Double
    /// Largest mean power of a column, in watts.
    let peakWatts: Double

    /// Heights of the lanes, in tenths of a pixel.
    private static let (radio, packets, burst, energy) = (520, 260, 220, 300)

    init(_ id: String, _ picture: RadioTimeline, _ bursts: [ReplayReport.BurstRow]) {
        self.id = id
        self.picture = picture
        self.bursts = bursts
        axis = TimeAxis(horizon: picture.horizon)
        let totals = picture.cells.map(\.total)
        joules = max(1e-9, totals.reduce(0, +))
        peakWatts = max(1e-9, (totals.max() ?? 0) / (Double(picture.length) / 1e9))
    }

    var lanes: [DrawnLane] { [power, traffic, burstLane, energyLane].filter { !$0.drawing.isEmpty } }

    /// Radio lane with stacked states. The states that last longest are at the bottom, so transfers are above the tails
    /// that they cause.
    private var power: DrawnLane {
        let order = RadioShade.allCases
        var paths = ShadeTable(repeating: BarPath())
        var open = [RadioShade: (start: Int64, end: Int64, top: Int, bottom: Int)]()
        func close(_ shade: RadioShade) {
            guard let bar = open.removeValue(forKey: shade) else { return }
            paths[shade].add(axis(bar.start), axis(bar.end), top: bar.top, bottom: bar.bottom)
        }
        for (index, column) in picture.cells.enumerated() {
            let (start, end) = (Int64(index) * picture.length, Int64(index + 1) * picture.length)
            var below = 0.0
            for shade in order {
                let own = RadioState.allCases.reduce(0.0) {
                    RadioShade($1) == shade ? $0 + column[$1] : $0
                }
                guard own > 0 else {
                    close(shade)
                    continue
                }
                let bottom = Self.radio - height(below, Self.radio)
                below += own
                let top = min(Self.radio - height(below, Self.radio), bottom - 4)
                // Equal adjacent columns become one bar, so a quiet night takes as little space as a second.
                if let bar = open[shade], bar.end == start, bar.top == top, bar.bottom == bottom {
                    open[shade] = (bar.start, end, top, bottom)
                } else {
                    close(shade)
                    open[shade] = (start, end, top, bottom)
                }
            }
        }
        for shade in order { close(shade) }
        return DrawnLane(
            name: "Radio",
            meaning: "Power, the mean of \(TimeText.span(picture.length)) in each column; the full height is "
                + "\(Markup.coordinate(peakWatts)) W. Hatched: tails, the time after the last byte.",
            height: Self.radio / 10,
            drawing: RadioShade.drawn(paths, id), key: "radio")
    }

    private func height(_ joules: Double, _ whole: Int) -> Int {
        Int((joules / (Double(picture.length) / 1e9) / peakWatts * Double(whole)).rounded())
    }

    private var traffic: DrawnLane {
        let middle = Self.packets / 2
        var (up, down) = (BarPath(), BarPath())
        func height(_ bytes: Int) -> Int {
            min(middle - 10, max(15, Int(ChartScale.log2(Double(max(bytes, 32))) * 9) - 30))
        }
        for (index, column) in picture.cells.enumerated() {
            let at = axis(Int64(index) * picture.length)
            if column.up.packets > 0 { up.stick(at, from: middle, to: middle - height(column.up.bytes)) }
            if column.down.packets > 0 { down.stick(at, from: middle, to: middle + height(column.down.bytes)) }
        }
        return DrawnLane(
            name: "Packets ↑ ↓",
            meaning: "Bytes sent above, received below; the height is their logarithm.", height: Self.packets / 10,
            drawing: up.svg("q-payload") + down.svg("q-other"), key: "packets")
    }

    private var burstLane: DrawnLane {
        let most = max(1e-9, bursts.map(\.joules).max() ?? 0)
        var paths = [String: BarPath]()
        for burst in bursts {
            let height = max(20, Int((burst.joules / most * Double(Self.burst - 10)).rounded()))
            paths[BurstShade.of(burst.cause), default: BarPath()].stick(
                axis(picture.place(burst.at)), from: Self.burst, to: Self.burst - height)
        }
        return DrawnLane(
            name: "Bursts", meaning: "One bar for each burst; the height is its energy, the colour is its cause.",
            height: Self.burst / 10, drawing: paths.sorted { $0.key < $1.key }.map { $1.svg("burst " + $0) }.joined(),
            key: "bursts")
    }

    private var energyLane: DrawnLane {
        var line = "M0 \(Self.energy)"
        var (sum, last) = (0.0, Self.energy)
        for (index, column) in picture.cells.enumerated() {
            sum += column.total
            let y = Self.energy - Int(sum / joules * Double(Self.energy))
            let isLast = index == picture.cells.count - 1
            guard y != last || isLast else { continue }
            // Draws the level part up to here first.
            line += "L\(axis(Int64(index) * picture.length)) \(last)L\(axis(Int64(index + 1) * picture.length)) \(y)"
            last = y
        }
        return DrawnLane(
            name: "Joules so far", meaning: "The full height is \(Markup.coordinate(joules)) J.",
            height: Self.energy / 10,
            drawing: "<path class=\"e-area\" d=\"\(line)V\(Self.energy)z\"/><path class=\"e-line\" d=\"\(line)\"/>\n",
            key: "energy")
    }

}

/// The CSS colour class for the cause of a packet burst. Related causes share a hue; tables name the cause.
enum BurstShade {
    static func of(_ cause: String) -> String {
        switch cause {
        case "client", "large": "c-payload"
        case "server": "c-resume"
        case "periodic", "keepalive": "c-keep"
        case "control": "c-connect"
        case "retransmission": "c-again"
        default: "c-base"
        }
    }

    static let legend: [(shade: String, words: String)] = [
        ("c-payload", "client, large"), ("c-resume", "server"), ("c-keep", "periodic, keepalive"),
        ("c-connect", "opening and closing"), ("c-again", "retransmission"), ("c-base", "unknown"),
    ]
}
