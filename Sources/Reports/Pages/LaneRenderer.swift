import DeadzoneBase
import DeadzoneDevice
import DeadzoneMetrics

/// One drawn lane of a figure: a horizontal row that shows one quantity of one strategy over time.
struct DrawnLane {
    let name: String
    /// Explanation that appears when the pointer is over the lane's name.
    let meaning: String
    /// Height in pixels.
    let height: Int
    /// SVG paths; x in axis steps, y in tenths of a pixel.
    let drawing: String
    /// Identifier for the page's script, which reads values from the lane's paths.
    let key: String
}

/// Draws the history of one phone (`PhoneHistory`) as horizontal lanes over time.
struct LaneRenderer {
    static let maxPeriods = 6_000
    /// One column for each pixel of a lane.
    static let maxColumns = LaneStack.plotWidth
    static let maxPackets = 5_000
    static let maxMessages = 4_000
    static let maxPoints = 1_500
    static let maxBars = 3_000
    /// Number of histories that a page can hold at full detail. Each takes at most 0.8 MB, all together less than 3 MB.
    static let fullDetailBudget = 3.0
    /// Part of a history's full size that remains at any detail: names, axes and long periods.
    static let fixedShare = 0.028

    /// Identifier of the figure; the names of its fill patterns contain it.
    let id: String
    let history: PhoneHistory
    let axis: TimeAxis
    /// Largest power of all strategies, so that heights are comparable.
    let watts: Double
    let joules: Double
    /// Fraction of each limit that this history may use. If a page shows many histories, each is drawn more coarsely.
    var detail = 1.0
    /// `true` draws only what a reader sees before the first zoom: at most one mark of a kind in each column of pixels.
    var isOverview = false
    /// The power that the full height of a radio lane represents until the reader zooms in. The lanes then are columns with
    /// an area in proportion to joules. `nil` draws each state.
    var columnWatts: Double?

    /// A column of at least this length would contain complete transfers with their tails, drawn wider than in reality.
    private static let longColumn = TimeSpan.seconds(5).nanoseconds

    /// The largest mean power of a column of any lane, if the radio lanes of a figure need columns: all of them or none, so
    /// that more energy always has more ink.
    static func columnWatts(_ histories: [PhoneHistory], _ axis: TimeAxis) -> Double? {
        let lanes = histories.flatMap(\.radio)
        guard axis.horizon / Int64(maxColumns) >= longColumn || lanes.contains(where: { $0.count > maxColumns }) else {
            return nil
        }
        let means = lanes.compactMap { PowerColumns($0, axis, most: maxColumns, isForced: true)?.largestMean }
        return max(0.001, means.max() ?? 0)
    }

    func step(_ count: Int, atMost most: Int) -> Int64 {
        let limit = Int(Double(most) * detail)
        return axis.step(count, atMost: isOverview ? min(limit, Self.maxColumns) : limit)
    }

    /// `true` if an overview of these histories lacks marks that the complete drawing has.
    static func isThinned(_ histories: [PhoneHistory], columnWatts: Double?) -> Bool {
        columnWatts != nil
            || histories.contains { history in
                [
                    history.packets.count, history.messages.count, history.connectionPeriods.count,
                    history.sleepPeriods.count, history.moments.count, history.energyPoints.count,
                ].contains { $0 > maxColumns }
            }
    }

    /// Thins out periods. If there are too many, keeps those of at least one step, and the longest shorter one in each
    /// step.
    func thinned<Value>(_ periods: [PhoneHistory.Period<Value>]) -> [PhoneHistory.Period<Value>] {
        let step = step(periods.count, atMost: Self.maxBars)
        guard step > 0 else { return periods }
        var kept: [PhoneHistory.Period<Value>] = []
        var (cell, best): (Int64, PhoneHistory.Period<Value>?) = (-1, nil)
        for period in periods {
            let length = period.end - period.start
            if length >= step {
                kept.append(period)
                continue
            }
            if period.start / step != cell {
                if let best { kept.append(best) }
                (cell, best) = (period.start / step, period)
            } else if let known = best, length > known.end - known.start {
                best = period
            }
        }
        return kept + [best].compactMap(\.self)
    }

