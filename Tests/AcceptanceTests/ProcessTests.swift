import Foundation
import Testing

/// Behaviour that only a real process shows: exit codes, failing outputs, signals.
struct ProcessTests {
    static let codes: [([String], Int32)] = [
        (["help"], 0), (["-h"], 0), (["run", "-h"], 0), (["run", "--nonsense", "-h"], 0), (["version"], 0),
        ([], 0), (["nonsense"], 2), (["run"], 2), (["run", "--nonsense", "x.yaml"], 2), (["explain", "nonsense"], 2),
        (["run", "missing.yaml"], 5), (["run", "missing/*.yaml"], 5), (["lint", "missing.yaml"], 5),
    ]

    @Test(arguments: codes)
    func endsWithTheDocumentedExitCode(_ arguments: [String], _ status: Int32) throws {
        // Broken: scripts take an error for a success, or one error for another.
        let outcome = try Binary.built.run(arguments)
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(outcome.errors.isEmpty == (status == 0), "\(outcome.errors)")
        #expect(outcome.output.isEmpty == (status != 0))
    }

    @Test func closedPipeIsNoFault() throws {
        // Broken: `deadzone … | head` ends with a crash or a message.
        let outcome = try Binary.built.run(
            ["help", "run"], shell: "| true; echo ${PIPESTATUS[0]}")
        #expect(outcome.text == "0\n")
        #expect(outcome.errors == "")
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full here"))
    func aFullDiskIsAFault() throws {
        // Broken: output that was cut short counts as complete.
        let outcome = try Binary.built.run(["help"], shell: "> /dev/full")
        #expect(outcome.status == 4)
        #expect(outcome.errors.contains("error[E0403]"))
    }

    @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
    func signalEndsTheRunWithFinishedResults(_ signal: Int32, _ status: Int32) throws {
        // Broken: Ctrl-C discards what was computed, or a stopped run counts as complete.
        let folder = NSTemporaryDirectory() + "deadzone-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let text = try Binary.built.run(["init", "-"]).text
        try Data(text.utf8).write(to: URL(filePath: folder + "/a.yaml"))
        // A scenario that takes too long to wait for.
        try Data(text.replacing("replicas: 20 ", with: "phones: 50\nreplicas: 100000 ").utf8).write(
            to: URL(filePath: folder + "/b.yaml"))

        let running = try Binary.built.start(["run", "a.yaml", "b.yaml", "--json"], in: folder)
        // The progress line of the first scenario shows that the second has begun.
        while running.isRunning, try running.errors().isEmpty { usleep(1_000) }
        kill(running.processIdentifier, signal)
        let outcome = try running.wait()
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(outcome.errors.contains("incomplete"))
        let document = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
        let runs = try #require(document["runs"] as? [[String: Any]])
        let isWhole = runs[0]["complete"] as? Bool == true
        #expect(isWhole)
        let areCut = runs.dropFirst().allSatisfy { $0["complete"] as? Bool == false }
        #expect(areCut)
    }

    @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
    func signalEndsTheWaitForInput(_ signal: Int32, _ status: Int32) throws {
        // Broken: the first Ctrl-C is ignored while standard input or a FIFO sends nothing.
        let folder = try TemporaryFolder()
        try #require(mkfifo(folder.path + "/fifo", 0o600) == 0)
        try Data(Binary.built.run(["init", "-"]).output).write(to: URL(filePath: folder.path + "/a.yaml"))
        let commands = [
            ["run", "-"], ["lint", "-"], ["report", "-", "--format", "csv"], ["replay", "-"], ["day", "-"],
            ["day", "fifo"], ["run", "fifo"],
            ["lint", "fifo"], ["report", "fifo", "--format", "csv"], ["replay", "fifo"], ["fit", "fifo"],
            ["compare", "a.yaml", "--baseline", "fifo"],
        ]
        let silent = Pipe()
        let running = try commands.map {
            try Binary.built.start($0, in: folder.path, openInput: silent.fileHandleForReading)
        }
        // Time to start and to begin reading.
        usleep(3_000_000)
        for process in running { kill(process.processIdentifier, signal) }
        let limit = Date().addingTimeInterval(10)
        for (words, process) in zip(commands, running) {
            while process.isRunning, Date() < limit { usleep(10_000) }
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
            let outcome = try process.wait()
            #expect(outcome.status == status, "\(words): \(outcome.errors)")
            #expect(outcome.errors.contains("stopped"), "\(words): \(outcome.errors)")
        }
        withExtendedLifetime(silent) {}
    }

    @Test func aFIFOIsReadFromItsFirstByteToItsLast() throws {
        // Broken: a FIFO without a writer counts as empty, or its content is cut at a pause of the writer.
        let folder = try TemporaryFolder()
        try #require(mkfifo(folder.path + "/fifo", 0o600) == 0)
        let text = try Binary.built.run(["init", "-"]).text
        try Data(text.utf8).write(to: URL(filePath: folder.path + "/a.yaml"))
        let reader = try Binary.built.start(["lint", "fifo"], in: folder.path)
        let writer = Process()
        writer.executableURL = URL(filePath: "/bin/sh")
        writer.arguments = ["-c", "sleep 0.5; { head -c 100 a.yaml; sleep 0.3; tail -c +101 a.yaml; } >fifo"]
        writer.currentDirectoryURL = URL(filePath: folder.path)
        try writer.run()
        let outcome = try reader.wait()
        writer.waitUntilExit()
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test func startsWithoutFoundation() throws {
        // Broken: Foundation is linked again, and every start takes tens of milliseconds longer. A command that contains its
        // libraries has the names of their modules.
        let bytes = try Data(contentsOf: URL(filePath: Binary.built.path))
        #expect(bytes.count > 100_000)
        for library in ["libFoundation", "Foundation.framework", "FoundationEssentials"] {
            #expect(bytes.range(of: Data(library.utf8)) == nil, "\(library)")
        }
    }
}
