import DeadzoneBase
import DeadzoneDevice
package import DeadzoneMetrics
package import DeadzoneReplay

extension ReplayResult {
    /// Compares simulated strategies with the captured client, on the same radio over the same time.
    package struct WhatIf: Sendable {
        package var run: RunReport
        /// Radio cost of the phone itself, without neighbour traffic.
        package var captured: ReplayReport.RadioCost
        /// Content of the simulated scenario, such as `37 messages up and 41 down in 82.3 s`.
        package var content: String
        /// `true` if `captured` includes calls, because the capture could not be read again without them.
        package var includesCalls: Bool

        package init(run: RunReport, captured: ReplayReport.RadioCost, content: String, includesCalls: Bool) {
            self.run = run
            self.captured = captured
            self.content = content
            self.includesCalls = includesCalls
        }

        package static let title = "What-if: captured traffic and other strategies"

        fileprivate var words: String {
            "Radio \(captured.profile), \(NumberText.decimal(Billionths(count: Int128(captured.bill.seconds * 1e9)), places: 1)) s "
                + "for each column: the captured packets with \(captured.rules.rawValue) rules, and each strategy with the "
                + "same messages (\(content))"
        }

        package var columns: [String] { ["as captured"] + run.strategies.map(\.name) }

        /// Table rows: a title, and a cell for each column.
        package var rows: [(title: String, cells: [String])] {
            let summaries = [RadioCostSummary(captured)] + run.strategies.map { RadioCostSummary($0.measurement) }
            func row(_ title: String, _ number: (RadioCostSummary) -> Double, _ unit: String, isCompared: Bool = false)
                -> (
                    title: String, cells: [String]
                )
            {
                let numbers = summaries.map(number)
                let cells = numbers.enumerated().map { index, value in
                    let change = isCompared && index > 0 ? Self.change(from: numbers[0], to: value) : ""
                    return ReplayReport.decimal(value, places: unit == "J" ? 3 : 1) + (unit == "%" ? "%" : "") + change
                }
                return (unit == "J" ? title + ", J" : title, cells)
            }
            var rows = [
                row("Energy of the radio", \.joules, "J", isCompared: true),
                row("energy above idle", \.aboveIdle, "J", isCompared: true),
                row("energy in tails", \.tails, "J"),
            ]
            if summaries.contains(where: { $0.search > 0 }) {
                rows.append(row("energy in search, in estimated dead zones", \.search, "J"))
            }
            rows.append(row("Promotions", \.promotions, ""))
            rows.append(row("Time with the radio awake", \.awake, "%"))
            return rows
        }

        private static func change(from old: Double, to new: Double) -> String {
            func billionths(_ value: Double) -> Billionths { Billionths(count: Int128((value * 1e9).rounded())) }
            guard old != new, let change = NumberText.change(from: billionths(old), to: billionths(new)) else {
                return ""
            }
            return " (\(change))"
        }
    }
}

extension ReplayResult {
    /// Introduction of the what-if table: what is compared, and how it relates to the energy of the report.
    package var whatIfWords: String {
        guard let whatIf else { return "" }
        return ([whatIf.words] + [relation].compactMap(\.self)).joined(separator: ". ")
    }

    /// The relation between the first column and the energy of the report; `nil` if the report covers another time or
    /// has other rules.
    private var relation: String? {
        guard let whatIf, let own = report.ownRadio else { return nil }
        let total = ReplayReport.decimal(whatIf.captured.bill.joules, places: 2)
        let calls = report.habits.calls
        if !calls.isEmpty {
            let packets = calls.reduce(UInt64(0)) { $0 + $1.packets }
            let joules = ReplayReport.decimal(calls.reduce(0) { $0 + $1.joules }, places: 2)
            return whatIf.includesCalls
                ? "\"As captured\" includes calls (\(packets) packets, \(joules) J) that no strategy carries: the capture "
                    + "came from a pipe and could not be read again without them"
                : "No column includes the calls (\(packets) packets, \(joules) J of the energy above)"
        }
        guard own.rules == .physical,
            !report.flags.contains(where: { $0.hasPrefix("--from") || $0.hasPrefix("--until") })
        else { return nil }
        let more = ReplayReport.decimal(whatIf.captured.bill.joules - own.bill.joules, places: 2)
        let base = ReplayReport.decimal(own.bill.joules, places: 2)
        let subject = report.neighbours == nil ? "the \(base) J above" : "the \(base) J above without local traffic"
        return "\"As captured\" is \(total) J: \(subject), and \(more) J in the 30 s after the last packet"
    }
}

/// The radio costs that can be compared between a packet capture and a simulated strategy, such as energy and
/// promotions.
private struct RadioCostSummary {
    private static let tailing: Set = ["tail", "short_drx", "long_drx", "inactive", "fach"]
    private static let resting: Set = ["idle", "inactive", "search", "power_saving"]

    let joules: Double
    let aboveIdle: Double
    let tails: Double
    let search: Double
    let promotions: Double
    /// Share of the time in which the radio is awake, in percent.
    let awake: Double

    init(_ states: [(name: String, seconds: Double, joules: Double)], aboveIdle: Double, promotions: Double) {
        func joules(_ names: Set<String>) -> Double {
            states.reduce(0) { names.contains($1.name) ? $0 + $1.joules : $0 }
        }
        self.joules = states.reduce(0) { $0 + $1.joules }
        self.aboveIdle = aboveIdle
        tails = joules(Self.tailing)
        search = joules(["search"])
        self.promotions = promotions
        let seconds = states.reduce(0) { $0 + $1.seconds }
        let rest = states.reduce(0) { Self.resting.contains($1.name) ? $0 + $1.seconds : $0 }
        awake = seconds > 0 ? (1 - rest / seconds) * 100 : 0
    }

    init(_ radio: ReplayReport.RadioCost) {
        let promotions = radio.bill.states.first { $0.state == .promotion }?.count ?? 0
        self.init(
            radio.bill.states.map { ($0.name, $0.seconds, $0.joules) }, aboveIdle: radio.bill.aboveIdle,
            promotions: Double(promotions))
    }

    init(_ measurement: Measurement) {
        let times = measurement.radioTime.flatMap { radio in
            radio.states.map { ("\(radio.radio).\($0.name)", $0.seconds.double) }
        }
        let seconds = Dictionary(times) { first, _ in first }
        self.init(
            measurement.energyByState.map { state in
                (String(state.name.split(separator: ".").last ?? ""), seconds[state.name] ?? 0, state.joules.double)
            }, aboveIdle: measurement.figure("battery.above_idle_joules")?.double ?? 0,
            promotions: measurement.figure("battery.promotions")?.double ?? 0)
    }
}
