import DeadzoneClaims
import DeadzoneHost
import DeadzoneMetrics
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios

/// Reads the world in which `deadzone claims` tests claims, from the flags `--world`, `--set`, `--seed` and
/// `--replicas`.
struct ClaimWorldReader {
    private let invocation: Invocation
    private let context: CommandContext
    private let overrides: SettingOverrides
    private let change: ClaimReport.WorldChange
    /// The user's scenario file; no file for the built-in worlds.
    let files: ScenarioFiles

    init(_ invocation: Invocation, _ context: CommandContext) throws(ToolFault) {
        self.invocation = invocation
        self.context = context
        let (file, settings) = (invocation.text(.world), invocation.texts(.set))
        if invocation.arguments.isEmpty, file != nil || !settings.isEmpty {
            throw ToolFault(
                .conflict, "`--\(file == nil ? "set" : "world")` needs the claims to test",
                help: ["deadzone claims A11 \(file == nil ? "--set KEY=VALUE" : "--world FILE")"])
        }
        if invocation.has(.scenario), file != nil || !settings.isEmpty {
            throw ToolFault(
                .conflict, "`--scenario` prints the built-in scenario without a change",
                help: ["leave out `--world` and `--set`"])
        }
        overrides = try SettingOverrides(settings)
        change = ClaimReport.WorldChange(
            file: file, settings: settings, seed: try invocation.text(.seed).map(RunOptions.checkedSeed),
            replicas: invocation.number(.replicas))
        files = try ScenarioFiles(
            [file].compactMap(\.self), context.vocabulary, overrides: overrides.node, input: context.input)
        let faults = files.files.map(\.loaded.faults)
        if let fault = faults.lazy.compactMap(overrides.fault).first { throw fault }
    }

    /// Prints the faults of the user's scenario.
    func reportFaults() -> ExitCode {
        files.reportFaults(invocation, context)
        if invocation.has(.json) { context.output.write(files.json.text() + "\n") }
        return .badInput
    }

    func world() throws(ToolFault) -> ClaimWorld {
        if change.isEmpty { return .builtIn }
        if files.files.count > 1 {
            throw ToolFault(.conflict, "`--world` takes one scenario", help: ["name a file, not a folder"])
        }
        return ClaimWorld(
            change, scenarios: files.files.first?.loaded.scenarios, overrides: overrides, flags: flags)
    }

    private var flags: String {
        let file = change.file.map { " --world " + ShellWord.text($0) } ?? ""
        let settings = change.settings.map { " --set " + ShellWord.text($0) }.joined()
        let seed = change.seed.map { " --seed \($0)" } ?? ""
        return file + settings + seed + (change.replicas.map { " --replicas \($0)" } ?? "")
    }
}
