public import Foundation

/// Scripts in Tests/Oracles that know the right answer by other people's code. They need a Python with the packages of
/// Tests/Oracles/requirements.txt, named by `DEADZONE_PYTHON`; `make test` sees to it.
///
///     @Test(.enabled(if: Oracle.isWanted, "\(Oracle.advice)"))
public enum Oracle {
    /// True where there is a Python to ask, and where there has to be one: then a missing one is a failure, not a skip.
    public static var isWanted: Bool { python != nil || isRequired }

    public static let advice = "DEADZONE_PYTHON names no Python to compare with; `make test` makes one"

    private static var python: String? { setting("DEADZONE_PYTHON") }
    private static var isRequired: Bool { setting("DEADZONE_REQUIRE_ORACLES") == "1" }

    private static func setting(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// What the script prints when it is given `input`. A script that ends with anything but 0 throws what it said.
    public static func run(script: String, input: Data = Data(), arguments: [String] = []) throws -> String {
        try execute([scripts.appending(path: script).path] + arguments, input: input, name: script)
    }

    /// The same for a module of an installed package, as `python -m` runs it.
    public static func run(module: String, input: Data = Data(), arguments: [String] = []) throws -> String {
        try execute(["-m", module] + arguments, input: input, name: module)
    }

    private static func execute(_ arguments: [String], input: Data, name: String) throws -> String {
        guard let python else { throw Fault.noPython }
        // Files, not pipes: a script may print before it has read everything, and nobody waits for nobody.
        let folder = FileManager.default.temporaryDirectory.appending(path: "deadzone-oracle-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (asked, answered, complained) = (
            folder.appending(path: "in"), folder.appending(path: "out"), folder.appending(path: "err")
        )
        try input.write(to: asked)
        try Data().write(to: answered)
        try Data().write(to: complained)

        let process = Process()
        process.executableURL = URL(filePath: python)
        process.arguments = arguments
        process.standardInput = try FileHandle(forReadingFrom: asked)
        process.standardOutput = try FileHandle(forWritingTo: answered)
        process.standardError = try FileHandle(forWritingTo: complained)
        try process.run()
        process.waitUntilExit()

        let output = String(decoding: try Data(contentsOf: answered), as: UTF8.self)
        guard process.terminationStatus == 0 else {
            let complaint = String(decoding: try Data(contentsOf: complained), as: UTF8.self)
            throw Fault.failed(name, status: process.terminationStatus, said: complaint + output)
        }
        return output
    }

    private static let scripts = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Oracles")

    public enum Fault: Error, CustomStringConvertible {
        case noPython
        case failed(String, status: Int32, said: String)

        public var description: String {
            switch self {
            case .noPython: Oracle.advice
            case .failed(let name, let status, let said): "\(name) ended with \(status):\n\(said)"
            }
        }
    }
}
