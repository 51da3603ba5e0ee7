import DeadzoneTestKit
import Foundation

/// One file of the checkout.
struct SourceFile: Sendable {
    /// Relative to the root of the checkout.
    let path: String
    let text: String
    /// The source with comments and strings blanked; empty for other files than Swift.
    let code: String
    /// The part of the module: "Engine" for a file in Sources/Simulator/Engine, the module for one outside its parts.
    let part: String

    init(_ path: String, _ text: String) {
        self.path = path
        self.text = text
        code = path.hasSuffix(".swift") ? codeOnly(text) : ""
        part = Manifest.own.part(of: path)
    }

    /// The folder under Sources or Tests: "Simulator", "EngineTests".
    var target: String { folder.split(separator: "/").last.map(String.init) ?? "" }

    /// The folder of a target: "Sources/Simulator".
    var folder: String {
        path.split(separator: "/").dropLast().prefix(2).joined(separator: "/")
    }

    /// "Sources/Simulator/Engine", or the folder if the file belongs to no part.
    var partFolder: String { part == target ? folder : folder + "/" + part }

    var isTest: Bool { path.hasPrefix("Tests/") }
    var isSwift: Bool { path.hasSuffix(".swift") }
}

/// The whole checkout, read once.
enum Checkout {
    /// All files of the project, without build products and version control data.
    static let files: [SourceFile] = (tracked(in: Repository.root) ?? onDisk(in: Repository.root)).sorted().compactMap {
        path in
        // Files that are not UTF-8 are skipped.
        (try? String(contentsOfFile: Repository.root + "/" + path, encoding: .utf8)).map { SourceFile(path, $0) }
    }

    static let swift = files.filter { $0.isSwift && $0.path != "Package.swift" }

    /// Files under version control, and new Swift files that are compiled but not added yet. `nil` without git.
    static func tracked(in root: String) -> [String]? {
        let known = git(["ls-files", "-z"], in: root)
        let compiled = git(
            ["ls-files", "-z", "--others", "--exclude-standard", "Sources/*.swift", "Tests/*.swift"], in: root)
        return known.flatMap { known in compiled.map { known + $0 } }
    }

    static func git(_ arguments: [String], in root: String) -> [String]? {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        // A checkout may belong to another user than the one that builds it.
        process.arguments = ["git", "-c", "safe.directory=*", "-C", root] + arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus == 0 ? text.split(separator: "\0").map(String.init) : nil
    }

    static func onDisk(in root: String) -> [String] {
        let manager = FileManager.default
        var paths: [String] = []
        for name in (try? manager.contentsOfDirectory(atPath: root)) ?? []
        where ![".build", ".git", ".swiftpm"].contains(name) {
            guard isFolder(root + "/" + name) else {
                paths.append(name)
                continue
            }
            for case let inner as String in manager.enumerator(atPath: root + "/" + name)
                ?? FileManager.DirectoryEnumerator()
            where !inner.contains(".build/") && !isFolder(root + "/" + name + "/" + inner) {
                paths.append(name + "/" + inner)
            }
        }
        return paths
    }

    private static func isFolder(_ path: String) -> Bool {
        var folder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &folder) && folder.boolValue
    }
}
