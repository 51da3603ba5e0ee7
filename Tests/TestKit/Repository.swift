import Foundation

/// Location of the checkout that the tests were built from, and of the command built with them.
package enum Repository {
    /// Three levels above this file: Tests/TestKit/Repository.swift.
    package static let root = parent(parent(parent(#filePath)))

    private static func parent(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? path
    }

    /// Path of the command: the one that `DEADZONE_BINARY` names, or the one that SwiftPM placed beside the tests.
    package static let command = ProcessInfo.processInfo.environment["DEADZONE_BINARY"] ?? productFolder + "/deadzone"

    private static var productFolder: String {
        #if os(macOS)
            // The bundle is in the folder of the products. On Linux, the bundle is the test's own executable.
            for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
                return bundle.bundleURL.deletingLastPathComponent().path
            }
        #endif
        return URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path
    }
}
