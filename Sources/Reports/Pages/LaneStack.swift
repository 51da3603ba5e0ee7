/// Draws several lanes (horizontal rows of data) below each other on one time axis. Event names are above, and a
/// vertical line for each event runs through all lanes. Used for the strategies of a run and for the radio of a
/// capture.
struct LaneStack {
    static let width = 1_120
    static let labelWidth = 132
    static let plotWidth = 980

    /// A fill pattern for an area of a chart, so that it is recognisable without colour.
    enum FillPattern: String, CaseIterable {
        case tail, dark, blocked, zombie

        var strokes: String {
            switch self {
            case .tail, .dark: "M0 3H6"
            case .blocked: "M1 1h2v2h-2zM4 4h2v2h-2z"
            case .zombie: "M0 3H6M3 0V6"
            }
        }
    }

    /// Identifier of the figure; the names of its fill patterns contain it.
    let id: String
    let axis: TimeAxis
    let events: [EventMark]

    /// - Parameter heading: HTML, already escaped.
    func block(_ index: Int, _ heading: String, _ lanes: [DrawnLane]) -> String {
        var (y, drawing) = (4, "")
        for lane in lanes {
            drawing += """
                <g class="lane" data-key="\(lane.key)"><title>\(lane.name): \(lane.meaning)</title>\
                <text class="name" x="\(Self.labelWidth - 10)" y="\(y + lane.height / 2 + 4)">\(lane.name)</text>\
                <svg class="time l-\(lane.key)" x="\(Self.labelWidth)" y="\(y)" width="\(Self.plotWidth)" height="\(lane.height)" \
                viewBox="0 0 \(axis.length) \(lane.height * 10)" preserveAspectRatio="none">\(lane.drawing)</svg></g>

                """
            y += lane.height + 8
        }
        var rules = BarPath()
        for event in events.prefix(LaneRenderer.maxBars) { rules.stick(axis(event.at), from: 0, to: y * 10) }
        drawing += """
            <svg class="time" x="\(Self.labelWidth)" y="0" width="\(Self.plotWidth)" height="\(y)" \
            viewBox="0 0 \(axis.length) \(y * 10)" preserveAspectRatio="none">\(rules.svg("rule"))</svg>
            """
        return """
            <div class="strategy" data-index="\(index)"><h3>\(heading)</h3>
            <svg viewBox="0 0 \(Self.width) \(y)" class="block" aria-hidden="true">\(drawing)</svg></div>

            """
    }

    /// Time ruler with the event names above it.
    func ruler(_ hatches: [FillPattern]) -> String {
        let placed = EventMark.layOut(events, axis, width: Self.plotWidth)
        let height = ((placed.map(\.row).max() ?? -1) + 1) * 14 + 24
        var drawing = ""
        for place in placed {
            drawing += """
                <text class="event\(place.isFlipped ? " flip" : "")" x="\(Self.labelWidth + place.x + (place.isFlipped ? -3 : 3))" \
                y="\(place.row * 14 + 11)" data-at="\(axis(place.mark.at))">\(Markup.escaped(place.mark.title, atMost: 48))</text>
                """
        }
        let scale = ChartScale(
            0, Double(axis.length), onto: Double(Self.labelWidth), Double(Self.labelWidth + Self.plotWidth))
        let ticks = TimeText.ticks(axis.horizon).map {
            "<text x=\"\(Markup.coordinate(scale(Double(axis($0)))))\" y=\"\(height - 7)\">\(axis.text($0))</text>"
        }
        return """
            <svg viewBox="0 0 \(Self.width) \(height)" class="ruler" aria-hidden="true">\
            <defs>\(hatches.map(pattern).joined())</defs>\(drawing)\
            <g class="ticks">\(ticks.joined())</g><path class="axis" d="M\(Self.labelWidth) \(height - 1)h\(Self.plotWidth)"/></svg>

            """
    }

    /// SVG pattern, scaled to compensate for the stretched coordinates of the lanes. It includes a background, so an
    /// area needs only one path.
    private func pattern(_ hatch: FillPattern) -> String {
        """
        <pattern id="h-\(hatch.rawValue)-\(id)" class="h-\(hatch.rawValue)" width="6" height="6" \
        patternUnits="userSpaceOnUse" \
        patternTransform="scale(\(Markup.coordinate(Double(axis.length) / Double(Self.plotWidth))) 10) rotate(45)">\
        <rect width="6" height="6"/><path d="\(hatch.strokes)"/></pattern>
        """
    }

    /// - Parameter whole: Label of the button that shows the whole range again.
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