    var lanes: [DrawnLane] {
        var lanes = [network].filter { !$0.drawing.isEmpty }
        for interface in Interface.allCases where !history.radio[Int(interface.rawValue)].isEmpty {
            lanes.append(radio(interface))
        }
        lanes += [app, sleep].filter { !$0.drawing.isEmpty }
        return lanes + [connection, packets, messages, energy].filter { !$0.drawing.isEmpty }
    }

    private var network: DrawnLane {
        var drawing = ""
        let present = Interface.allCases.filter { !history.radio[Int($0.rawValue)].isEmpty }
        for (row, interface) in present.enumerated() {
            let (top, bottom) = (row * 70, row * 70 + 50)
            var (there, dark) = (BarPath(), BarPath())
            for period in thinned(history.network(interface)) {
                let (start, end) = (axis(period.start), axis(period.end))
                if period.value {
                    there.add(start, end, top: top, bottom: bottom)
                } else {
                    dark.add(start, end, top: top, bottom: bottom)
                }
            }
            drawing += there.svg("n-there n-\(interface.name)") + dark.svg("n-dark", hatch: "h-dark-\(id)")
        }
        return DrawnLane(
            name: present.map(\.title).joined(separator: " / "),
            meaning: "Networks on which the phone has an address. Hatched: no packet gets through.",
            height: present.count * 7, drawing: drawing, key: "network")
    }

    /// Radio lane; the height of a bar is the power.
    private func radio(_ interface: Interface) -> DrawnLane {
        let (height, periods) = (interface.isCellular ? 44 : 26, history.radio[Int(interface.rawValue)])
        let far = columnWatts.flatMap { full in
            PowerColumns(periods, axis, most: Self.maxColumns, isForced: true)?.drawing(
                height: height * 10, watts: full, id, showsPeaks: false, joinsColumns: isOverview)
        }
        let near = far != nil && isOverview ? "" : states(periods, height: height * 10)
        let columns = columnWatts.map { full in
            let text = NumberText.short(Billionths(count: Int128(full * 1e9)))
            return " Columns show means, and their full height is \(text) W. Zoom in to see each state."
        }
        return DrawnLane(
            name: "\(interface.title) radio",
            meaning:
                "Power; the full height is \(Markup.coordinate(watts)) W. Hatched: tails, the time after the last byte.\(columns ?? "")",
            height: height,
            drawing: far.map { "<g class=\"far\">\($0)</g>" + (isOverview ? "" : "<g class=\"near\">\(near)</g>") }
                ?? near,
            key: "radio")
    }

    /// Each state of a radio as a bar. If there are too many, the states of one shade within a step become one bar.
    /// - Parameter height: height of the lane in tenths of a pixel.
    private func states(_ periods: [PhoneHistory.RadioPeriod], height: Int) -> String {
        let step = step(periods.count, atMost: Self.maxPeriods)
        var paths = ShadeTable(repeating: BarPath())
        let nothing = (start: Int64(0), length: Int64(-1), watts: 0.0)
        var (cell, spans) = (Int64(-1), ShadeTable(repeating: nothing))
        func flush() {
            for shade in RadioShade.allCases where spans[shade].length >= 0 {
                let bar = spans[shade]
                let top = height - max(8, Int(bar.watts / watts * Double(height)))
                paths[shade].add(axis(bar.start), axis(bar.start + bar.length), top: top, bottom: height)
                spans[shade] = nothing
            }
        }
        for period in periods {
            let (shade, length) = (RadioShade(period.level.state), period.end - period.start)
            let number = step == 0 ? -1 : period.start / step
            if step == 0 || number != cell { flush() }
            cell = number
            let known = spans[shade]
            spans[shade] =
                known.length < 0
                ? (period.start, length, period.watts)
                : (known.start, known.length + length, max(known.watts, period.watts))
        }
        flush()
        return RadioShade.drawn(paths, id)
    }

