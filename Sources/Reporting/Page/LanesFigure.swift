import DeadzoneMetrics
import DeadzonePrimitives

/// The swim lanes: one time axis, strategies one below the other, the scenario's events as rules through all of them.
struct LanesFigure {
    static let width = 1_120
    static let gutter = 132
    static let plot = 980

    let id: String
    let exhibit: Exhibit
    private let axis: TimeAxis
    private let detail: Double
    private let events: [EventMark]

    /// - Parameter stories: on the whole page.
    init(_ id: String, _ exhibit: Exhibit, stories: Int) {
        self.id = id
        let share = LaneArtist.mostDetailed / Double(max(1, stories)) - LaneArtist.leastOfEach
        detail = min(1, max(share, LaneArtist.leastOfEach / 10))
        self.exhibit = exhibit
        axis = TimeAxis(horizon: exhibit.report.scenario.duration.nanoseconds)
        events = EventMark.marks(exhibit.stories.first?.changes ?? [])
    }

    var html: String {
        guard !exhibit.stories.isEmpty else { return "" }
        let watts = max(0.001, exhibit.stories.map(\.peakWatts).max() ?? 0)
        let joules = max(0.001, exhibit.stories.map(\.joules).max() ?? 0)
        var blocks = ""
        for (index, story) in exhibit.stories.enumerated() {
            let artist = LaneArtist(id: id, story: story, axis: axis, watts: watts, joules: joules, detail: detail)
            blocks += block(index, story, artist.lanes)
        }
        let phones = exhibit.report.scenario.phones > 1 ? "phone 1 of \(exhibit.report.scenario.phones), " : ""
        let tick = axis.tick / 1_000_000
        return """
            <section class="part"><h2>What happened</h2>
            <p class="lede">One run as one phone lived it (\(phones)replica 1 of \(exhibit.report.replicas)): the same \
            coverage, the same messages, and what each strategy made of them. The other charts are of all replicas.</p>
            \(Self.legend)
            <div class="controls" hidden><span class="zoom"><button type="button" data-do="in" title="zoom in (+)">+</button>\
            <button type="button" data-do="out" title="zoom out (−)">−</button>\
            <button type="button" data-do="left" title="earlier (←)">←</button>\
            <button type="button" data-do="right" title="later (→)">→</button>\
            <button type="button" data-do="all" title="whole run (0)">whole run</button></span>\
            <span class="hint">Drag to zoom, arrow keys to move. The address keeps the view.</span></div>
            <div class="lanes" id="\(id)" tabindex="0" role="group" aria-label="Swim lanes of all strategies" \
            data-length="\(axis.length)" data-tick="\(tick)" \
            data-joules="\(Markup.place(joules))">
            \(ruler)\(blocks)</div>
            <p class="readout" aria-live="polite" hidden></p>
            \(eventTable)\(lanesTable)</section>

            """
    }

    private func block(_ index: Int, _ story: Story, _ lanes: [DrawnLane]) -> String {
        var (y, drawing) = (4, "")
        for lane in lanes {
            let middle = y + lane.height / 2 + 4
            drawing += """
                <g class="lane" data-key="\(lane.key)"><title>\(lane.name): \(lane.meaning)</title>\
                <text class="name" x="\(Self.gutter - 10)" y="\(middle)">\(lane.name)</text>\
                <svg class="time l-\(lane.key)" x="\(Self.gutter)" y="\(y)" width="\(Self.plot)" height="\(lane.height)" \
                viewBox="0 0 \(axis.length) \(lane.height * 10)" preserveAspectRatio="none">\(lane.drawing)</svg></g>

                """
            y += lane.height + 8
        }
        var rules = BarPath()
        for event in events.prefix(LaneArtist.mostBars) { rules.stick(axis(event.at), from: 0, to: y * 10) }
        drawing += """
            <svg class="time" x="\(Self.gutter)" y="0" width="\(Self.plot)" height="\(y)" \
            viewBox="0 0 \(axis.length) \(y * 10)" preserveAspectRatio="none">\(rules.svg("rule"))</svg>
            """
        return """
            <div class="strategy" data-index="\(index)"><h3>\(exhibit.report.label(index)) <span>\(facts(index, story))</span></h3>
            <svg viewBox="0 0 \(Self.width) \(y)" class="block" aria-hidden="true">\(drawing)</svg></div>

            """
    }

