import Foundation
import PackagePlugin

/// Builds and runs the `deadzone` command from within a package that depends on this one, without an installation:
/// `swift package deadzone compare Scenarios --baseline base.json`.
///
/// The build is that of `swift build -c release --product deadzone`, in the same folder, so only changes are compiled.
/// Flags of the build stand before the verb: `swift package -Xswiftc -enable-testing deadzone run`. Its output goes to
/// standard error.
///
/// Paths are relative to the package's folder. All arguments are passed to the command. Commands that write into the
/// package (`--out`, `baseline save`) need `--allow-writing-to-package-directory` where SwiftPM has a sandbox.
@main
struct DeadzoneCommandPlugin: CommandPlugin {
    /// The error with which the plug-in ends, if its command failed. SwiftPM prints it and exits with status 1, because
    /// a plug-in has no exit status of its own.
    enum CommandFailure: Error, CustomStringConvertible {
        case status(Int32)
        case notBuilt

        var description: String {
            switch self {
            case .status(let status): "deadzone ended with \(status)"
            case .notBuilt: "deadzone could not be built"
            }
        }
    }

    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let build = try packageManager.build(
            .product("deadzone"), parameters: .init(configuration: .release, logging: .concise, echoLogs: true))
        guard build.succeeded, let command = build.builtArtifacts.first(where: { $0.kind == .executable }) else {
            throw CommandFailure.notBuilt
        }
        let process = Process()
        process.executableURL = command.url
        process.arguments = arguments
        process.currentDirectoryURL = context.package.directoryURL
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CommandFailure.status(process.terminationStatus) }
    }
}
