#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Finds data files, such as scenarios, that were installed with the program in `share/deadzone` next to its `bin`
/// folder. `Scenarios/handoff` therefore names the same file from any folder, and appears under this name in every
/// result.
package enum InstalledFiles {
    /// Returns the path to read for a name: the name itself if it exists, otherwise its installed file.
    package static func resolved(_ name: String) -> String {
        Files.kind(of: name) == .missing ? installed(name).map { $0.folder + $0.name } ?? name : name
    }

    /// The installed file or folder of that name, such as Scenarios/handoff, and the folder that contains it; `nil`
    /// if there is none.
    static func installed(_ name: String) -> (folder: String, name: String)? {
        guard !name.isEmpty, !name.hasPrefix("/"), !name.split(separator: "/").contains(".."),
            let program = programPath, let bin = parent(of: program), let prefix = parent(of: bin)
        else { return nil }
        let folder = prefix + "/share/deadzone/"
        return Files.kind(of: folder + name) == .missing ? nil : (folder, name)
    }

    private static func parent(of path: some StringProtocol) -> String? {
        path.lastIndex(of: "/").map { String(path[..<$0]) }
    }

    /// Path of the running program, with links resolved.
    private static var programPath: String? {
        #if canImport(Darwin)
            var size = UInt32(PATH_MAX)
            var buffer = [CChar](repeating: 0, count: Int(size))
            guard _NSGetExecutablePath(&buffer, &size) == 0, let path = realpath(buffer, nil) else { return nil }
        #else
            guard let path = realpath("/proc/self/exe", nil) else { return nil }
        #endif
        defer { free(path) }
        return String(validatingCString: path)
    }
}
