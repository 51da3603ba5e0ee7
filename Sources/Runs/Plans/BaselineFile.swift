import DeadzoneSettings
public import DeadzoneCompare
import DeadzoneHost
import DeadzonePrimitives
import DeadzoneScenarios

/// The file that `--baseline` names.
public struct BaselineFile {
    public let path: String
    public let baseline: Baseline

    public init(_ path: String, _ baseline: Baseline) {
        self.path = path
        self.baseline = baseline
    }

    /// What the baseline has of a scenario, or why nothing of it can be compared.
    func run(of scenario: Scenario) -> Result<BaselineRun, Absence> {
        guard let run = baseline.run(named: scenario.name) else {
            return .failure(
                Absence(
                    .new,
                    .absent(
                        "the scenario \(Self.quote(scenario.name))", path, among: baseline.runs.map(\.name),
                        scenario.name)))
        }
        guard run.worldHash == scenario.worldHash.hex else {
            let fault = ToolFault(
                .otherWorld,
                "\(Self.quote(scenario.name)) is another world than in the baseline: "
                    + "\(run.worldHash.prefix(16).description.visible) there, \(scenario.worldHash.short) now",
                help: [
                    "phone, timeline, traffic, server, profiles or duration have changed, so no number can be compared",
                    "if that was meant: deadzone baseline save SCENARIO… --baseline FILE",
                ])
            return .failure(Absence(.otherWorld, fault))
        }
        return .success(run)
    }

    func absence(of strategy: String, in run: BaselineRun) -> Absence {
        Absence(
            .new,
            .absent(
                "the strategy \(Self.quote(strategy)) of \(Self.quote(run.name))", path,
                among: run.strategies.map(\.name), strategy))
    }

    /// Why something is not compared; a fault where nothing else is.
    struct Absence: Error {
        let reason: Uncompared.Reason
        let fault: ToolFault

        init(_ reason: Uncompared.Reason, _ fault: ToolFault) {
            self.reason = reason
            self.fault = fault
        }
    }

    public static func quote(_ name: String) -> String { "`\(name.visible.prefix(200))`" }
}

extension ToolFault {
    fileprivate static func absent(_ what: String, _ path: String, among known: [String], _ name: String) -> Self {
        Self.unknown(
            .absent, "the baseline \(BaselineFile.quote(path)) does not have \(what)", name, among: known,
            help: "deadzone baseline save SCENARIO… --baseline FILE saves it and keeps the rest")
    }
}
