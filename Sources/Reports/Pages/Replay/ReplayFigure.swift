import DeadzoneCaptures
import DeadzoneReplay

/// The section "Timeline" of the replay page: legend, controls, time ruler, tables of bursts and network transitions.
/// `ReplayLanes` draws the lanes in it.
struct ReplayFigure {
    let report: ReplayReport
    let radio: ReplayReport.RadioCost
    let picture: RadioTimeline
    let begin: Timestamp

    private static let id = "lanes-0"
    private static let maxEvents = 200

    var html: String {
        let renderer = ReplayLanes(Self.id, picture, report.habits.bursts)
        let stack = LaneStack(id: Self.id, axis: renderer.axis, events: events)
        return """
            <section class="part"><h2>Timeline</h2>
            <p class="lede">Times start at \(begin.utc). \
            Each column is the mean of \(TimeText.span(picture.length)).\(local)</p>
            \(Self.legend)
            \(LaneStack.controls(whole: "whole capture"))
            <div class="lanes wide" id="\(Self.id)" tabindex="0" role="group" aria-label="Radio, packets and bursts over time" \
            \(renderer.axis.attributes) data-joules="\(Markup.coordinate(renderer.joules))">
            \(stack.ruler([.tail]))\(stack.block(0, heading(renderer), renderer.lanes))</div>
            <p class="readout" aria-live="polite" hidden></p>
            \(burstTable)\(eventTable)</section>

            """
    }

    private var local: String {
        report.neighbours == nil ? "" : " Local traffic, which a cellular network does not carry, is left out."
    }

    private var events: [EventMark] {
        report.habits.transitions.prefix(Self.maxEvents).map { transition in
            EventMark(at: picture.place(transition.at), title: transition.words)
        }
    }

    private func heading(_ renderer: ReplayLanes) -> String {
        """
        <b>\(Markup.escaped(radio.profile, atMost: 80))</b> \
        <span>\(ReplayPage.joules(radio.bill.joules)), full height of the radio lane \(Markup.coordinate(renderer.peakWatts)) W</span>
        """
    }

    private var burstTable: String {
        guard !report.habits.bursts.isEmpty else { return "" }
        let bursts = report.habits.bursts
        let all = bursts.count + report.habits.unlistedBursts
        let rows = bursts.prefix(Self.maxEvents).map { burst in
            [
                TimeText.span(picture.place(burst.at)), burst.cause, TimeText.span(Int64(burst.seconds * 1e9)),
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
            "change", ["at", "change"],
            events.map { [TimeText.text($0.at), Markup.escaped($0.title, atMost: 200)] })
    }

    private static let legend: String = {
        let radio = [("r-active", "transfer"), ("r-promo", "promotion"), ("r-tail", "tail")]
            .map { "<span><i class=\"sw \($0)\"></i>\($1)</span>" }.joined()
        let bursts = BurstShade.legend.map { "<span><i class=\"sw \($0.shade)\"></i>\($0.words)</span>" }.joined()
        return "<p class=\"legend\">\(radio)</p>\n<p class=\"legend\">Bursts: \(bursts)</p>"
    }()
}
