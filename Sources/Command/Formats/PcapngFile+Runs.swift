import DeadzoneBase
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSimulator

extension PcapngFile {
    /// The packets of one phone under each strategy: the requested phone and replica, by default the first of each.
    /// With one strategy the interfaces are called `wifi` and `cellular`. With several, each strategy has its own.
    ///
    /// Packet readers print comments and interface names to terminals, so control characters are escaped.
    static func bytes(_ finished: FinishedRuns) -> [UInt8] {
        let names = finished.runs.prefix(mostNamed).map { shown($0.scenario.name) }
        let more = finished.runs.count - names.count
        var file = PcapngFile(
            about: "simulated by deadzone: \(names.joined(separator: "; "))" + (more > 0 ? "; and \(more) more" : ""))
        let isOne = finished.runs.count == 1 && finished.runs[0].namedStrategies.count == 1
        for run in finished.runs {
            for (strategy, namedStrategy) in run.namedStrategies.enumerated() {
                var trace = PacketTrace(phone: run.phone)
                run.journal(of: strategy, into: &trace)
                let prefix = finished.runs.count > 1 ? shown(run.scenario.name) + " " : ""
                file.add(trace, name: isOne ? "" : prefix + shown(namedStrategy.name))
            }
        }
        return file.bytes
    }

    private static let mostNamed = 20
    private static let longestName = 200

    private static func shown(_ name: String) -> String {
        name.unicodeScalars.count <= longestName
            ? name.escapedForTerminal
            : String(String.UnicodeScalarView(name.unicodeScalars.prefix(longestName))).escapedForTerminal + "…"
    }
}
