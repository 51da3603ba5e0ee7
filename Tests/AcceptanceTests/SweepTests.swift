import DeadzoneTestKit
import Foundation
import Testing

/// What `sweep` prints, run as a stranger would.
@Suite(.enabled(if: Binary.release != nil, "no optimised binary; `make test` builds it"))
struct SweepTests {
    private let folder = NSTemporaryDirectory() + "deadzone-sweep-" + UUID().uuidString
    private static let run =
        ["handoff/elevator.yaml"].map { Repository.root + "/Scenarios/" + $0 } + ["--replicas", "5"]

    @Test("Else what is printed for this machine would not run on it, or come to something else than the run")
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

    @Test("Else no cluster would come to what one machine does", arguments: ["slurm"])
    func aClusterComesToTheSame(_ cluster: String) throws {
        let script = Binary(path: Repository.root + "/Tests/Clusters/" + cluster)
        let release = try #require(Binary.release)
        let told = try script.run([release.path, "6"] + Self.run)
        if told.status == 77 {
            print("not tried: \(told.text)")
        } else {
            #expect(told.status == 0, "\(told.text)\(told.errors)")
            #expect(told.text.contains("missing") && told.text.contains("6 shards, merged"))
        }
    }
}
