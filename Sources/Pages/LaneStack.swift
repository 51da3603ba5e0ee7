/// Lanes one below the other on one time axis, with the names of events on top and a rule for each through all of them. Drawn
/// once: for the strategies of a run, and for the radio of a capture.
struct LaneStack {
    static let width = 1_120
    static let gutter = 132
    static let plot = 980

    /// What fills an area beside its colour, so that nobody has to see the colour.
    enum Hatch: String, CaseIterable {
        case tail, dark, blocked, zombie

        var strokes: String {
            switch self {
            case .tail, .dark: "M0 3H6"
            case .blocked: "M1 1h2v2h-2zM4 4h2v2h-2z"
            case .zombie: "M0 3H6M3 0V6"
            }
        }
    }

    /// Of the figure: patterns are named after it.
    let id: String
    let axis: TimeAxis
    let events: [EventMark]

    /// - Parameter heading: escaped.
    func block(_ index: Int, _ heading: String, _ lanes: [DrawnLane]) -> String {
        var (y, drawing) = (4, "")
        for lane in lanes {
            drawing += """
                <g class="lane" data-key="\(lane.key)"><title>\(lane.name): \(lane.meaning)</title>\
                <text class="name" x="\(Self.gutter - 10)" y="\(y + lane.height / 2 + 4)">\(lane.name)</text>\
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
            <div class="strategy" data-index="\(index)"><h3>\(heading)</h3>
            <svg viewBox="0 0 \(Self.width) \(y)" class="block" aria-hidden="true">\(drawing)</svg></div>

            """
    }

    /// Time on top, and above it what the events are called.
    func ruler(_ hatches: [Hatch]) -> String {
        let placed = EventMark.placed(events, axis, width: Self.plot)
        let height = ((placed.map(\.row).max() ?? -1) + 1) * 14 + 24
        var drawing = ""
        for place in placed {
            drawing += """
                <text class="event\(place.isFlipped ? " flip" : "")" x="\(Self.gutter + place.x + (place.isFlipped ? -3 : 3))" \
                y="\(place.row * 14 + 11)" data-at="\(axis(place.mark.at))">\(Markup.escaped(place.mark.title, atMost: 48))</text>
                """
        }
        let scale = Scale(0, Double(axis.length), onto: Double(Self.gutter), Double(Self.gutter + Self.plot))
        let ticks = TimeText.ticks(axis.horizon).map {
            "<text x=\"\(Markup.place(scale(Double(axis($0)))))\" y=\"\(height - 7)\">\(TimeText.text($0))</text>"
        }
        return """
            <svg viewBox="0 0 \(Self.width) \(height)" class="ruler" aria-hidden="true">\
            <defs>\(hatches.map(pattern).joined())</defs>\(drawing)\
            <g class="ticks">\(ticks.joined())</g><path class="axis" d="M\(Self.gutter) \(height - 1)h\(Self.plot)"/></svg>

            """
    }

    /// Drawn where pixels are stretched to ticks, so pressed together by as much. Each has its ground: one path is enough.
    private func pattern(_ hatch: Hatch) -> String {
        """
        <pattern id="h-\(hatch.rawValue)-\(id)" class="h-\(hatch.rawValue)" width="6" height="6" \
        patternUnits="userSpaceOnUse" \
        patternTransform="scale(\(Markup.place(Double(axis.length) / Double(Self.plot))) 10) rotate(45)">\
        <rect width="6" height="6"/><path d="\(hatch.strokes)"/></pattern>
        """
    }

    /// - Parameter whole: what the last button shows again.
    static func controls(whole: String) -> String {
        """
        <div class="controls" hidden><span class="zoom"><button type="button" data-do="in" title="zoom in (+)">+</button>\
        <button type="button" data-do="out" title="zoom out (−)">−</button>\
        <button type="button" data-do="left" title="earlier (←)">←</button>\
        <button type="button" data-do="right" title="later (→)">→</button>\
        <button type="button" data-do="all" title="\(whole) (0)">\(whole)</button></span>\
        <span class="hint">Drag to zoom, arrow keys to move. The address keeps the view.</span></div>
        """
    }
}
