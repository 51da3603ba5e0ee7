import CBuild

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What was built, and how. No result may hold any of it.
public enum Build {
    /// Nil where whoever linked the program did not say.
    public static var commit: String? {
        let commit = String(cString: deadzone_commit())
        return commit.isEmpty ? nil : commit
    }

    public static var mode: String {
        #if DEBUG
            "debug"
        #else
            "release"
        #endif
    }

    /// As the version's line has it.
    public static var words: String {
        (commit.map { "commit \($0), " } ?? "") + "\(mode) build"
    }
}

/// What `doctor` says about the computer. No result may hold any of it.
public enum Machine {
    /// Processors this process may use.
    public static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Kernel name, release and architecture.
    public static var system: String {
        var names = utsname()
        guard uname(&names) == 0 else { return "unknown" }
        return [text(&names.sysname), text(&names.release), text(&names.machine)].joined(separator: " ")
    }

    /// A C array, which Swift sees as a tuple, up to its NUL.
    private static func text<Characters>(_ characters: inout Characters) -> String {
        withUnsafeBytes(of: &characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

extension Machine {
    /// Takes on the user's locale, which this tool otherwise never looks at: a self-check shows that nothing changes.
    public static func adoptLocale() -> String {
        guard let name = setlocale(LC_ALL, "") else { return "C" }
        return String(cString: name)
    }
}
