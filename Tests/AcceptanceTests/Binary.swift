import DeadzoneTestKit
import Foundation

/// The command as a separate process.
struct Binary: Sendable {
    struct Outcome {
        let status: Int32
        let output: Data
        let errors: String

        var text: String { String(decoding: output, as: UTF8.self) }
    }

    let path: String

    static let built = Binary(path: Repository.command)

    /// The optimised binary: the one that `DEADZONE_RELEASE` names, or `built` if the tests are optimised. `nil` if
    /// neither exists.
    static let release = variable("DEADZONE_RELEASE").map(Binary.init(path:)) ?? (isOptimised ? built : nil)

    /// `true` if SwiftPM compiles with optimisation.
    private static var isOptimised: Bool {
        #if DEBUG
            false
        #else
            true
        #endif
    }

    /// - Parameters:
    ///   - folder: The folder to run in. `nil` selects the root of the checkout.
    ///   - variables: Set in addition to an environment that holds only PATH.
    ///   - shell: Text that follows the command in a shell, such as `> /dev/full`.
    func run(
        _ arguments: [String], in folder: String? = nil, _ variables: [String: String] = [:], input: String = "",
        shell: String? = nil
    ) throws -> Outcome {
        try start(arguments, in: folder, variables, input: input, shell: shell).wait()
    }

    func start(
        _ arguments: [String], in folder: String? = nil, _ variables: [String: String] = [:], input: String = "",
        openInput: FileHandle? = nil, shell: String? = nil
    ) throws -> Running {
        let process = Process()
        process.executableURL = URL(filePath: shell == nil ? path : "/bin/bash")
        process.arguments = shell.map { ["-c", "\"$0\" \"$@\" " + $0, path] + arguments } ?? arguments
        process.currentDirectoryURL = URL(filePath: folder ?? Repository.root)
        process.environment = variables.merging(["PATH": Self.variable("PATH") ?? "/usr/bin:/bin"]) { own, _ in own }
        let files = try Files()
        try Data(input.utf8).write(to: files.input)
        process.standardInput = try openInput ?? FileHandle(forReadingFrom: files.input)
        process.standardOutput = try FileHandle(forWritingTo: files.output)
        process.standardError = try FileHandle(forWritingTo: files.errors)
        try process.run()
        return Running(process: process, files: files)
    }

    final class Running {
        private let process: Process
        private let files: Files

        fileprivate init(process: Process, files: Files) {
            self.process = process
            self.files = files
        }

        var isRunning: Bool { process.isRunning }
        var processIdentifier: Int32 { process.processIdentifier }

        func errors() throws -> String { String(decoding: try Data(contentsOf: files.errors), as: UTF8.self) }

        func wait() throws -> Outcome {
            process.waitUntilExit()
            return Outcome(
                status: process.terminationStatus, output: try Data(contentsOf: files.output), errors: try errors())
        }
    }

    /// Uses files instead of pipes, because a pipe that is not read blocks the process.
    fileprivate final class Files {
        let folder: URL
        var input: URL { folder.appending(path: "in") }
        var output: URL { folder.appending(path: "out") }
        var errors: URL { folder.appending(path: "err") }

        init() throws {
            folder = URL(filePath: NSTemporaryDirectory()).appending(path: "deadzone-" + UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            for file in [output, errors] { try Data().write(to: file) }
        }

        deinit { try? FileManager.default.removeItem(at: folder) }
    }

    private static func variable(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }
}
