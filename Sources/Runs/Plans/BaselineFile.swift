import DeadzoneBase
import DeadzoneHost
package import DeadzoneMetrics
import DeadzoneScenarios

/// A baseline file: saved results of earlier runs, with which `compare` compares new runs.
package struct BaselineFile {
    package let path: String
    package let baseline: Baseline

    package init(_ path: String, _ baseline: Baseline) {
        self.path = path
        self.baseline = baseline
    }

    /// The baseline of a scenario, or the reason why it cannot be compared.
    func run(of scenario: Scenario) -> Result<BaselineRun, ComparisonGap> {
        guard let run = baseline.run(named: scenario.name) else {
            return .failure(
                ComparisonGap(
                    .new,
                    .absent(
                        "the scenario \(Self.quote(scenario.name))", path, among: baseline.runs.map(\.name),
                        scenario.name)))
        }
        guard run.worldHash == scenario.worldHash.hex else {
            let fault = ToolFault(
                .otherWorld,
                "\(Self.quote(scenario.name)) has another world than the baseline: "
                    + "\(run.worldHash.prefix(16).description.escapedForTerminal) before, \(scenario.worldHash.short) now",
                help: [
                    "phone, timeline, traffic, server, profiles or duration changed, so the numbers cannot be compared",
                    "if this is intended: deadzone baseline save SCENARIO… --baseline FILE",
                ])
            return .failure(ComparisonGap(.otherWorld, fault))
        }
        return .success(run)
    }

    func missingStrategy(of strategy: String, in run: BaselineRun) -> ComparisonGap {
        ComparisonGap(
            .new,
            .absent(
                "the strategy \(Self.quote(strategy)) of \(Self.quote(run.name))", path,
                among: run.strategies.map(\.name), strategy))
    }

    /// Reason why a scenario or strategy cannot be compared with the baseline. It becomes an error if nothing else can
    /// be compared.
    struct ComparisonGap: Error {
        let reason: Uncompared.UncomparedReason
        let fault: ToolFault

        init(_ reason: Uncompared.UncomparedReason, _ fault: ToolFault) {
            self.reason = reason
            self.fault = fault
        }
    }

    package static func quote(_ name: String) -> String { "`\(name.escapedForTerminal.prefix(200))`" }
}

extension ToolFault {
    fileprivate static func absent(_ what: String, _ path: String, among known: [String], _ name: String) -> Self {
        Self.unknown(
            .absent, "the baseline \(BaselineFile.quote(path)) does not have \(what)", name, among: known,
            help: "deadzone baseline save SCENARIO… --baseline FILE saves it and keeps the others")
    }
}