    private func facts(_ index: Int, _ story: Story) -> String {
        let dead = story.truths.filter { $0.value == .dead }.reduce(Int64(0)) { $0 + $1.end - $1.start }
        let lost = story.messages.count { $0.seen == nil }
        var facts = [NumberText.short(Billionths(count: Int128(story.joules * 1e9))) + " J"]
        facts.append(
            dead == 0 ? "never believed a dead connection" : "believed dead connections for \(Clock.span(dead))")
        if !story.messages.isEmpty {
            facts.append(lost == 0 ? "every message came" : "\(lost) of \(story.messages.count) messages did not come")
        }
        return facts.joined(separator: " · ")
    }

    /// Time on top, and above it what the events are called.
    private var ruler: String {
        let placed = EventMark.placed(events, axis, width: Self.plot)
        let rows = (placed.map(\.row).max() ?? -1) + 1
        let height = rows * 14 + 24
        var drawing = ""
        for place in placed {
            drawing += """
                <text class="event\(place.isFlipped ? " flip" : "")" x="\(Self.gutter + place.x + (place.isFlipped ? -3 : 3))" \
                y="\(place.row * 14 + 11)" data-at="\(axis(place.mark.at))">\(Markup.escaped(place.mark.title, atMost: 48))</text>
                """
        }
        drawing += "<g class=\"ticks\">"
        let scale = Scale(0, Double(axis.length), onto: Double(Self.gutter), Double(Self.gutter + Self.plot))
        for tick in Clock.ticks(axis.horizon) {
            let x = Markup.place(scale(Double(axis(tick))))
            drawing += "<text x=\"\(x)\" y=\"\(height - 7)\">\(Clock.text(tick))</text>"
        }
        drawing += "</g>"
        return """
            <svg viewBox="0 0 \(Self.width) \(height)" class="ruler" aria-hidden="true"><defs>\(hatches)</defs>\(drawing)\
            <path class="axis" d="M\(Self.gutter) \(height - 1)h\(Self.plot)"/></svg>

            """
    }

    /// Drawn where pixels are stretched to ticks, so pressed together by as much. Each has its ground: one path is enough.
    private var hatches: String {
        let scale = "scale(\(Markup.place(Double(axis.length) / Double(Self.plot))) 10)"
        return [
            ("tail", "M0 3H6"), ("dark", "M0 3H6"), ("blocked", "M1 1h2v2h-2zM4 4h2v2h-2z"), ("zombie", "M0 3H6M3 0V6"),
        ].map {
            """
            <pattern id="h-\($0.0)-\(id)" class="h-\($0.0)" width="6" height="6" patternUnits="userSpaceOnUse" \
            patternTransform="\(scale) rotate(45)"><rect width="6" height="6"/><path d="\($0.1)"/></pattern>
            """
        }.joined()
    }

    private var eventTable: String {
        guard !events.isEmpty else { return "" }
        let shown = events.prefix(200)
        let rows = shown.map { [Clock.text($0.at), Markup.escaped($0.title, atMost: 200)] }
        return Markup.table(
            "what the world did" + (events.count > 200 ? ", the first 200" : ""), ["at", "event"], rows)
    }

    private var lanesTable: String {
        let rows = exhibit.stories.indices.map { index in
            let story = exhibit.stories[index]
            func total(_ truth: Story.Truth) -> String {
                Clock.span(story.truths.filter { $0.value == truth }.reduce(Int64(0)) { $0 + $1.end - $1.start })
            }
            let seen = story.messages.filter { $0.seen != nil }
            let slowest = seen.map { ($0.seen ?? 0) - $0.sent }.max() ?? 0
            return [
                Markup.escaped(exhibit.report.strategies[index].name, atMost: 60), total(.works), total(.blocked),
                total(.dead), "\(story.packets.count)", "\(seen.count) of \(story.messages.count)", Clock.span(slowest),
                NumberText.short(Billionths(count: Int128(story.joules * 1e9))) + " J",
            ]
        }
        return Markup.table(
            "the lanes in numbers",
            ["strategy", "works", "blocked", "dead, believed", "packets", "messages seen", "slowest", "energy"], rows)
    }

    private static let legend = """
        <p class="legend"><span><i class="sw r-active"></i>transfer</span><span><i class="sw r-promo"></i>promotion</span>\
        <span><i class="sw r-tail"></i>tail</span><span><i class="sw r-search"></i>search</span>\
        <span><i class="sw k-belief"></i>believed open</span><span><i class="sw k-works"></i>works</span>\
        <span><i class="sw k-blocked"></i>blocked</span><span><i class="sw k-zombie"></i>dead, and believed: a zombie</span></p>
        """
}
