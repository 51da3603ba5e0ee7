import DeadzoneDevice
import DeadzoneMetrics
import DeadzonePrimitives
import DeadzoneTraces

/// One row of the picture of a strategy's day.
struct DrawnLane {
    let name: String
    /// What the row shows, for who hovers over its name.
    let meaning: String
    /// In pixels.
    let height: Int
    /// Paths, over ticks and tenths of a pixel.
    let drawing: String
    /// What the script calls it: it reads values from its paths.
    let key: String
}

/// How the radio's power levels are grouped in pictures: fewer colours than states.
enum RadioShade: String, CaseIterable {
    // In the order in which they are painted: what is short comes last and stays visible.
    case idle = "r-idle"
    case search = "r-search"
    case tail = "r-tail"
    case promotion = "r-promo"
    case active = "r-active"

    init(_ state: RadioState) {
        switch state {
        case .idle: self = .idle
        case .search: self = .search
        case .promotion, .handover: self = .promotion
        case .active, .dch: self = .active
        case .tail, .shortDRX, .longDRX, .inactive, .fach: self = .tail
        }
    }
}

extension RadioShade {
    static func drawn(_ paths: [RadioShade: BarPath], _ id: String) -> String {
        allCases.map { (paths[$0] ?? BarPath()).svg($0.rawValue, hatch: $0 == .tail ? "h-tail-\(id)" : nil) }.joined()
    }
}

/// Draws the lanes of one story.
struct LaneArtist {
    static let mostPeriods = 6_000
    /// As many as a lane has pixels.
    static let mostColumns = LaneStack.plot
    static let mostPackets = 5_000
    static let mostMessages = 4_000
    static let mostPoints = 1_500
    static let mostBars = 3_000
    /// Stories that a page can hold at full detail: each then takes at most 0.8 MB, and all together less than three.
    static let mostDetailed = 3.0
    /// Of that, what a story takes however coarsely it is drawn: names, axes, and whatever lasts.
    static let leastOfEach = 0.028

    /// Of the figure: patterns are named after it.
    let id: String
    let story: Story
    let axis: TimeAxis
    /// The largest of all strategies, so that heights can be compared.
    let watts: Double
    let joules: Double
    /// How much of each bound this story may use: where a page shows many, each is drawn more coarsely.
    var detail = 1.0

    func step(_ count: Int, atMost most: Int) -> Int64 { axis.step(count, atMost: Int(Double(most) * detail)) }

    /// All of them, or of those shorter than a step the longest in each.
    func kept<Value>(_ periods: [Story.Period<Value>]) -> [Story.Period<Value>] {
        let step = step(periods.count, atMost: Self.mostBars)
        guard step > 0 else { return periods }
        var kept: [Story.Period<Value>] = []
        var (cell, best): (Int64, Story.Period<Value>?) = (-1, nil)
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
        for interface in Interface.allCases where !story.radio[Int(interface.rawValue)].isEmpty {
            lanes.append(radio(interface))
        }
        lanes += [app, sleep].filter { !$0.drawing.isEmpty }
        return lanes + [connection, packets, messages, energy].filter { !$0.drawing.isEmpty }
    }

