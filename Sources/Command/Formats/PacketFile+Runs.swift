import DeadzoneEngine
import DeadzoneJournal
import DeadzoneReporting
import DeadzoneScenarios

extension PacketFile {
    /// The packets of the first phone in the first replica under each strategy. One strategy: the interfaces are `wifi` and
    /// `cellular`; several: each has its own.
    static func bytes(_ finished: FinishedRuns) -> [UInt8] {
        let names = finished.runs.map(\.scenario.name).joined(separator: "; ")
        var file = PacketFile(about: "simulated by deadzone: \(names)")
        let isOne = finished.runs.count == 1 && finished.runs[0].contenders.count == 1
        for run in finished.runs {
            for (strategy, contender) in run.contenders.enumerated() {
                var trace = PacketTrace()
                run.journal(of: strategy, into: &trace)
                let prefix = finished.runs.count > 1 ? run.scenario.name + " " : ""
                file.add(trace, name: isOne ? "" : prefix + contender.name)
            }
        }
        return file.bytes
    }
}
