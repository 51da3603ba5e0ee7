import DeadzoneBase
import DeadzoneMetrics

/// Draws the phone histories of all strategies below each other on one time axis, as horizontal lanes. The scenario's
/// events are vertical lines.
struct LanesFigure {
    let id: String
    let tracedRun: RunWithTraces
    private let axis: TimeAxis
    private let detail: Double
    private let events: [EventMark]
    private let isOverview: Bool
    private let columnWatts: Double?

    /// - Parameters:
    ///   - histories: Number of histories on the page.
    ///   - isOverview: `true` leaves out marks that are visible only after zooming in.
    init(_ id: String, _ tracedRun: RunWithTraces, histories: Int, isOverview: Bool = false) {
        self.id = id
        self.isOverview = isOverview
        let share = LaneRenderer.fullDetailBudget / Double(max(1, histories)) - LaneRenderer.fixedShare
        detail = min(1, max(share, LaneRenderer.fixedShare / 10))
        self.tracedRun = tracedRun
        let scenario = tracedRun.report.scenario
        axis = TimeAxis(horizon: scenario.duration.nanoseconds, startOfDay: scenario.startOfDay)
        events = EventMark.marks(tracedRun.histories.first?.changes ?? [])
        columnWatts = LaneRenderer.columnWatts(tracedRun.histories, axis)
    }

    /// `true` if the figure also has the marks that are visible only after zooming in.
    var isComplete: Bool { !isOverview || !LaneRenderer.isThinned(tracedRun.histories, columnWatts: columnWatts) }

    var html: String {
        let report = tracedRun.report
        let phone = tracedRun.histories.first?.phone ?? 0
        let phones = report.scenario.phones > 1 ? "phone \(phone) of \(report.scenario.phones), " : ""
        let replica = report.focus.replica.map { "\($0)" } ?? "0 of \(report.replicas)"
        return html(
            of:
                "One run of one phone (\(phones)replica \(replica), the first is 0). All strategies have the same coverage and the same "
                + "messages. The other charts show all replicas.")
    }

    /// - Parameter lede: Introduction that says what is shown.
    func html(of lede: String) -> String {
        guard !tracedRun.histories.isEmpty else { return "" }
        let watts = max(0.001, tracedRun.histories.map(\.peakWatts).max() ?? 0)
        let joules = max(0.001, tracedRun.histories.map(\.joules).max() ?? 0)
        let stack = LaneStack(id: id, axis: axis, events: events)
        var blocks = ""
        for (index, history) in tracedRun.histories.enumerated() {
            let renderer = LaneRenderer(
                id: id, history: history, axis: axis, watts: watts, joules: joules, detail: detail,
                isOverview: isOverview, columnWatts: columnWatts)
            let heading = "\(tracedRun.report.label(index)) <span>\(facts(history))</span>"
            blocks += stack.block(index, heading, renderer.lanes)
        }
        return """
            <section class="part"><h2>Timeline</h2>
            <p class="lede">\(lede)</p>
            \(Self.legend)\(sleepLegend)
            \(LaneStack.controls(whole: "whole run"))
            <div class="lanes" id="\(id)" tabindex="0" role="group" aria-label="Swim lanes of all strategies" \
            \(axis.attributes) \
            data-joules="\(Markup.coordinate(joules))">
            \(stack.ruler(LaneStack.FillPattern.allCases))\(blocks)</div>
            <p class="readout" aria-live="polite" hidden></p>
            \(eventTable)\(lanesTable)</section>

            """
    }

    private func facts(_ history: PhoneHistory) -> String {
        func total(_ truth: PhoneHistory.ConnectionHealth) -> Int64 {
            history.connectionPeriods.filter { $0.value == truth }.reduce(Int64(0)) { $0 + $1.end - $1.start }
        }
        let (dead, frozen) = (total(.dead), total(.frozen))
        let lost = history.messages.count { $0.seen == nil }
        var facts = [NumberText.short(Billionths(count: Int128(history.joules * 1e9))) + " J"]
        facts.append(
            dead == 0 ? "never believed a dead connection" : "believed dead connections for \(TimeText.span(dead))")
        if frozen > 0 { facts.append("frozen with dead connections for \(TimeText.span(frozen))") }
        if !history.messages.isEmpty {
            facts.append(
                lost == 0
                    ? "every message arrived"
                    : "\(lost) of \(history.messages.count) messages, both directions, did not arrive")
        }
        return facts.joined(separator: " · ")
    }

    private var eventTable: String {
        guard !events.isEmpty else { return "" }
        let shown = events.prefix(200)
        let rows = shown.map { [axis.text($0.at), Markup.escaped($0.title, atMost: 200)] }
        return Markup.table(
            "events of the scenario" + (events.count > 200 ? ", the first 200" : ""), ["at", "event"], rows)
    }

    private var lanesTable: String {
        let rows = tracedRun.histories.indices.map { index in
            let history = tracedRun.histories[index]
            func total(_ truth: PhoneHistory.ConnectionHealth) -> String {
                TimeText.span(
                    history.connectionPeriods.filter { $0.value == truth }.reduce(Int64(0)) { $0 + $1.end - $1.start })
            }
            let seen = history.messages.filter { $0.seen != nil }
            let slowest = seen.map { ($0.seen ?? 0) - $0.sent }.max() ?? 0
            return [
                Markup.escaped(tracedRun.report.strategies[index].name, atMost: 60), total(.works), total(.blocked),
                total(.dead), total(.frozen), "\(history.packets.count)", "\(seen.count) of \(history.messages.count)",
                TimeText.span(slowest),
                NumberText.short(Billionths(count: Int128(history.joules * 1e9))) + " J",
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
        <span><i class="sw k-blocked"></i>blocked</span><span><i class="sw k-zombie"></i>dead, but believed open: a zombie</span>\
        <span><i class="sw k-frozen"></i>dead, app frozen</span>\
        <span><i class="ln m-down"></i>message to the app, from sent to seen</span><span><i class="ln m-up"></i>to the server</span>\
        <span><i class="ln m-lost"></i>never arrived in this run</span></p>
        <p class="legend"><span><i class="sw n-wifi"></i>Wi-Fi available</span><span><i class="sw n-cellular"></i>cellular \
        available</span><span><i class="sw n-dark"></i>available, but no packet gets through</span><span><i class="sw a-front"></i>app \
        in the foreground</span><span><i class="sw a-back"></i>in the background</span></p>
        """

    /// The legend of the lanes that only a phone with an operating system has.
    private var sleepLegend: String {
        guard tracedRun.histories.contains(where: { !$0.sleepPeriods.isEmpty }) else { return "" }
        return """

            <p class="legend"><span><i class="sw n-dark"></i>app stopped by its system</span><span><i class="sw a-awake"></i>processor \
            awake, screen off</span><span><i class="sw a-window"></i>maintenance window of Doze</span></p>
            """
    }
}
