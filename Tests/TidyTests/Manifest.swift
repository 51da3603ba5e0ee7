import DeadzoneTestKit
import Foundation

/// The modules that Package.swift declares: all targets except tests.
struct Manifest {
    struct Entry: Equatable {
        let name: String
        /// Relative to the root of the checkout.
        let folder: String
        /// The modules that it may import.
        let uses: [String]
        /// Folders with rules of their own.
        var parts: [String] = []
    }

    let modules: [Entry]

    /// The part of a module that a file belongs to, or its module; of a file elsewhere, its folder.
    func part(of path: String) -> String {
        let names = path.split(separator: "/").dropLast().map(String.init)
        let parts = modules.first { $0.folder == names.prefix(2).joined(separator: "/") }?.parts ?? []
        return names.dropFirst(2).first.flatMap { parts.contains($0) ? $0 : nil } ?? names.prefix(2).last ?? ""
    }

    static let own = Manifest(
        (try? String(contentsOfFile: Repository.root + "/Package.swift", encoding: .utf8)) ?? "")

    init(_ text: String) {
        typealias Declared = (name: String, folder: String, uses: [String], parts: [String])
        var declared: [Declared] = text.matches(of: /\bmodule\(\s*"(\w+)"/).map { match in
            let call = Self.call(text[match.range.lowerBound...])
            let name = String(match.1)
            return (
                "Deadzone" + name, "Sources/" + name,
                Self.words(call, after: "uses:").map { "Deadzone" + $0 } + Self.words(call, after: "system:"),
                Self.words(call, after: "parts:")
            )
        }
        for match in text.matches(of: /\.(?:target|executableTarget|plugin|systemLibrary)\(\s*name: "(\w[\w-]*)"/) {
            let call = Self.call(text[match.range.lowerBound...])
            guard let folder = call.firstMatch(of: /\bpath: "([\w\/]+)"/) else { continue }
            declared.append((String(match.1), String(folder.1), Self.words(call, after: "dependencies:"), []))
        }
        /// Module name of a target: a library without the common prefix, an executable by its folder.
        func module(_ target: String) -> String {
            if target.hasPrefix("Deadzone") { return String(target.dropFirst(8)) }
            let folder = declared.first { $0.name == target }?.folder ?? target
            return folder.split(separator: "/").last.map(String.init) ?? target
        }
        modules = declared.map {
            Entry(name: module($0.name), folder: $0.folder, uses: $0.uses.map(module), parts: $0.parts)
        }
    }

    /// The text from the name of a function to the parenthesis that closes its arguments.
    private static func call(_ text: Substring) -> Substring {
        var depth = 0
        for place in text.indices {
            if text[place] == "(" { depth += 1 }
            if text[place] == ")" {
                depth -= 1
                if depth == 0 { return text[...place] }
            }
        }
        return text
    }

    /// The strings in the list after a label.
    private static func words(_ call: Substring, after label: String) -> [String] {
        guard let start = call.firstRange(of: label)?.upperBound else { return [] }
        let list = call[start...].prefix { $0 != "]" }
        return list.matches(of: /"([\w-]+)"/).map { String($0.1) }
    }
}
