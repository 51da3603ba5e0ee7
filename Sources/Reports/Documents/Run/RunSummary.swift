import DeadzoneBase
package import DeadzoneMetrics

/// Formats the final summary of a run over several files: a line for each file, then the verdict. The verdict is the
/// last line of the output.
package struct RunSummary {
    /// In argument order; one file can contain several runs.
    private var files: [(name: String, reports: [RunReport], isKept: Bool)] = []

    package init() {}

    /// - Parameter isKept: `nil` passes if every run does.
    package mutating func add(_ name: String, _ reports: [RunReport], isKept: Bool? = nil) {
        files.append((name, reports, isKept ?? reports.allSatisfy { $0.verdict == .pass }))
    }

    /// Empty for a single file, because that file's own table already shows the verdict.
    package func text(_ style: Style) -> String {
        guard files.count > 1 else { return "" }
        let failed = files.count { !$0.isKept }
        let unjudged = files.count { $0.isKept && $0.reports.contains(where: \.isUnjudged) }
        let lines = files.map { file in
            let reasons = file.isKept ? RunReport.unjudgedSentences(file.reports) : file.reports.flatMap(\.failures)
            let isUnjudged = file.isKept && file.reports.contains(where: \.isUnjudged)
            let more = reasons.count > 1 ? "; and \(reasons.count - 1) more" : ""
            return "  " + (!file.isKept ? style.failed : isUnjudged ? "not judged" : style.passed) + "  "
                + file.name.escapedForTerminal + (reasons.first.map { ": " + $0 + more } ?? "") + "\n"
        }
        let passed = files.count - failed - unjudged
        let verdict =
            failed > 0
            ? "\(style.failed): \(failed) of \(files.count) files"
            : passed == 0
                ? "not judged: all \(files.count) files"
                : "\(style.passed): \(unjudged > 0 ? "\(passed) of" : "all") \(files.count) files"
        let rest = unjudged > 0 && passed + failed > 0 ? "; \(unjudged) not judged" : ""
        return "\n" + style.heading("Summary") + lines.joined() + verdict + rest + "\n"
    }
}
