import DeadzoneTestKit
import Foundation

/// One file of the checkout.
struct SourceFile: Sendable {
    /// From the root of the checkout.
    let path: String
    let text: String
    /// Comments and strings blanked; only Swift files have it.
    let code: String

    init(_ path: String, _ text: String) {
        self.path = path
        self.text = text
        code = path.hasSuffix(".swift") ? codeOnly(text) : ""
    }

    /// The folder under Sources or Tests: "Engine", "EngineTests".
    var target: String { folder.split(separator: "/").last.map(String.init) ?? "" }

    /// What a target is made of: "Sources/Engine".
    var folder: String {
        let parts = path.split(separator: "/")
        return parts.count > 2 ? parts[..<2].joined(separator: "/") : ""
    }

    var isTest: Bool { path.hasPrefix("Tests/") }
    var isSwift: Bool { path.hasSuffix(".swift") }
}

/// The whole checkout, read once.
enum Checkout {
    /// Everything a reader of the project can meet; build products and version control are not of it.
    static let files: [SourceFile] = {
        let manager = FileManager.default
        let root = URL(filePath: Repository.root, directoryHint: .isDirectory)
        let top = (try? manager.contentsOfDirectory(atPath: root.path)) ?? []
        var paths: [String] = []
        for name in top where ![".build", ".git", ".swiftpm"].contains(name) {
            guard isFolder(root.appending(path: name).path) else {
                paths.append(name)
                continue
            }
            for case let inner as String in manager.enumerator(atPath: root.appending(path: name).path)
                ?? FileManager.DirectoryEnumerator()
            where !inner.contains(".build/") && !isFolder(root.appending(path: name + "/" + inner).path) {
                paths.append(name + "/" + inner)
            }
        }
        return paths.sorted().compactMap { path in
            // What is not UTF-8 is not text, and nobody reads it as such.
            (try? String(contentsOfFile: Repository.root + "/" + path, encoding: .utf8)).map { SourceFile(path, $0) }
        }
    }()

    static let swift = files.filter { $0.isSwift && $0.path != "Package.swift" }

    private static func isFolder(_ path: String) -> Bool {
        var folder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &folder) && folder.boolValue
    }
}
