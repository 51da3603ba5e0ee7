public import DeadzoneCompare
import DeadzoneMetrics
import DeadzonePrimitives

/// The long form: one line for each number. The last column is the group that it is of, empty for all phones. RFC 4180, lines end in
/// CR LF. Names that a spreadsheet would take for a formula begin with an apostrophe; what a terminal would obey is spelled out.
public enum CSV {
    public static let header = "scenario,cell,strategy,metric,unit,value,ci95_low,ci95_high,group"

    public static func text(_ runs: [RunReport]) -> String {
        var text = header + "\r\n"
        for run in runs { write(run, &text) }
        return text
    }

    /// What is the same on many lines is made once: ten thousand runs have millions of lines.
    private static func write(_ run: RunReport, _ text: inout String) {
        let cell = run.scenario.cell.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        let scenario = quoted(run.scenario.name.visible) + "," + quoted(cell.visible) + ","
        for strategy in run.strategies {
            let start = scenario + quoted(strategy.name.visible)
            write(strategy.measurement, start, "", &text)
            for group in strategy.groups { write(group.measurement, start, quoted(group.name.visible), &text) }
        }
    }

    private static func write(_ measurement: Measurement, _ start: String, _ group: String, _ text: inout String) {
        for (metric, words) in metrics {
            let interval = measurement.interval(metric)
            text += start
            text += words
            write(measurement.figure(metric), &text)
            text += ","
            write(interval?.low, &text)
            text += ","
            write(interval?.high, &text)
            text += ","
            text += group
            text += "\r\n"
        }
    }

    private static let metrics = Catalogue.all.map {
        (name: $0.name, words: ",\(quoted($0.name.visible)),\(quoted($0.unit.rawValue.visible)),")
    }

    /// Empty where there is no number; `>3480000` where it is at least so much.
    private static func write(_ figure: Figure?, _ text: inout String) {
        if case .atLeast(let value)? = figure { text += ">" + JSON.shortest(value.double) }
        if let number = figure?.double { text += JSON.shortest(number) }
    }

    static func quoted(_ cell: String) -> String {
        let scalars = cell.unicodeScalars
        let isFormula = scalars.first.map { "=+-@\t\r".unicodeScalars.contains($0) } ?? false
        let isSplit = scalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
        guard isFormula || isSplit || scalars.first == " " || scalars.last == " " else { return cell }
        // Quotes alone do not help: they are gone before a spreadsheet reads the cell (OWASP, "CSV Injection").
        return (isFormula ? "\"'" : "\"") + cell.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
    }
}
