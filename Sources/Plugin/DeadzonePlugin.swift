import Foundation
import PackagePlugin

/// Runs the `deadzone` command from within a package that depends on this one, without an installation: `swift package
/// deadzone compare Scenarios --baseline base.json`.
///
/// Paths are relative to the package's folder. All arguments are passed to the command. Commands that write into the
/// package (`--out`, `baseline save`) need `--allow-writing-to-package-directory` where SwiftPM has a sandbox.
@main
struct Passing: CommandPlugin {
    /// The error with which the plug-in ends, if its command failed. SwiftPM prints it and exits with status 1, because a plug-in has no exit status of its
    /// own.
    struct Ending: Error, CustomStringConvertible {
        let status: Int32
        var description: String { "deadzone ended with \(status)" }
    }

    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let process = Process()
        process.executableURL = try context.tool(named: "deadzone").url
        process.arguments = arguments
        process.currentDirectoryURL = context.package.directoryURL
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Ending(status: process.terminationStatus) }
    }
}
