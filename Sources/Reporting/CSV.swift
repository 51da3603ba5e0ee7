import DeadzoneMetrics

/// The long form: one line for each number. RFC 4180, lines end in CR LF. Cells that a spreadsheet would take for a formula
/// are quoted; what a terminal would obey is spelled out.
public enum CSV {
    public static let header = "scenario,cell,strategy,metric,unit,value,ci95_low,ci95_high"

    public static func text(_ runs: [RunReport]) -> String {
        ([header] + runs.flatMap(lines)).map { $0 + "\r\n" }.joined()
    }

    private static func lines(_ run: RunReport) -> [String] {
        let cell = run.scenario.cell.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        return run.strategies.flatMap { strategy in
            Catalogue.all.map { metric in
                let interval = strategy.measurement.interval(metric.name)
                let numbers = [strategy.measurement.figure(metric.name), interval?.low, interval?.high]
                let words = [run.scenario.name, cell, strategy.name, metric.name, metric.unit.rawValue]
                return (words.map { quoted($0.visible) } + numbers.map(number)).joined(separator: ",")
            }
        }
    }

    /// Empty where there is no number.
    private static func number(_ figure: Figure?) -> String {
        figure?.double == nil ? "" : figure.json.text(.line)
    }

    static func quoted(_ cell: String) -> String {
        let scalars = cell.unicodeScalars
        let isFormula = scalars.first.map { "=+-@\t\r".unicodeScalars.contains($0) } ?? false
        let isSplit = scalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
        guard isFormula || isSplit || scalars.first == " " || scalars.last == " " else { return cell }
        return "\"" + cell.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
    }
}
