#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Opens addresses in the user's web browser.
package enum WebBrowser {
    /// The variables that a desktop's programs need.
    private static let variables = [
        "BROWSER", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "HOME", "LANG", "PATH", "USER", "WAYLAND_DISPLAY",
        "XAUTHORITY",
        "XDG_CONFIG_HOME", "XDG_CURRENT_DESKTOP", "XDG_DATA_DIRS", "XDG_RUNTIME_DIR",
    ]

    /// Starts the program that the system provides for it. Returns `false` if there is none, or no screen. The program
    /// is not in the group of the terminal, so Ctrl-C does not end the browser.
    package static func open(_ address: String, _ environment: Environment) -> Bool {
        #if canImport(Darwin)
            let program = "open"
        #else
            let program = "xdg-open"
            guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return false }
        #endif
        #if canImport(Darwin)
            var (attributes, actions): (posix_spawnattr_t?, posix_spawn_file_actions_t?) = (nil, nil)
        #else
            var (attributes, actions) = (posix_spawnattr_t(), posix_spawn_file_actions_t())
        #endif
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        posix_spawn_file_actions_init(&actions)
        // The browser's messages would appear among ours.
        for stream in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0)
        }
        defer {
            posix_spawnattr_destroy(&attributes)
            posix_spawn_file_actions_destroy(&actions)
        }
        var words = [strdup(program), strdup(address), nil]
        var values = Self.variables.compactMap { name in environment[name].map { strdup("\(name)=\($0)") } } + [nil]
        defer { for word in words + values { free(word) } }
        var child: pid_t = 0
        return posix_spawnp(&child, program, &actions, &attributes, &words, &values) == 0
    }
}
