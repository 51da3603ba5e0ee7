#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Expands command-line arguments to file paths. An argument is a file, a folder (all its files with a given suffix, at
/// any depth), a glob pattern, or `-` for standard input. A path that does not exist in the working folder is looked up
/// in the installed files, so `Scenarios/handoff` works from any folder.
package struct PathExpansion {
    package static let standardInput = "-"
    /// Maximum nesting of folders. It stops the walk of a folder that contains a link to itself.
    private static let maximumDepth = 16

    private let suffixes: [String]
    private let skipped: [String]

    /// Returns the matching files without duplicates: in the order of the arguments, and sorted by UTF-8 bytes within
    /// one argument. Throws if an argument matches nothing.
    /// - Parameter skipped: names of folders that the walk does not enter. A folder that is itself an argument is
    ///   still read.
    package static func files(
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
            if let (folder, name) = InstalledFiles.installed(argument) {
                return try expand(folder + name).map { String($0.dropFirst(folder.count)) }
            }
            guard argument.contains(where: { "*?[".contains($0) }) else {
                // Swift replaces invalid UTF-8 in arguments by U+FFFD. Such a path no longer names the file.
                throw Self.unmatched(
                    argument,
                    argument.unicodeScalars.contains("\u{FFFD}") ? notUTF8Reason : "there is no such file or folder"
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

    /// `true` if an argument matched nothing; `false` if the file exists but the system refused to read it.
    package static func isUnmatched(_ fault: SystemFault) -> Bool { fault.action == unmatched }

    /// Lists the files of a folder recursively. Hidden files and folders are skipped, as in shell patterns.
    private func walk(_ folder: String, depth: Int) throws(SystemFault) -> [String] {
        guard depth < Self.maximumDepth else { return [] }
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
        // GLOB_NOSORT: libc sorts by locale, and results must not depend on the locale.
        guard glob(pattern, GLOB_NOSORT, nil, &found) == 0 else { return [] }
        var paths: [String] = []
        for path in (0..<Int(found.gl_pathc)).compactMap({ found.gl_pathv[$0] }) {
            guard let name = String(validatingCString: path) else {
                throw SystemFault("cannot read", printableName(path), because: notUTF8Reason)
            }
            paths.append(name)
        }
        return paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
