#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Arguments that name files: a file, a folder (all of its files of one kind, at any depth), a pattern, or `-`. What is
/// not below the working folder is looked for among what was installed: `Scenarios/handoff` is the same from everywhere.
public struct Expansion {
    public static let standardInput = "-"
    /// Folders within folders, so that a link to itself ends somewhere.
    private static let deepest = 16

    private let suffixes: [String]
    private let skipped: [String]

    /// The files in the order of the arguments, those of one argument in order of their bytes, each once. An argument that
    /// matches nothing is a fault.
    /// - Parameter skipped: names of folders that are not walked into; named themselves, they are.
    public static func files(
        _ arguments: [String], suffixes: [String], skipping skipped: [String] = []
    ) throws(SystemFault) -> [String] {
        let expansion = Self(suffixes: suffixes, skipped: skipped)
        var files: [String] = []
        for argument in arguments {
            for file in try expansion.expand(argument) where !files.contains(file) { files.append(file) }
        }
        return files
    }

    private func expand(_ argument: String) throws(SystemFault) -> [String] {
        if argument == Self.standardInput { return [argument] }
        switch Files.kind(of: argument) {
        case .folder:
            let trimmed = argument.count > 1 && argument.hasSuffix("/") ? String(argument.dropLast()) : argument
            let files = try walk(trimmed, depth: 0)
            guard !files.isEmpty else {
                throw Self.unmatched(argument, "it holds no \(suffixes.joined(separator: " or ")) file")
            }
            return files
        case .file, .other:
            return [argument]
        case .missing:
            if let (folder, name) = Installation.installed(argument) {
                return try expand(folder + name).map { String($0.dropFirst(folder.count)) }
            }
            guard argument.contains(where: { "*?[".contains($0) }) else {
                // What the process was given is repaired where it is not UTF-8, and names nothing any more.
                throw Self.unmatched(
                    argument, argument.unicodeScalars.contains("\u{FFFD}") ? notUTF8 : "there is no such file or folder"
                )
            }
            var files: [String] = []
            for match in try Self.matches(argument) {
                if Files.kind(of: match) == .folder {
                    files += try walk(match, depth: 0)
                } else {
                    files.append(match)
                }
            }
            guard !files.isEmpty else { throw Self.unmatched(argument, "the pattern matches nothing") }
            return files
        }
    }

    private static let unmatched = "nothing matches"

    private static func unmatched(_ argument: String, _ reason: String) -> SystemFault {
        SystemFault(unmatched, argument, because: reason)
    }

    /// There is nothing of that name; of what is there, the system has refused something.
    public static func isUnmatched(_ fault: SystemFault) -> Bool { fault.action == unmatched }

    /// Hidden files and folders are left out, as by every shell.
    private func walk(_ folder: String, depth: Int) throws(SystemFault) -> [String] {
        guard depth < Self.deepest else { return [] }
        var files: [String] = []
        let names = try Files.names(in: folder) { name in
            !name.hasPrefix(".") && suffixes.contains(where: name.hasSuffix)
        }
        for name in names where !name.hasPrefix(".") {
            let path = folder + "/" + name
            switch Files.kind(of: path) {
            case .folder where !skipped.contains(name): files += try walk(path, depth: depth + 1)
            case .file where suffixes.contains(where: name.hasSuffix): files.append(path)
            default: break
            }
        }
        return files
    }

    private static func matches(_ pattern: String) throws(SystemFault) -> [String] {
        var found = glob_t()
        defer { globfree(&found) }
        // GLOB_NOSORT: libc sorts by the locale, which must not show.
        guard glob(pattern, GLOB_NOSORT, nil, &found) == 0 else { return [] }
        var paths: [String] = []
        for path in (0..<Int(found.gl_pathc)).compactMap({ found.gl_pathv[$0] }) {
            guard let name = String(validatingCString: path) else {
                throw SystemFault("cannot read", shownBytes(path), because: notUTF8)
            }
            paths.append(name)
        }
        return paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
