public import DeadzoneCompare
import DeadzonePrimitives

/// The end of a run of several files: a line for each, and a verdict that nobody has to scroll for.
public struct RunSummary {
    /// In the order of the arguments; a file may be several runs.
    private var files: [(name: String, reports: [RunReport])] = []

    public init() {}

    public mutating func add(_ name: String, _ reports: [RunReport]) { files.append((name, reports)) }

    /// Empty for one file: its own table has just said so.
    public func text(_ style: Style) -> String {
        guard files.count > 1 else { return "" }
        let failed = files.count { file in file.reports.contains { $0.verdict == .fail } }
        let lines = files.map { file in
            let reasons = file.reports.flatMap(\.failures)
            let more = reasons.count > 1 ? "; and \(reasons.count - 1) more" : ""
            let isFailed = file.reports.contains { $0.verdict == .fail }
            return "  " + (isFailed ? style.failed : style.passed) + "  " + file.name.visible
                + (reasons.first.map { ": " + $0 + more } ?? "") + "\n"
        }
        let verdict =
            failed == 0
            ? "\(style.passed): all \(files.count) files"
            : "\(style.failed): \(failed) of \(files.count) files"
        return "\n" + style.heading("Summary") + lines.joined() + verdict + "\n"
    }
}
