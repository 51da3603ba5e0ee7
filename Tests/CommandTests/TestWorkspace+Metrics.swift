import DeadzoneCommand
import Foundation
import Testing

extension TestWorkspace {
    /// The JSON document that a command line prints with `--json`.
    func document(_ line: String) throws -> [String: Any] {
        let outcome = run(line + " --json")
        try #require(outcome.code == .ok, "\(outcome.errors)")
        return try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    }

    /// A folder with a capture `a.pcap` and a strategy `calm` in `clients.yaml`.
    static func replaying(_ capture: Data) throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        try workspace.write("a.pcap", [UInt8](capture))
        try workspace.write("clients.yaml", "calm: {strategy: patient, ping: 5m}\n")
        return workspace
    }

    /// The metrics of each strategy of a scenario.
    static func metrics(of scenario: String) throws -> [String: [String: Double]] {
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", "version: 1\nname: a\n" + scenario)
        let outcome = workspace.run("run @a.yaml --json")
        try #require(outcome.code == .ok, "\(outcome.errors) \(outcome.output.prefix(2_000))")
        let run = try #require(JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        let strategies = try #require(run["strategies"] as? [[String: Any]])
        return Dictionary(
            uniqueKeysWithValues: strategies.map {
                (
                    $0["name"] as? String ?? "",
                    ($0["metrics"] as? [String: Any] ?? [:]).compactMapValues { $0 as? Double }
                )
            })
    }
}
