import DeadzoneBase
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios

extension Flag {
    static let cell = Flag(
        "cell", takes: .text("AXIS=VALUE"), repeatable: true,
        "Run only the cells of a matrix with this value of an axis; repeat for several axes")
}

/// The cells of matrices that `--cell` selects. A scenario without a matrix has no cells.
struct CellSelection: Sendable {
    private let wanted: [(axis: String, value: String)]

    /// `nil` if the flag is not given.
    init?(_ invocation: Invocation) throws(ToolFault) {
        let texts = invocation.texts(.cell)
        guard !texts.isEmpty else { return nil }
        var wanted: [(axis: String, value: String)] = []
        for text in texts {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw ToolFault(.badFlagValue, "`--cell` cannot be \(quote(text))", help: ["write --cell AXIS=VALUE"])
            }
            wanted.append((parts[0], parts[1]))
        }
        self.wanted = wanted
    }

    /// The flags that select one cell, as words of a command line; empty without a matrix.
    static func flags(of scenario: Scenario) -> String { flags(scenario.labels) }

    /// The flags of this selection.
    var flags: String { Self.flags(wanted) }

    private static func flags(_ values: [(axis: String, value: String)]) -> String {
        values.map { " --cell " + ShellWord.text("\($0.axis)=\($0.value)") }.joined()
    }

    /// The files with the selected cells alone.
    func selected(of files: ScenarioFiles) throws(ToolFault) -> ScenarioFiles {
        var chosen: [(name: String, loaded: LoadedScenarios)] = []
        for file in files.files {
            var loaded = file.loaded
            loaded.scenarios = loaded.scenarios.filter { scenario in
                wanted.allSatisfy { wanted in scenario.labels.contains { $0 == wanted } }
            }
            if !loaded.scenarios.isEmpty { chosen.append((file.name, loaded)) }
        }
        guard chosen.isEmpty else { return ScenarioFiles(chosen) }
        throw ToolFault(
            .nothingMatched, "no cell has \(wanted.map { "\($0.axis)=\($0.value)" }.joined(separator: ", "))",
            help: [Self.axes(of: files.files.flatMap(\.loaded.scenarios))])
    }

    /// The axes of all cells with their values.
    private static func axes(of scenarios: [Scenario]) -> String {
        var axes: [(name: String, values: [String])] = []
        for label in scenarios.flatMap(\.labels) {
            let place = axes.firstIndex { $0.name == label.axis } ?? axes.count
            if place == axes.count { axes.append((label.axis, [])) }
            if !axes[place].values.contains(label.value) { axes[place].values.append(label.value) }
        }
        if axes.isEmpty { return "the scenarios have no matrix" }
        return "axes of the matrix: "
            + axes.map { axis in
                let more = axis.values.count > maxValues ? ", …" : ""
                return "\(axis.name) (\(axis.values.prefix(maxValues).joined(separator: ", "))\(more))"
            }.joined(separator: "; ")
    }

    /// Most values of an axis in a message.
    private static let maxValues = 10
}
