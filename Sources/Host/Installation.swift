#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What was installed beside the program: `share/deadzone` beside the `bin` it lies in. `Scenarios/handoff` means the same from
/// everywhere, and is called so in every result.
public enum Installation {
    /// Where to read what has this name: itself, or else what was installed.
    public static func resolved(_ name: String) -> String {
        Files.kind(of: name) == .missing ? installed(name).map { $0.folder + $0.name } ?? name : name
    }

    /// The file or folder of that name, such as Scenarios/handoff, and the folder that it lies in; nil where there is none.
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

    /// Where the running program truly lies, links followed.
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
