import Foundation
import PackagePlugin

/// `swift package deadzone compare Scenarios --baseline base.json`: the command from within a package that depends on this
/// one, without an installation. Paths are those of the package's folder; all arguments are the command's own. What writes
/// into the package (`--out`, `baseline save`) needs `--allow-writing-to-package-directory` where SwiftPM has a sandbox.
@main
struct Passing: CommandPlugin {
    /// SwiftPM prints it and ends with 1: a plug-in has no exit code of its own.
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
