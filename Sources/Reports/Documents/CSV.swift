import DeadzoneBase
package import DeadzoneMetrics

/// Formats results as CSV, with one line for each number. The last column is the phone group, empty for all phones. RFC
/// 4180; lines end in CR LF. A name that a spreadsheet would read as a formula gets a leading apostrophe. Terminal
/// control characters are written out.
package enum CSV {
    package static let header = "scenario,cell,strategy,metric,unit,value,ci95_low,ci95_high,group"

    package static func text(_ runs: [RunReport]) -> String {
        var text = header + "\r\n"
        for run in runs { write(run, &text) }
        return text
    }

    /// Text shared by many lines is built once, because ten thousand runs produce millions of lines.
    private static func write(_ run: RunReport, _ text: inout String) {
        let cell = run.scenario.cell.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        let scenario = quoted(run.scenario.name.escapedForTerminal) + "," + quoted(cell.escapedForTerminal) + ","
        for strategy in run.strategies {
            let start = scenario + quoted(strategy.name.escapedForTerminal)
            write(strategy.measurement, start, "", &text)
            for group in strategy.groups {
                write(group.measurement, start, quoted(group.name.escapedForTerminal), &text)
            }
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
        (name: $0.name, words: ",\(quoted($0.name.escapedForTerminal)),\(quoted($0.unit.rawValue.escapedForTerminal)),")
    }

    /// Writes the number: nothing if there is none, `>3480000` if only a lower bound is known.
    private static func write(_ figure: Figure?, _ text: inout String) {
        if case .atLeast(let value)? = figure { text += ">" + JSON.shortestText(value.double) }
        if let number = figure?.double { text += JSON.shortestText(number) }
    }

    static func quoted(_ cell: String) -> String {
        let scalars = cell.unicodeScalars
        let isFormula = scalars.first.map { "=+-@\t\r".unicodeScalars.contains($0) } ?? false
        let isSplit = scalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
        guard isFormula || isSplit || scalars.first == " " || scalars.last == " " else { return cell }
        // Quotes alone do not help: a spreadsheet removes them before it reads the cell (OWASP, "CSV Injection").
        return (isFormula ? "\"'" : "\"") + cell.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
    }
}
