import DeadzoneTestKit
import Foundation

/// The command as a process.
struct Binary: Sendable {
    struct Outcome {
        let status: Int32
        let output: Data
        let errors: String

        var text: String { String(decoding: output, as: UTF8.self) }
    }

    let path: String

    /// What `swift build` left beside the tests, or what `DEADZONE_BINARY` names.
    static let built = Binary(path: variable("DEADZONE_BINARY") ?? productFolder + "/deadzone")

    /// The optimised one: the same, where the tests are optimised, or what `DEADZONE_RELEASE` names; nil where nobody built it.
    static let release = variable("DEADZONE_RELEASE").map(Binary.init(path:)) ?? (isOptimised ? built : nil)

    /// The other: the same, where the tests are not optimised, or what `DEADZONE_DEBUG` names; nil where nobody built it.
    static let debug = variable("DEADZONE_DEBUG").map(Binary.init(path:)) ?? (isOptimised ? nil : built)

    /// As SwiftPM tells the compiler.
    private static var isOptimised: Bool {
        #if DEBUG
            false
        #else
            true
        #endif
    }

    /// - Parameters:
    ///   - folder: to run in; nil: the root of the checkout.
    ///   - variables: set on top of an environment that holds nothing but PATH.
    ///   - shell: what follows the command in a shell, such as `> /dev/full`.
    func run(
        _ arguments: [String], in folder: String? = nil, _ variables: [String: String] = [:], input: String = "",
        shell: String? = nil
    ) throws -> Outcome {
        try start(arguments, in: folder, variables, input: input, shell: shell).wait()
    }

    func start(
        _ arguments: [String], in folder: String? = nil, _ variables: [String: String] = [:], input: String = "",
        shell: String? = nil
    ) throws -> Running {
        let process = Process()
        process.executableURL = URL(filePath: shell == nil ? path : "/bin/bash")
        process.arguments = shell.map { ["-c", "\"$0\" \"$@\" " + $0, path] + arguments } ?? arguments
        process.currentDirectoryURL = URL(filePath: folder ?? Repository.root)
        process.environment = variables.merging(["PATH": Self.variable("PATH") ?? "/usr/bin:/bin"]) { own, _ in own }
        let files = try Files()
        try Data(input.utf8).write(to: files.input)
        process.standardInput = try FileHandle(forReadingFrom: files.input)
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

    /// Files, not pipes: a pipe that nobody empties stops the process.
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

    private static var productFolder: String {
        #if os(macOS)
            // The bundle lies among the products; on Linux the bundle is the test's own executable.
            for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
                return bundle.bundleURL.deletingLastPathComponent().path
            }
        #endif
        return URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path
    }

    private static func variable(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }
}
