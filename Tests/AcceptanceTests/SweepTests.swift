import DeadzoneTestKit
import Foundation
import Testing

/// Scripts that `sweep` prints, run as a user runs them.
@Suite(.enabled(if: Binary.release != nil, "no optimised binary; `make test` builds it"))
struct SweepTests {
    private let folder = NSTemporaryDirectory() + "deadzone-sweep-" + UUID().uuidString
    private static let run =
        ["handoff/elevator.yaml"].map { Repository.root + "/Scenarios/" + $0 } + ["--replicas", "5"]

    @Test("The script for this machine runs and gives the result of the whole run")
    func theScriptForThisMachineRuns() throws {
        let release = try #require(Binary.release)
        try FileManager.default.createDirectory(atPath: folder + "/bin", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/bin/deadzone", withDestinationPath: URL(filePath: release.path).path)
        let script = try release.run(["sweep"] + Self.run + ["--shards", "4"])
        try script.output.write(to: URL(filePath: folder + "/sweep"))
        let path = ["PATH": folder + "/bin:/usr/bin:/bin"]
        let swept = try Binary(path: "/bin/sh").run(["sweep"], in: folder, path)
        #expect(swept.status == 0, "\(swept.errors)")
        #expect(swept.text.hasSuffix(try release.run(["run"] + Self.run).text))
    }

    @Test("Slurm gives the same result as one machine")
    func slurmGivesTheSameResult() throws {
        let told = try cluster("slurm", [])
        #expect(told == nil || told?.contains("missing") == true && told?.contains("6 shards, merged") == true)
    }

    /// Ray is too large to install for one test. `DEADZONE_RAY` names a Python that has it, such as that of `make
    /// clusters`.
    @Test("Ray gives the same result as one machine")
    func rayGivesTheSameResult() throws {
        guard let python = ProcessInfo.processInfo.environment["DEADZONE_RAY"] else {
            return print("not tried: DEADZONE_RAY names no Python that has Ray")
        }
        #expect(try cluster("ray", [python])?.contains("6 shards, merged") != false)
    }

    /// Runs the script of a cluster and returns its output. `nil` if the cluster cannot be tried.
    private func cluster(_ name: String, _ words: [String]) throws -> String? {
        let script = Binary(path: Repository.root + "/Tests/Clusters/" + name)
        let release = try #require(Binary.release)
        let told = try script.run(words + [release.path, "6"] + Self.run)
        if told.status == 77 {
            print("not tried: \(told.text)")
            return nil
        }
        #expect(told.status == 0, "\(told.text)\(told.errors)")
        return told.text
    }
}
