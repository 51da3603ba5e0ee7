import Foundation
import Testing

/// Whatever ends deadzone ends all that it has begun.
@Suite(.enabled(if: Live.isWanted && Live.binary != nil, "\(Live.advice), or no command was built"))
struct KillTests {
    @Test(arguments: [0.05, 0.2, 0.5, 1.5])
    func nothingSurvivesAKill(_ seconds: Double) throws {
        // Broken: kill -9 at some moment leaves a client, a server or a namespace behind.
        let mark = "8\(ProcessInfo.processInfo.processIdentifier)"
        let process = Process()
        process.executableURL = URL(filePath: try #require(Live.binary))
        process.arguments = [
            "live", Live.scenarios + "/elevator.yaml", "--server", "exec sleep \(mark)", "--", "sleep", mark,
        ]
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        Thread.sleep(forTimeInterval: seconds)
        let before = Live.processes(with: mark)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        for _ in 0..<50 where Live.processes(with: mark) > 0 { Thread.sleep(forTimeInterval: 0.1) }
        #expect(Live.processes(with: mark) == 0)
        #expect(seconds < 1 || before > 0, "nothing ran that could have survived")
    }
}