    private var network: DrawnLane {
        var drawing = ""
        let present = Interface.allCases.filter { !story.radio[Int($0.rawValue)].isEmpty }
        for (row, interface) in present.enumerated() {
            let (top, bottom) = (row * 70, row * 70 + 50)
            var (there, dark) = (BarPath(), BarPath())
            for period in kept(story.network(interface)) {
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
            meaning: "Networks the phone has an address on; hatched: an address, but nothing gets through.",
            height: present.count * 7, drawing: drawing, key: "network")
    }

    /// As high as the power.
    private func radio(_ interface: Interface) -> DrawnLane {
        let (height, periods) = (interface == .wifi ? 26 : 44, story.radio[Int(interface.rawValue)])
        let step = step(periods.count, atMost: Self.mostPeriods)
        var paths = [RadioShade: BarPath]()
        var cell: (number: Int64, spans: [RadioShade: (start: Int64, length: Int64, watts: Double)]) = (-1, [:])
        func flush() {
            for (shade, bar) in cell.spans {
                let top = height * 10 - max(8, Int(bar.watts / watts * Double(height * 10)))
                paths[shade, default: BarPath()].add(
                    axis(bar.start), axis(bar.start + bar.length), top: top, bottom: height * 10)
            }
            cell.spans = [:]
        }
        for period in periods {
            let shade = RadioShade(period.level.state)
            let power = period.watts
            let number = step == 0 ? -1 : period.start / step
            if step == 0 || number != cell.number { flush() }
            cell.number = number
            if let known = cell.spans[shade] {
                cell.spans[shade] = (known.start, known.length + period.end - period.start, max(known.watts, power))
            } else {
                cell.spans[shade] = (period.start, period.end - period.start, power)
            }
        }
        flush()
        let near = RadioShade.drawn(paths, id)
        let far = PowerColumns(periods, axis, most: Self.mostColumns)?.drawing(height: height * 10, watts: watts, id)
        let columns =
            far == nil ? "" : " Columns are means, under a line at their most; zoomed in, each state is drawn."
        return DrawnLane(
            name: "\(interface.title) radio",
            meaning:
                "Its power; the whole height is \(Markup.place(watts)) W. Hatched: tails, after the last byte.\(columns)",
            height: height,
            drawing: far.map { "<g class=\"far\">\($0)</g><g class=\"near\">\(near)</g>" } ?? near,
            key: "radio")
    }

    private var app: DrawnLane {
        var (front, back, still) = (BarPath(), BarPath(), BarPath())
        for period in kept(story.app) {
            let (start, end) = (axis(period.start), axis(period.end))
            switch period.value {
            case .front: front.add(start, end, top: 0, bottom: 80)
            case .back: back.add(start, end, top: 0, bottom: 80)
            case .gone: break
            }
        }
        let stops = story.rests.filter { if case .suspended = $0.value { true } else { false } }
        for rest in kept(stops) {
            still.add(axis(rest.start), axis(rest.end), top: 0, bottom: 80)
        }
        return DrawnLane(
            name: "App", meaning: "Dark: in front. Light: in the background. Hatched: it may not run.", height: 8,
            drawing: front.svg("a-front") + back.svg("a-back") + still.svg("a-still", hatch: "h-dark-\(id)"), key: "app"
        )
    }

    private var sleep: DrawnLane {
        var (awake, window) = (BarPath(), BarPath())
        for rest in kept(story.rests.filter { $0.value == .awake }) {
            awake.add(axis(rest.start), axis(rest.end), top: 20, bottom: 80)
        }
        for rest in kept(story.rests.filter { $0.value == .window }) {
            window.add(axis(rest.start), axis(rest.end), top: 0, bottom: 80)
        }
        return DrawnLane(
            name: "Awake, screen off", meaning: "Ticks: the processor is awake. Frames: Doze's maintenance windows.",
            height: 8, drawing: window.svg("a-window") + awake.svg("a-awake"), key: "awake")
    }

    private var connection: DrawnLane {
        let rows = story.connectionRows
        var belief = BarPath()
        var truths: [Story.Truth: BarPath] = [:]
        for (row, periods) in rows.enumerated() {
            let top = row * 190
            // Belief goes on while the truth changes: one bar.
            for period in kept(Story.joined(periods)) {
                belief.add(axis(period.start), axis(period.end), top: top, bottom: top + 50)
            }
            for truth in Story.Truth.allCases {
                for period in kept(periods.filter { $0.value == truth }) {
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
                "Above: the client believes in a connection. Below: it works, is blocked, or is dead, in grey while the app is frozen. Fine lines: attempts failed.",
            height: max(1, rows.count) * 19,
            drawing: belief.svg("k-belief") + (truths[.works] ?? BarPath()).svg("k-works")
                + (truths[.blocked] ?? BarPath()).svg("k-blocked", hatch: "h-blocked-\(id)")
                + (truths[.dead] ?? BarPath()).svg("k-zombie", hatch: "h-zombie-\(id)")
                + (truths[.frozen] ?? BarPath()).svg("k-frozen", hatch: "h-dark-\(id)")
                + failed.svg("k-failed") + dropped.svg("k-dropped"), key: "connection")
    }

    /// Where something happened, each place once.
    private func moments(_ what: Story.Moment.What) -> [Int64] {
        let periods = story.moments.filter { $0.what == what }.map { Story.Period(start: $0.at, end: $0.at, value: 0) }
        return kept(periods).map { axis($0.start) }
    }
}
