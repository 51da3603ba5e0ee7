import DeadzoneHost
import DeadzoneMetrics
import DeadzoneReports
import DeadzoneRuns

/// The output formats of the command `compare`.
enum CompareFormat: String, CaseIterable, Sendable {
    case json, md, junit, html, sarif, rdjsonl

    /// The formats that are written if none are named. The others are for tools that a project may not use.
    static let usual: [CompareFormat] = [.json, .md, .junit, .html]

    var fileName: String {
        switch self {
        case .json: "compare.json"
        case .md: "compare.md"
        case .junit: "compare.xml"
        case .html: "compare.html"
        case .sarif: "compare.sarif"
        case .rdjsonl: "compare.rdjsonl"
        }
    }

    /// - Parameter comments: The findings at their places in the scenarios.
    func text(_ report: CompareReport, _ comments: [ReviewComment]) -> String {
        switch self {
        case .json: report.json.text() + "\n"
        case .md: report.markdown
        case .junit: report.junit
        case .html: ComparePage.html(report)
        case .sarif: ReviewComment.sarif(comments, tool: toolVersion)
        case .rdjsonl: ReviewComment.rdjsonl(comments) { _, _ in nil }
        }
    }
}

/// The parsed flags of the commands `compare` and `baseline`.
struct CompareOptions: Sendable {
    let wanted: ComparePlan.CompareSelection
    let jobs: Int
    let baseline: String?
    let gates: String?
    let trace: String?
    let folder: String?
    private let formats: [CompareFormat]
    let isJSON: Bool
    let isExitZero: Bool
    /// `true` if anything that is not compared fails the comparison.
    let isStrict: Bool

    init(_ invocation: Invocation, _ context: CommandContext) throws(ToolFault) {
        wanted = ComparePlan.CompareSelection(
            seed: try invocation.text(.seed).map(RunOptions.checkedSeed), replicas: invocation.number(.replicas),
            strategies: try StrategySelection(invocation, context), against: invocation.text(.against))
        jobs = invocation.number(.jobs) ?? context.cores
        baseline = invocation.text(.baseline)
        gates = invocation.text(.gates)
        trace = invocation.text(.trace)
        folder = invocation.text(.out)
        isJSON = invocation.has(.json)
        isExitZero = invocation.has(.exitZero)
        isStrict = invocation.has(.strict)
        var formats: [CompareFormat] = []
        for word in invocation.text(.format)?.split(separator: ",").map(String.init) ?? [] {
            guard let format = CompareFormat(rawValue: word) else {
                throw .badFlagValue("--format", word, oneOf: CompareFormat.allCases.map(\.rawValue))
            }
            if !formats.contains(format) { formats.append(format) }
        }
        if folder == nil, formats.count > 1 || (isJSON && formats.contains { $0 != .json }) {
            throw ToolFault(
                .conflict, "one output cannot hold several formats", help: ["name a folder for them with --out DIR"])
        }
        self.formats = formats
        if baseline != nil, wanted.against != nil {
            throw ToolFault(
                .conflict, "`--baseline` and `--against` cannot be combined: each names what to compare with",
                help: ["use one of them; with --baseline, a gate may still use `of NAME`"])
        }
        if isStrict, baseline == nil {
            throw ToolFault(
                .missingArgument, "`--strict` needs a baseline: without one, everything is new",
                help: ["add --baseline FILE"])
        }
    }

    /// The meaning of `--strict` for `compare` and `check`.
    static let strictWording = FlagWording(
        .strict, takes: "", "Exit with 1 if anything is not compared: new, gone, or with another world")

    /// The format printed to standard output instead of tables.
    var printed: CompareFormat? { isJSON ? .json : folder == nil ? formats.first : nil }

    /// Destination of the JUnit file. `nil` if none is written.
    var junit: (folder: String?, file: String)? {
        let formats = folder == nil ? [printed].compactMap(\.self) : written
        return formats.contains(.junit) ? (folder, CompareFormat.junit.fileName) : nil
    }

    /// The formats written into the folder.
    var written: [CompareFormat] { formats.isEmpty ? CompareFormat.usual : formats }
}

extension ComparePlan {
    /// Prints that the baseline decides the seed and the replicas, if a scenario states others.
    func noteBaselineSettings(_ invocation: Invocation, _ context: CommandContext) {
        guard !invocation.has(.quiet), let note = baselineSettingsNote else { return }
        context.errors.write("note: \(note)\n")
    }
}
