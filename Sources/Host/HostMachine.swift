import CBuild

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The commit and the build mode (debug or release) of this program. Results must not contain them.
package enum Build {
    /// `nil` if the linker was not given a commit.
    package static var commit: String? {
        let commit = String(cString: deadzone_commit())
        return commit.isEmpty ? nil : commit
    }

    package static var mode: String {
        #if DEBUG
            "debug"
        #else
            "release"
        #endif
    }

    /// Text of the version line.
    package static var summary: String {
        (commit.map { "commit \($0), " } ?? "") + "\(mode) build"
    }
}

/// Facts about the computer on which this program runs, for the command `doctor`. Results must not contain them.
package enum HostMachine {
    /// Number of processors that are online.
    package static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Kernel name, release and architecture.
    package static var system: String {
        var names = utsname()
        guard uname(&names) == 0 else { return "unknown" }
        return [text(&names.sysname), text(&names.release), text(&names.machine)].joined(separator: " ")
    }

    /// Converts a C character array, which Swift imports as a tuple, up to its NUL.
    private static func text<Characters>(_ characters: inout Characters) -> String {
        withUnsafeBytes(of: &characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

extension HostMachine {
    /// Switches to the user's locale, which the tool otherwise ignores. A self-check uses it to show that results do
    /// not depend on the locale.
    package static func adoptLocale() -> String {
        guard let name = setlocale(LC_ALL, "") else { return "C" }
        return String(cString: name)
    }
}
