import DeadzoneBase
package import DeadzoneMetrics

/// The writer of baseline files. The file is JSON with sorted keys, laid out for version control: one line for each
/// metric of a strategy, and the name of a strategy above its lines.
extension Baseline {
    package var text: String {
        var writer = BaselineWriter(metrics: metrics.sorted())
        writer.line("{")
        writer.list("metrics", writer.metrics.map(BaselineWriter.quoted), ",")
        writer.line("\"scenarios\": {")
        for (index, run) in runs.enumerated() { writer.write(run, index + 1 < runs.count ? "," : "") }
        writer.line("},")
        writer.line("\"schema\": \(BaselineWriter.quoted(DocumentSchema.baseline.rawValue)),")
        writer.line("\"tool\": {\"version\": \(BaselineWriter.quoted(tool))}")
        writer.line("}")
        return writer.text
    }
}

/// Builds the text of a baseline file, line by line.
private struct BaselineWriter {
    /// Maximum length of a line that holds several values, without the blank before its last value. Longer lists
    /// continue on the next line.
    private static let width = 160
    /// Minutes on one line: an hour.
    private static let minutesPerLine = 60

    let metrics: [String]
    private(set) var text = ""

    static func quoted(_ text: String) -> String { JSON.string(text).text(.line) }

    mutating func line(_ line: String) { text += line + "\n" }

    /// Writes a list of values that are already JSON, on as few lines as fit.
    mutating func list(_ key: String, _ values: [String], _ end: String) {
        var row = Self.quoted(key) + ": ["
        for (index, value) in values.enumerated() {
            let word = value + (index + 1 < values.count ? "," : "]" + end)
            if row.utf8.count + word.utf8.count > Self.width, index > 0 {
                line(row)
                row = word
            } else {
                row += index == 0 || row.isEmpty ? word : " " + word
            }
        }
        line(values.isEmpty ? row + "]" + end : row)
    }

    mutating func write(_ run: BaselineRun, _ end: String) {
        line("\(Self.quoted(run.name)): {")
        line("\"minute_s\": \(run.minute.nanoseconds / 1_000_000_000),")
        let unmeasured = run.unmeasured(among: metrics)
        if !unmeasured.isEmpty { list("nothing", shortened(unmeasured).map(Self.quoted), ",") }
        let strategies = run.strategies.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        if strategies.map(\.name) != run.strategies.map(\.name) {
            list("order", run.strategies.map { Self.quoted($0.name) }, ",")
        }
        line("\"replicas\": \(run.replicas),")
        line("\"seed\": \(run.seed),")
        line("\"strategies\": {")
        for (index, strategy) in strategies.enumerated() {
            write(strategy, without: unmeasured, index + 1 < strategies.count ? "," : "")
        }
        line("},")
        line("\"world_hash\": \(Self.quoted(run.worldHash))")
        line("}" + end)
    }

    /// Replaces the names of a whole group of metrics by a pattern: `latency.probe.*`.
    private func shortened(_ names: Set<String>) -> [String] {
        let groups = Dictionary(grouping: metrics) { $0.split(separator: ".").dropLast().joined(separator: ".") }
        var short: Set<String> = []
        for (group, members) in groups {
            let missing = members.filter(names.contains)
            let isWhole = missing.count == members.count && members.count > 1
            short.formUnion(isWhole ? [group + BaselineRun.anyMetric] : missing)
        }
        return short.sorted()
    }

    private mutating func write(_ strategy: BaselineStrategy, without unmeasured: Set<String>, _ end: String) {
        line("\(Self.quoted(strategy.name)): {")
        list("digests", strategy.digests.map(Self.quoted), ",")
        if !strategy.groups.isEmpty {
            line("\"groups\": {")
            let groups = strategy.groups.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            for (index, group) in groups.enumerated() {
                line("\(Self.quoted(group.key)): {")
                write(group.value, without: [])
                line("}" + (index + 1 < groups.count ? "," : ""))
            }
            line("},")
        }
        line("\"metrics\": {")
        write(strategy.series, without: unmeasured)
        line("},")
        writeMinutes(strategy.minutes)
        line("\"strategy_hash\": \(Self.quoted(strategy.hash))")
        line("}" + end)
    }

    private mutating func write(_ all: [String: BaselineStrategy.MetricSeries], without unmeasured: Set<String>) {
        let names = all.keys.filter { !(unmeasured.contains($0) && all[$0]?.isNothing == true) }.sorted()
        for (index, name) in names.enumerated() {
            guard let series = all[name] else { continue }
            let end = index + 1 < names.count ? "," : ""
            let whole = series.whole.storedText
            if series.each.allSatisfy({ $0 == series.whole }) {
                line("\(Self.quoted(name)): \(whole)\(end)")
            } else {
                let each = series.each.isConstant ? Array(series.each.prefix(1)) : Array(series.each)
                list(name, [whole] + each.map(\.storedText), end)
            }
        }
    }

    /// Writes a list for each replica, with one line for each hour.
    private mutating func writeMinutes(_ minutes: [String]) {
        let size = Self.minutesPerLine * MinuteHash.length
        line("\"minutes\": [")
        for (index, replica) in minutes.enumerated() {
            let digits = Array(replica.utf8)
            let hours = stride(from: 0, to: digits.count, by: size).map { start in
                Self.quoted(String(decoding: digits[start..<min(start + size, digits.count)], as: UTF8.self))
            }
            line("[" + hours.joined(separator: ",\n") + "]" + (index + 1 < minutes.count ? "," : ""))
        }
        line("],")
    }
}

extension BaselineRun {
    /// End of a pattern for all metrics of a group.
    static let anyMetric = ".*"

    /// Metrics for which no strategy of the run measured anything.
    fileprivate func unmeasured(among metrics: [String]) -> Set<String> {
        Set(metrics.filter { metric in strategies.allSatisfy { $0.series[metric]?.isNothing == true } })
    }
}

extension BaselineStrategy.MetricSeries {
    fileprivate var isNothing: Bool { whole == .nothing && each.allSatisfy { $0 == .nothing } }
}

extension Figure {
    /// `null` if there was nothing to measure, `"never"` for a value that no number expresses.
    fileprivate var storedText: String {
        switch self {
        case .value, .atLeast: Figure?.some(self).json.text(.line)
        case .never: "\"never\""
        case .nothing: "null"
        }
    }
}
