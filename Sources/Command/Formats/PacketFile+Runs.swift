import DeadzoneRuns
import DeadzoneEngine
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneScenarios
import DeadzoneTraces

extension PacketFile {
    /// The packets of one phone, if nobody asked for another the first in the first replica, under each strategy. One
    /// strategy: the interfaces are `wifi` and `cellular`; several: each has its own.
    ///
    /// Readers print comments and names of interfaces on terminals: what would steer one is spelled out.
    static func bytes(_ finished: FinishedRuns) -> [UInt8] {
        let names = finished.runs.prefix(mostNamed).map { shown($0.scenario.name) }
        let more = finished.runs.count - names.count
        var file = PacketFile(
            about: "simulated by deadzone: \(names.joined(separator: "; "))" + (more > 0 ? "; and \(more) more" : ""))
        let isOne = finished.runs.count == 1 && finished.runs[0].contenders.count == 1
        for run in finished.runs {
            for (strategy, contender) in run.contenders.enumerated() {
                var trace = PacketTrace(phone: run.phone)
                run.journal(of: strategy, into: &trace)
                let prefix = finished.runs.count > 1 ? shown(run.scenario.name) + " " : ""
                file.add(trace, name: isOne ? "" : prefix + shown(contender.name))
            }
        }
        return file.bytes
    }

    private static let mostNamed = 20
    private static let longestName = 200

    private static func shown(_ name: String) -> String {
        name.unicodeScalars.count <= longestName
            ? name.visible : String(String.UnicodeScalarView(name.unicodeScalars.prefix(longestName))).visible + "…"
    }
}
