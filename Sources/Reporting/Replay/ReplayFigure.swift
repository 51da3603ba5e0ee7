import DeadzoneMetrics

/// The lanes of a replay on one time axis, with what changed in the capture as rules through all of them.
struct ReplayFigure {
    let report: ReplayReport
    let radio: ReplayReport.Radio
    let picture: ReplayPicture

    private static let id = "lanes-0"
    private static let mostEvents = 200

    var html: String {
        let artist = ReplayLanes(Self.id, picture, report.habits.bursts)
        let tick = artist.axis.tick / 1_000_000
        return """
            <section class="part"><h2>What happened</h2>
            <p class="lede">From \(NumberText.decimal(picture.begin, places: 3)) s since 1970. \
            Every column is \(Clock.span(picture.length)) long: what is shorter is in its mean.</p>
            \(Self.legend)
            <div class="controls" hidden><span class="zoom"><button type="button" data-do="in" title="zoom in (+)">+</button>\
            <button type="button" data-do="out" title="zoom out (−)">−</button>\
            <button type="button" data-do="left" title="earlier (←)">←</button>\
            <button type="button" data-do="right" title="later (→)">→</button>\
            <button type="button" data-do="all" title="whole capture (0)">whole capture</button></span>\
            <span class="hint">Drag to zoom, arrow keys to move. The address keeps the view.</span></div>
            <div class="lanes wide" id="\(Self.id)" tabindex="0" role="group" aria-label="Radio, packets and bursts over time" \
            data-length="\(artist.axis.length)" data-tick="\(tick)" data-joules="\(Markup.place(artist.joules))">
            \(ruler(artist.axis))\(block(artist))</div>
            <p class="readout" aria-live="polite" hidden></p>
            \(burstTable)\(eventTable)</section>

            """
    }

    private var events: [EventMark] {
        report.habits.transitions.prefix(Self.mostEvents).map { transition in
            EventMark(at: picture.place(transition.at), title: transition.words)
        }
    }

    private func block(_ artist: ReplayLanes) -> String {
        let (width, gutter, plot) = (LanesFigure.width, LanesFigure.gutter, LanesFigure.plot)
        var (y, drawing) = (4, "")
        for lane in artist.lanes {
            drawing += """
                <g class="lane" data-key="\(lane.key)"><title>\(lane.name): \(lane.meaning)</title>\
                <text class="name" x="\(gutter - 10)" y="\(y + lane.height / 2 + 4)">\(lane.name)</text>\
                <svg class="time l-\(lane.key)" x="\(gutter)" y="\(y)" width="\(plot)" height="\(lane.height)" \
                viewBox="0 0 \(artist.axis.length) \(lane.height * 10)" preserveAspectRatio="none">\(lane.drawing)</svg></g>

                """
            y += lane.height + 8
        }
        var rules = BarPath()
        for event in events { rules.stick(artist.axis(event.at), from: 0, to: y * 10) }
        drawing += """
            <svg class="time" x="\(gutter)" y="0" width="\(plot)" height="\(y)" \
            viewBox="0 0 \(artist.axis.length) \(y * 10)" preserveAspectRatio="none">\(rules.svg("rule"))</svg>
            """
        return """
            <div class="strategy" data-index="0"><h3><b>\(Markup.escaped(radio.profile, atMost: 80))</b> \
            <span>\(ReplayPage.joules(radio.joules)), whole height of the radio \(Markup.place(artist.peakWatts)) W</span></h3>
            <svg viewBox="0 0 \(width) \(y)" class="block" aria-hidden="true">\(drawing)</svg></div>

            """
    }

    /// Time on top, and above it what the events are called.
    private func ruler(_ axis: TimeAxis) -> String {
        let (width, gutter, plot) = (LanesFigure.width, LanesFigure.gutter, LanesFigure.plot)
        let placed = EventMark.placed(events, axis, width: plot)
        let height = ((placed.map(\.row).max() ?? -1) + 1) * 14 + 24
        var drawing = ""
        for place in placed {
            drawing += """
                <text class="event\(place.isFlipped ? " flip" : "")" x="\(gutter + place.x + (place.isFlipped ? -3 : 3))" \
                y="\(place.row * 14 + 11)" data-at="\(axis(place.mark.at))">\(Markup.escaped(place.mark.title, atMost: 48))</text>
                """
        }
        let scale = Scale(0, Double(axis.length), onto: Double(gutter), Double(gutter + plot))
        let ticks = Clock.ticks(axis.horizon).map {
            "<text x=\"\(Markup.place(scale(Double(axis($0)))))\" y=\"\(height - 7)\">\(Clock.text($0))</text>"
        }
        return """
            <svg viewBox="0 0 \(width) \(height)" class="ruler" aria-hidden="true"><defs>\(hatch(axis))</defs>\(drawing)\
            <g class="ticks">\(ticks.joined())</g><path class="axis" d="M\(gutter) \(height - 1)h\(plot)"/></svg>

            """
    }

    private func hatch(_ axis: TimeAxis) -> String {
        """
        <pattern id="h-tail-\(Self.id)" class="h-tail" width="6" height="6" patternUnits="userSpaceOnUse" \
        patternTransform="scale(\(Markup.place(Double(axis.length) / Double(LanesFigure.plot))) 10) rotate(45)">\
        <rect width="6" height="6"/><path d="M0 3H6"/></pattern>
        """
    }

    private var burstTable: String {
        guard !report.habits.bursts.isEmpty else { return "" }
        let bursts = report.habits.bursts
        let all = bursts.count + report.habits.unlistedBursts
        let rows = bursts.prefix(Self.mostEvents).map { burst in
            [
                Clock.span(picture.place(burst.at)), burst.cause, Clock.span(Int64(burst.seconds * 1e9)),
                "\(burst.packets)", "\(burst.bytes)", ReplayPage.joules(burst.joules),
                Markup.escaped(burst.flow ?? "", atMost: 100),
            ]
        }
        return Markup.table(
            "bursts" + (all > rows.count ? ", \(rows.count) of \(all)" : ""),
            ["at", "cause", "length", "packets", "bytes", "energy", "first flow"], rows)
    }

    private var eventTable: String {
        guard !events.isEmpty else { return "" }
        return Markup.table(
            "what changed", ["at", "change"],
            events.map { [Clock.text($0.at), Markup.escaped($0.title, atMost: 200)] })
    }

    private static let legend: String = {
        let radio = [("r-active", "transfer"), ("r-promo", "promotion"), ("r-tail", "tail")]
            .map { "<span><i class=\"sw \($0)\"></i>\($1)</span>" }.joined()
        let bursts = BurstShade.legend.map { "<span><i class=\"sw \($0.shade)\"></i>\($0.words)</span>" }.joined()
        return "<p class=\"legend\">\(radio)</p>\n<p class=\"legend\">Bursts: \(bursts)</p>"
    }()
}
