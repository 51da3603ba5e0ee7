import DeadzoneCaptures
import DeadzoneDocuments
import DeadzoneReplay

/// The lanes of a replay on one time axis, with what changed in the capture as rules through all of them.
struct ReplayFigure {
    let report: ReplayReport
    let radio: ReplayReport.Radio
    let picture: RadioTimeline
    let begin: Stamp

    private static let id = "lanes-0"
    private static let mostEvents = 200

    var html: String {
        let artist = ReplayLanes(Self.id, picture, report.habits.bursts)
        let stack = LaneStack(id: Self.id, axis: artist.axis, events: events)
        return """
            <section class="part"><h2>What happened</h2>
            <p class="lede">From \(begin.utc); times count from there. \
            Every column is \(TimeText.span(picture.length)) long: what is shorter is in its mean.</p>
            \(Self.legend)
            \(LaneStack.controls(whole: "whole capture"))
            <div class="lanes wide" id="\(Self.id)" tabindex="0" role="group" aria-label="Radio, packets and bursts over time" \
            \(artist.axis.attributes) data-joules="\(Markup.place(artist.joules))">
            \(stack.ruler([.tail]))\(stack.block(0, heading(artist), artist.lanes))</div>
            <p class="readout" aria-live="polite" hidden></p>
            \(burstTable)\(eventTable)</section>

            """
    }

    private var events: [EventMark] {
        report.habits.transitions.prefix(Self.mostEvents).map { transition in
            EventMark(at: picture.place(transition.at), title: transition.words)
        }
    }

    private func heading(_ artist: ReplayLanes) -> String {
        """
        <b>\(Markup.escaped(radio.profile, atMost: 80))</b> \
        <span>\(ReplayPage.joules(radio.bill.joules)), whole height of the radio \(Markup.place(artist.peakWatts)) W</span>
        """
    }

    private var burstTable: String {
        guard !report.habits.bursts.isEmpty else { return "" }
        let bursts = report.habits.bursts
        let all = bursts.count + report.habits.unlistedBursts
        let rows = bursts.prefix(Self.mostEvents).map { burst in
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
            "what changed", ["at", "change"],
            events.map { [TimeText.text($0.at), Markup.escaped($0.title, atMost: 200)] })
    }

    private static let legend: String = {
        let radio = [("r-active", "transfer"), ("r-promo", "promotion"), ("r-tail", "tail")]
            .map { "<span><i class=\"sw \($0)\"></i>\($1)</span>" }.joined()
        let bursts = BurstShade.legend.map { "<span><i class=\"sw \($0.shade)\"></i>\($0.words)</span>" }.joined()
        return "<p class=\"legend\">\(radio)</p>\n<p class=\"legend\">Bursts: \(bursts)</p>"
    }()
}
