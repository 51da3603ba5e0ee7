import DeadzoneHost
import DeadzonePrimitives
import DeadzoneReporting
import DeadzoneScenarios

/// The file that `--baseline` names.
struct BaselineFile {
    /// A baseline of ten thousand replicas is still smaller.
    private static let limit = 256 << 20

    let path: String
    let baseline: Baseline

    init(_ path: String) throws(CommandFault) {
        self.path = path
        guard Files.kind(of: path) != .missing else {
            throw CommandFault(
                .baselineMissing, "there is no baseline \(Self.quote(path))",
                help: ["deadzone baseline save SCENARIO… --baseline FILE writes one"])
        }
        let bytes: [UInt8]
        do throws(SystemFault) {
            bytes = try Files.read(path, limit: Self.limit)
        } catch {
            throw .unreadable(error)
        }
        do throws(BaselineFault) {
            baseline = try Baseline(text: bytes)
        } catch {
            throw CommandFault(
                .noBaseline, "\(Self.quote(path)) is no baseline: \(error.message)",
                help: ["deadzone baseline save SCENARIO… --baseline FILE writes one"])
        }
    }

    /// What the baseline has of a scenario; a fault if it has none, or of another world.
    func run(of scenario: Scenario, strategies: [String], isWhole: Bool) throws(CommandFault) -> BaselineRun {
        let names = baseline.runs.map(\.name)
        guard let run = baseline.run(named: scenario.name) else {
            throw .absent("the scenario \(Self.quote(scenario.name))", path, among: names, scenario.name)
        }
        guard run.worldHash == scenario.worldHash.hex else {
            throw CommandFault(
                .otherWorld,
                "\(Self.quote(scenario.name)) is another world than in the baseline: "
                    + "\(run.worldHash.prefix(16).description.visible) there, \(scenario.worldHash.short) now",
                help: [
                    "phone, timeline, traffic, server, profiles or duration have changed, so no number can be compared",
                    "if that was meant: deadzone baseline save SCENARIO… --baseline FILE",
                ])
        }
        for name in strategies where run.strategy(named: name) == nil {
            throw .absent(
                "the strategy \(Self.quote(name)) of \(Self.quote(scenario.name))", path,
                among: run.strategies.map(\.name), name)
        }
        if isWhole, let gone = run.strategies.first(where: { !strategies.contains($0.name) }) {
            throw CommandFault(
                .absent,
                "\(Self.quote(scenario.name)) no longer has the strategy \(Self.quote(gone.name)) of the baseline",
                help: [
                    "a strategy that is gone passes no gate; save the baseline anew, or name strategies with --strategy"
                ])
        }
        return run
    }

    static func quote(_ name: String) -> String { "`\(name.visible.prefix(200))`" }
}

extension CommandFault {
    fileprivate static func absent(_ what: String, _ path: String, among known: [String], _ name: String) -> Self {
        Self.unknown(
            .absent, "the baseline \(BaselineFile.quote(path)) does not have \(what)", name, among: known,
            help: "deadzone baseline save SCENARIO… --baseline FILE writes it anew")
    }
}
