package import Foundation

/// Runs the scripts in Tests/Oracles, which compute expected results with independent third-party code. They need a
/// Python with the packages of Tests/Oracles/requirements.txt. `DEADZONE_PYTHON` is its path; `make test` sets it up.
///
///     @Test(.enabled(if: Oracle.isEnabled, "\(Oracle.advice)"))
package enum Oracle {
    /// `true` if a Python is configured, or if oracles are required (`DEADZONE_REQUIRE_ORACLES=1`). If they are
    /// required, a missing Python is a failure and not a skip.
    package static var isEnabled: Bool { python != nil || isRequired }

    package static let advice = "DEADZONE_PYTHON names no Python to compare with; `make test` makes one"

    private static var python: String? { setting("DEADZONE_PYTHON") }
    private static var isRequired: Bool { setting("DEADZONE_REQUIRE_ORACLES") == "1" }

    private static func setting(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Runs the script with `input` on its standard input and returns its output. If the exit status is not 0, throws
    /// an error that contains the script's output.
    package static func run(script: String, input: Data = Data(), arguments: [String] = []) throws -> String {
        try execute([scripts.appending(path: script).path] + arguments, input: input, name: script)
    }

    /// Runs a module of an installed package in the same way, like `python -m`.
    package static func run(module: String, input: Data = Data(), arguments: [String] = []) throws -> String {
        try execute(["-m", module] + arguments, input: input, name: module)
    }

    private static func execute(_ arguments: [String], input: Data, name: String) throws -> String {
        guard let python else { throw Fault.noPython }
        // Uses files instead of pipes. A script may print before it has read all its input; with pipes the two
        // processes could then block each other.
        let folder = FileManager.default.temporaryDirectory.appending(path: "deadzone-oracle-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (inputFile, outputFile, errorFile) = (
            folder.appending(path: "in"), folder.appending(path: "out"), folder.appending(path: "err")
        )
        try input.write(to: inputFile)
        try Data().write(to: outputFile)
        try Data().write(to: errorFile)

        let process = Process()
        process.executableURL = URL(filePath: python)
        process.arguments = arguments
        process.standardInput = try FileHandle(forReadingFrom: inputFile)
        process.standardOutput = try FileHandle(forWritingTo: outputFile)
        process.standardError = try FileHandle(forWritingTo: errorFile)
        try process.run()
        process.waitUntilExit()

        let output = String(decoding: try Data(contentsOf: outputFile), as: UTF8.self)
        guard process.terminationStatus == 0 else {
            let errorText = String(decoding: try Data(contentsOf: errorFile), as: UTF8.self)
            throw Fault.failed(name, status: process.terminationStatus, said: errorText + output)
        }
        return output
    }

    private static let scripts = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Oracles")

    package enum Fault: Error, CustomStringConvertible {
        case noPython
        case failed(String, status: Int32, said: String)

        package var description: String {
            switch self {
            case .noPython: Oracle.advice
            case .failed(let name, let status, let said): "\(name) ended with \(status):\n\(said)"
            }
        }
    }
}
