import DeadzoneCommand
import DeadzoneHost
import DeadzoneTestKit
import Foundation
import Testing

/// Runs `deadzone live` in this process with the programs in Tests/LiveTests/Programs.
enum Live {
    /// If the system refuses namespaces, the tests are skipped with a message; with `DEADZONE_REQUIRE_LIVE=1` they
    /// fail.
    static let isWanted = isRequired || Sandbox.unavailableReason() == nil
    static let hasLibraries =
        isRequired || (isWanted && has(["grpc", "paho.mqtt.client", "websockets", "aioquic"]))
    static let advice = "this system makes no namespaces for live runs; deadzone doctor says why"
    static let libraries = "DEADZONE_PYTHON has no grpcio, paho-mqtt, websockets and aioquic; `make test` sees to it"

    private static let isRequired = environment["DEADZONE_REQUIRE_LIVE"] == "1"
    private static let environment = ProcessInfo.processInfo.environment
    static let python = environment["DEADZONE_PYTHON"].flatMap { $0.isEmpty ? nil : $0 } ?? "python3"
    static let programs = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Programs").path
    static let scenarios = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Scenarios/live").path

    /// The built command, for runs as a separate process. `nil` if it was not built.
    static let binary = FileManager.default.isExecutableFile(atPath: Repository.command) ? Repository.command : nil

    /// If live tests are required, missing tools are a failure.
    static let hasNetworkTools = isRequired || ["ip", "unshare", "nsenter"].allSatisfy(isInstalled)

    private static func isInstalled(_ tool: String) -> Bool {
        ["/sbin", "/usr/sbin", "/bin", "/usr/bin"].contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(tool)")
        }
    }

    struct Outcome {
        let code: ExitCode
        let document: [String: Any]
        let said: String
        let text: String

        init(_ printed: CommandOutput) throws {
            (code, said, text) = (printed.code, printed.errors, printed.output)
            document = try #require(
                try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(printed.errors)")
        }

        /// Lines that a client printed with this keyword: `1.2 found 203.0.113.1` was printed at 1.2 s.
        func reportedLines(_ word: String) -> [(at: Double, words: [String])] {
            said.split(separator: "\n").compactMap { line in
                let words = line.split(separator: " ").map(String.init)
                guard words.count > 1, words[1] == word, let at = Double(words[0]) else { return nil }
                return (at, Array(words.dropFirst(2)))
            }
        }

        var own: [String: Any] { (document["strategies"] as? [[String: Any]])?.first ?? [:] }
        func metric(_ name: String) -> Double? { (own["metrics"] as? [String: Any])?[name] as? Double }
        var attempts: [[String: Any]] { own["attempts"] as? [[String: Any]] ?? [] }
        var flows: [[String: Any]] { own["flows"] as? [[String: Any]] ?? [] }
        func law(_ name: String) -> (inside: Int, of: Int)? {
            let law = (own["laws"] as? [[String: Any]])?.first { $0["law"] as? String == name }
            return law.flatMap { ($0["inside"] as? Int ?? -1, $0["of"] as? Int ?? -1) }
        }
    }

    struct Fit {
        let code: ExitCode
        let complaints: [String]
        let refuted: [String]
        /// The range of each setting that the recording allows.
        let found: [String: ClosedRange<Double>]
    }

    /// Exit code and output of a command.
    struct CommandOutput: Sendable {
        let code: ExitCode
        let output: String
        let errors: String

        init(_ words: [String], input: String = "") {
            var surroundings = CommandContext.memory(input: input)
            surroundings.cores = 2
            code = DeadzoneCommand.run(words, in: surroundings)
            (output, errors) = (surroundings.output.text, surroundings.errors.text)
        }

        /// The result of a command that ran in a separate process.
        init(code: ExitCode, output: String, errors: String) {
            (self.code, self.output, self.errors) = (code, output, errors)
        }
    }

    /// Runs one setting immediately, apart from the shared runs.
    static func run(_ setting: RunSetup) throws -> Outcome { try Outcome(setting.printed) }

    static func program(_ name: String, _ arguments: String...) -> [String] {
        [python, "\(programs)/\(name)"] + arguments
    }

    /// Number of processes on the whole machine with this word among their arguments.
    static func processes(with word: String) -> Int {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.filter { Int($0) != nil }.count { process in
            let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
            return line.split(separator: 0).contains { String(decoding: $0, as: UTF8.self) == word }
        }
    }

    private static func has(_ modules: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [python, "-c", "import " + modules.joined(separator: ", ")]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}

extension Live.Outcome {
    /// Runs `deadzone fit` on the outcome.
    func fit(like preset: String?) throws -> Live.Fit {
        let file = FileManager.default.temporaryDirectory.appending(path: "deadzone-fit-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(text.utf8).write(to: file)
        return try Live.fit(file.path, like: preset)
    }
}

extension Live {
    static let recordings = programs.replacing("/Programs", with: "/Recordings")

    /// The constants in steady.py, by their names in `composed`.
    static let steady = [
        "backoff.base": 0.7, "backoff.multiplier": 3, "backoff.cap": 5.9, "connect.timeout": 1.3,
        "keepalive.interval": 1.7, "keepalive.timeout": 2.3,
    ]

    static func fit(_ file: String, like preset: String?) throws -> Fit {
        let printed = Live.CommandOutput(["fit", file, "--json"] + (preset.map { ["--like", $0] } ?? []))
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(printed.output.utf8)) as? [String: Any], "\(printed.errors)")
        let found = document["found"] as? [[String: Any]] ?? []
        func name(_ finding: [String: Any]) -> String { finding["setting"] as? String ?? "" }
        return Live.Fit(
            code: printed.code, complaints: document["complaints"] as? [String] ?? [],
            refuted: found.filter { $0["refuted"] as? Bool == true }.map(name),
            found: Dictionary(
                found.compactMap { one in
                    guard let least = one["min"] as? Double, let most = one["max"] as? Double else { return nil }
                    return (name(one), least...most)
                }
            ) { $1 })
    }
}
