import DeadzoneCompare
import DeadzoneDocuments
import DeadzoneMetrics
import DeadzonePrimitives
import DeadzoneTraces

/// The swim lanes: one time axis, strategies one below the other, the scenario's events as rules through all of them.
struct LanesFigure {
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
        let report = exhibit.report
        let phone = exhibit.stories.first?.phone ?? 0
        let phones = report.scenario.phones > 1 ? "phone \(phone) of \(report.scenario.phones), " : ""
        let replica = report.focus.replica.map { "\($0)" } ?? "0 of \(report.replicas)"
        return html(
            of:
                "One run as one phone lived it (\(phones)replica \(replica), counted from 0): the same coverage, the same "
                + "messages, and what each strategy made of them. The other charts are of all replicas.")
    }

    /// - Parameter lede: what is shown.
    func html(of lede: String) -> String {
        guard !exhibit.stories.isEmpty else { return "" }
        let watts = max(0.001, exhibit.stories.map(\.peakWatts).max() ?? 0)
        let joules = max(0.001, exhibit.stories.map(\.joules).max() ?? 0)
        let stack = LaneStack(id: id, axis: axis, events: events)
        var blocks = ""
        for (index, story) in exhibit.stories.enumerated() {
            let artist = LaneArtist(id: id, story: story, axis: axis, watts: watts, joules: joules, detail: detail)
            let heading = "\(exhibit.report.label(index)) <span>\(facts(index, story))</span>"
            blocks += stack.block(index, heading, artist.lanes)
        }
        return """
            <section class="part"><h2>What happened</h2>
            <p class="lede">\(lede)</p>
            \(Self.legend)
            \(LaneStack.controls(whole: "whole run"))
            <div class="lanes" id="\(id)" tabindex="0" role="group" aria-label="Swim lanes of all strategies" \
            \(axis.attributes) \
            data-joules="\(Markup.place(joules))">
            \(stack.ruler(LaneStack.Hatch.allCases))\(blocks)</div>
            <p class="readout" aria-live="polite" hidden></p>
            \(eventTable)\(lanesTable)</section>

            """
    }

    private func facts(_ index: Int, _ story: Story) -> String {
        func total(_ truth: Story.Truth) -> Int64 {
            story.truths.filter { $0.value == truth }.reduce(Int64(0)) { $0 + $1.end - $1.start }
        }
        let (dead, frozen) = (total(.dead), total(.frozen))
        let lost = story.messages.count { $0.seen == nil }
        var facts = [NumberText.short(Billionths(count: Int128(story.joules * 1e9))) + " J"]
        facts.append(
            dead == 0 ? "never believed a dead connection" : "believed dead connections for \(TimeText.span(dead))")
        if frozen > 0 { facts.append("frozen with dead connections for \(TimeText.span(frozen))") }
        if !story.messages.isEmpty {
            facts.append(
                lost == 0
                    ? "every message came" : "\(lost) of \(story.messages.count) messages, both ways, did not come")
        }
        return facts.joined(separator: " · ")
    }

    private var eventTable: String {
        guard !events.isEmpty else { return "" }
        let shown = events.prefix(200)
        let rows = shown.map { [TimeText.text($0.at), Markup.escaped($0.title, atMost: 200)] }
        return Markup.table(
            "what the world did" + (events.count > 200 ? ", the first 200" : ""), ["at", "event"], rows)
    }

    private var lanesTable: String {
        let rows = exhibit.stories.indices.map { index in
            let story = exhibit.stories[index]
            func total(_ truth: Story.Truth) -> String {
                TimeText.span(story.truths.filter { $0.value == truth }.reduce(Int64(0)) { $0 + $1.end - $1.start })
            }
            let seen = story.messages.filter { $0.seen != nil }
            let slowest = seen.map { ($0.seen ?? 0) - $0.sent }.max() ?? 0
            return [
                Markup.escaped(exhibit.report.strategies[index].name, atMost: 60), total(.works), total(.blocked),
                total(.dead), total(.frozen), "\(story.packets.count)", "\(seen.count) of \(story.messages.count)",
                TimeText.span(slowest),
                NumberText.short(Billionths(count: Int128(story.joules * 1e9))) + " J",
            ]
        }
        return Markup.table(
            "the lanes in numbers",
            [
                "strategy", "works", "blocked", "dead, believed", "dead, app frozen", "packets", "messages seen",
                "slowest", "energy",
            ], rows)
    }

    private static let legend = """
        <p class="legend"><span><i class="sw r-active"></i>transfer</span><span><i class="sw r-promo"></i>promotion</span>\
        <span><i class="sw r-tail"></i>tail</span><span><i class="sw r-search"></i>search</span>\
        <span><i class="sw k-belief"></i>believed open</span><span><i class="sw k-works"></i>works</span>\
        <span><i class="sw k-blocked"></i>blocked</span><span><i class="sw k-zombie"></i>dead, and believed: a zombie</span>\
        <span><i class="sw k-frozen"></i>dead, the app frozen</span>\
        <span><i class="ln m-down"></i>message to the app, from sent to seen</span><span><i class="ln m-up"></i>to the server</span>\
        <span><i class="ln m-lost"></i>never came in this run</span></p>
        <p class="legend"><span><i class="sw n-wifi"></i>Wi-Fi is there</span><span><i class="sw n-cellular"></i>cellular is \
        there</span><span><i class="sw n-dark"></i>there, but nothing gets through</span><span><i class="sw a-front"></i>app in \
        front</span><span><i class="sw a-back"></i>in the background</span></p>
        """
}
