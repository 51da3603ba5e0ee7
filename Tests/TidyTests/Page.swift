/// A module's page, and the names in its code spans: files, folders and types. Code blocks are ignored.
struct Page {
    private let folder: String
    let names: [String]

    static func text(_ path: String) -> String { Checkout.files.first { $0.path == path }?.text ?? "" }

    init(_ path: String, _ text: String? = nil) {
        folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let prose = (text ?? Self.text(path)).split(separator: "```", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 0 }.map(\.element).joined()
        names = prose.matches(of: /`([^`\n]+)`/).map { String($0.1) }.filter(Self.isName)
    }

    private static func isName(_ span: String) -> Bool {
        span.hasSuffix(".swift") || span.contains(/^(Sources|Tests|Scenarios|Results)\//)
            || span.contains(/^[A-Z]\w*[a-z]\w*(\.[a-z]\w*)?$/)
    }

    var missing: [String] { names.filter { !exists($0) } }

    private func exists(_ name: String) -> Bool {
        let isPath =
            [folder + name, "Sources/" + name, name].contains { Places.all.contains($0) }
            || (Places.below[name] ?? []).contains { $0.hasPrefix(folder) }
        if isPath || name.hasSuffix(".swift") || name.contains("/") { return isPath }
        let parts = name.split(separator: ".").map(String.init)
        guard let members = Declarations.all[parts[0]] else { return false }
        return parts.count == 1 || members.contains(parts[1])
    }
}

/// The places that a page can name.
private enum Places {
    /// All files, with and without the ending of Swift files, and all folders.
    static let all: Set<String> = {
        var all: Set<String> = []
        for path in Checkout.files.map(\.path) {
            all.insert(path)
            if path.hasSuffix(".swift") { all.insert(String(path.dropLast(6))) }
            for end in path.indices where path[end] == "/" { all.insert(String(path[..<end])) }
        }
        return all
    }()

    /// The files that end with a path, such as `Page.swift` or `TidyTests/Page.swift`.
    static let below: [String: [String]] = {
        var files: [String: [String]] = [:]
        for path in Checkout.files.map(\.path) {
            for end in path.indices where path[end] == "/" {
                files[String(path[path.index(after: end)...]), default: []].append(path)
            }
        }
        return files
    }()
}

/// Every declared type, with the members of all files that declare or extend it.
private enum Declarations {
    private static let ofTypes: Set = ["struct", "enum", "class", "protocol", "actor", "typealias"]
    private static let ofMembers: Set = ["func", "var", "let", "case"]

    static let all: [String: Set<String>] = {
        var declared: Set<String> = []
        var members: [String: Set<String>] = [:]
        for file in Checkout.swift {
            let words = file.code.utf8.split { !isOfWord($0) }.map { String(Substring($0)) }
            let pairs = zip(words, words.dropFirst())
            let types = pairs.filter { ofTypes.contains($0.0) }.map(\.1)
            let own = Set(pairs.filter { ofMembers.contains($0.0) }.map(\.1) + words.filter { $0 == "init" })
            declared.formUnion(types)
            for type in types + pairs.filter({ $0.0 == "extension" }).map(\.1) {
                members[type, default: []].formUnion(own)
            }
        }
        return members.filter { declared.contains($0.key) }
    }()

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
