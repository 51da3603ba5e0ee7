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
    }

    let modules: [Entry]

    static let own = Manifest(
        (try? String(contentsOfFile: Repository.root + "/Package.swift", encoding: .utf8)) ?? "")

    init(_ text: String) {
        typealias Declared = (name: String, folder: String, uses: [String])
        var declared: [Declared] = text.matches(of: /\broom\(\s*"(\w+)"/).map { match in
            let call = Self.call(text[match.range.lowerBound...])
            let name = String(match.1)
            return (
                "Deadzone" + name, "Sources/" + name,
                Self.words(call, after: "uses:").map { "Deadzone" + $0 } + Self.words(call, after: "system:")
            )
        }
        for match in text.matches(of: /\.(?:target|executableTarget|plugin|systemLibrary)\(\s*name: "(\w[\w-]*)"/) {
            let call = Self.call(text[match.range.lowerBound...])
            guard let folder = call.firstMatch(of: /\bpath: "([\w\/]+)"/) else { continue }
            declared.append((String(match.1), String(folder.1), Self.words(call, after: "dependencies:")))
        }
        /// Module name of a target: a library without the common prefix, an executable by its folder.
        func room(_ target: String) -> String {
            if target.hasPrefix("Deadzone") { return String(target.dropFirst(8)) }
            let folder = declared.first { $0.name == target }?.folder ?? target
            return folder.split(separator: "/").last.map(String.init) ?? target
        }
        modules = declared.map { Entry(name: room($0.name), folder: $0.folder, uses: $0.uses.map(room)) }
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
