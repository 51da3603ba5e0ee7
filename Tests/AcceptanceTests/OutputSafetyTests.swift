import DeadzoneTestKit
import Foundation
import Testing

/// Files in an output folder are always complete, whatever happens to the process that writes them.
struct OutputSafetyTests {
    private final class RunFolder {
        let folder = NSTemporaryDirectory() + "deadzone-" + UUID().uuidString

        init() throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let text = try Binary.built.run(["init", "-"]).text.replacing("replicas: 20", with: "replicas: 1")
            try Data(text.utf8).write(to: URL(filePath: folder + "/a.yaml"))
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        func data(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: folder + "/" + name)) }

        func arguments(seed: Int) -> [String] {
            ["run", "a.yaml", "-q", "--seed", "\(seed)", "--out", "out", "--format", "json,html,perfetto"]
        }
    }

    private static let files = ["results.json", "report.html", "trace.perfetto-trace"]

    @Test func killedRunLeavesCompleteFiles() throws {
        // Broken: a file is written in place, and a kill leaves half of it under its name.
        let place = try RunFolder()
        let whole = try (1...2).map { seed in
            _ = try Binary.built.run(place.arguments(seed: seed), in: place.folder)
            return try Self.files.map { try place.data("out/" + $0) }
        }
        #expect(whole[0] != whole[1])
        let kills = ProcessInfo.processInfo.environment["DEADZONE_KILLS"].flatMap(Int.init) ?? 24
        var (old, new) = (0, 0)
        for round in 0..<kills {
            let running = try Binary.built.start(place.arguments(seed: 1 + round % 2), in: place.folder)
            // Moments spread by the golden ratio over the duration of a run. Chance decides which of them falls into
            // the writing.
            let share = (Double(round) * 0.618_034).truncatingRemainder(dividingBy: 1)
            Thread.sleep(forTimeInterval: share * 1.2)
            if running.isRunning { kill(running.processIdentifier, SIGKILL) }
            _ = try running.wait()
            for (index, name) in Self.files.enumerated() {
                let found = try place.data("out/" + name)
                #expect(whole.contains { $0[index] == found }, "\(name) is neither the old nor the new one")
                if index == 0 { if found == whole[round % 2][0] { new += 1 } else { old += 1 } }
            }
        }
        // A later round overwrites what an earlier kill left. Both outcomes must have occurred.
        #expect(old > 0 && new > 0, "\(old) killed before the file, \(new) after")
    }

    @Test func fullDiskLeavesTheOldFile() throws {
        // Broken: half a file gets the name, a failed write counts as success, or a signal ends the process before it
        // cleans up.
        let place = try RunFolder()
        _ = try Binary.built.run(place.arguments(seed: 1), in: place.folder)
        let before = try Self.files.map { try place.data("out/" + $0) }
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        // No file may grow beyond 4 KiB: the write fails as on a full disk.
        process.arguments =
            ["-c", "ulimit -f 4; exec \"$0\" \"$@\" 2>/dev/null", Binary.built.path]
            + place.arguments(seed: 2)
        process.currentDirectoryURL = URL(filePath: place.folder)
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 4)
        #expect(try Self.files.map { try place.data("out/" + $0) } == before)
        let names = try FileManager.default.contentsOfDirectory(atPath: place.folder + "/out")
        #expect(names.sorted() == Self.files.sorted(), "the temporary file is gone")
    }

    @Test func concurrentRunsLeaveAllFilesOfOne() throws {
        // Broken: two runs into one folder leave the numbers of one run beside the page of the other.
        let place = try RunFolder()
        let whole = try (1...4).map { seed in
            _ = try Binary.built.run(place.arguments(seed: seed), in: place.folder)
            return try Self.files.map { try place.data("out/" + $0) }
        }
        for _ in 0..<3 {
            let running = try (1...4).map {
                try Binary.built.start(place.arguments(seed: $0), in: place.folder)
            }
            for process in running { #expect(try process.wait().status == 0) }
            #expect(whole.contains(try Self.files.map { try place.data("out/" + $0) }))
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: place.folder + "/out")
        #expect(names.sorted() == Self.files.sorted())
    }
}