    private var app: DrawnLane {
        var (front, back, still) = (BarPath(), BarPath(), BarPath())
        for period in thinned(history.appPeriods) {
            let (start, end) = (axis(period.start), axis(period.end))
            switch period.value {
            case .front: front.add(start, end, top: 0, bottom: 80)
            case .back: back.add(start, end, top: 0, bottom: 80)
            case .gone: break
            }
        }
        let stops = history.sleepPeriods.filter { if case .suspended = $0.value { true } else { false } }
        for rest in thinned(stops) {
            still.add(axis(rest.start), axis(rest.end), top: 0, bottom: 80)
        }
        return DrawnLane(
            name: "App", meaning: "Dark: in the foreground. Light: in the background. Hatched: the system stops it.",
            height: 8,
            drawing: front.svg("a-front") + back.svg("a-back") + still.svg("a-still", hatch: "h-dark-\(id)"), key: "app"
        )
    }

    private var sleep: DrawnLane {
        var (awake, window) = (BarPath(), BarPath())
        for rest in thinned(history.sleepPeriods.filter { $0.value == .awake }) {
            awake.add(axis(rest.start), axis(rest.end), top: 20, bottom: 80)
        }
        for rest in thinned(history.sleepPeriods.filter { $0.value == .window }) {
            window.add(axis(rest.start), axis(rest.end), top: 0, bottom: 80)
        }
        return DrawnLane(
            name: "Awake, screen off", meaning: "Ticks: the processor is awake. Frames: maintenance windows of Doze.",
            height: 8, drawing: window.svg("a-window") + awake.svg("a-awake"), key: "awake")
    }

    private var connection: DrawnLane {
        let rows = history.connectionRows
        var belief = BarPath()
        var truths: [PhoneHistory.ConnectionHealth: BarPath] = [:]
        for (row, periods) in rows.enumerated() {
            let top = row * 190
            // The client's belief does not change when the true state does, so adjacent periods become one bar.
            for period in thinned(PhoneHistory.mergedPeriods(periods)) {
                belief.add(axis(period.start), axis(period.end), top: top, bottom: top + 50)
            }
            for truth in PhoneHistory.ConnectionHealth.allCases {
                for period in thinned(periods.filter { $0.value == truth }) {
                    truths[truth, default: BarPath()].add(
                        axis(period.start), axis(period.end), top: top + 60, bottom: top + 160)
                }
            }
        }
        var (failed, dropped) = (BarPath(), BarPath())
        for at in moments(.failed) { failed.stick(at, from: 0, to: 160) }
        for at in moments(.falseDrop) { dropped.stick(at, from: 0, to: 160) }
        return DrawnLane(
            name: "Believed / true",
            meaning:
                "Above: the client believes the connection is open. Below: it works, is blocked or is dead (grey: the app is frozen). Fine lines: failed attempts.",
            height: max(1, rows.count) * 19,
            drawing: belief.svg("k-belief") + (truths[.works] ?? BarPath()).svg("k-works")
                + (truths[.blocked] ?? BarPath()).svg("k-blocked", hatch: "h-blocked-\(id)")
                + (truths[.dead] ?? BarPath()).svg("k-zombie", hatch: "h-zombie-\(id)")
                + (truths[.frozen] ?? BarPath()).svg("k-frozen", hatch: "h-dark-\(id)")
                + failed.svg("k-failed") + dropped.svg("k-dropped"), key: "connection")
    }

    /// Axis positions of all moments of one kind, thinned out.
    private func moments(_ what: PhoneHistory.Moment.MomentKind) -> [Int64] {
        let periods = history.moments.filter { $0.kind == what }.map {
            PhoneHistory.Period(start: $0.at, end: $0.at, value: 0)
        }
        return thinned(periods).map { axis($0.start) }
    }
}
