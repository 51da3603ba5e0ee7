import DeadzoneBase
import DeadzoneMetrics
import DeadzoneSamples
@testable import DeadzoneReports

/// The full run with the traced day as its history, and the drawings of a page in lines.
enum DrawnRun {
    static func history(_ records: [Record], phone: UInt32 = 3) -> PhoneHistory {
        var history = PhoneHistory(
            phone: phone, horizon: .seconds(20), prices: TracedDay.prices, markers: TracedDay.markers)
        records.withUnsafeBufferPointer { history.record($0) }
        return history
    }

    static func chartData(_ extra: [Record]) -> ChartData {
        var fold = RunFold()
        let records = TracedDay.records + extra
        records.withUnsafeBufferPointer { fold.record($0) }
        return ChartData(of: fold, prices: TracedDay.prices)
    }

    static let run: RunWithTraces = {
        var report = FullRun.report()
        report.scenario.duration = .seconds(20)
        let pushes = [0.125, 0.25, 0.5, 1, 2, 4].flatMap { length in
            [
                TracedDay.record(.deliveredDown, at: 9, lasting: length),
                TracedDay.record(.answered, at: 9, lasting: length / 8),
            ]
        }
        let lost = [TracedDay.record(.lostDown, at: 9, lasting: 3e-9), TracedDay.record(.pendingUp, at: 9, lasting: 1)]
        let herd = (0..<40).map { TracedDay.record(.connecting, at: 12 + Double($0 * $0) / 400, phone: 9) }
        return RunWithTraces(
            report: report,
            histories: [history(TracedDay.records), history(Array(TracedDay.records.prefix(20)) + herd)],
            chartData: [chartData(pushes), chartData(lost + pushes)])
    }()

    /// The same in lines: each table row, drawn part and paragraph begins a new one.
    static func lines(_ html: String) -> String {
        html.replacing(/<(?:text|path|tr|section|p|figure|details|rect|circle|g|h2|h3|article|svg|div|title)[ >]/) {
            "\n\($0.0)"
        }
        .split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }.filter { !$0.isEmpty }.joined(
            separator: "\n")
    }
}
