#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The capabilities of a text output: its width, and support for colours and interaction.
package struct Terminal: Hashable, Sendable {
    package var isInteractive: Bool
    package var width: Int
    /// `true` if longer lines are broken at `width`: a terminal has a width, or `COLUMNS` is set. Files have no
    /// limit.
    package var hasFixedWidth: Bool
    package var colors: Bool

    package init(isInteractive: Bool, width: Int, hasFixedWidth: Bool? = nil, colors: Bool) {
        self.isInteractive = isInteractive
        self.width = width
        self.hasFixedWidth = hasFixedWidth ?? isInteractive
        self.colors = colors
    }

    /// No colours, no redrawn lines.
    package static let plain = Terminal(isInteractive: false, width: defaultWidth, colors: false)

    package static func of(_ target: Console.Target, _ environment: Environment) -> Terminal {
        let descriptor = target == .errors ? STDERR_FILENO : STDOUT_FILENO
        let interactive = isatty(descriptor) == 1
        let width = width(descriptor, environment)
        return Terminal(
            isInteractive: interactive,
            width: width ?? defaultWidth, hasFixedWidth: width != nil,
            colors: wantsColors(interactive: interactive, environment))
    }

    /// Precedence: first the variables that force colour, then those that forbid it, then whether the output is a
    /// terminal. <https://bixense.com/clicolors/>, <https://no-color.org>
    static func wantsColors(interactive: Bool, _ environment: Environment) -> Bool {
        if let forced = environment["CLICOLOR_FORCE"], !forced.isEmpty, forced != "0" { return true }
        if let refused = environment["NO_COLOR"], !refused.isEmpty { return false }
        if environment["TERM"] == "dumb" { return false }
        return interactive
    }

    private static let defaultWidth = 80

    private static func width(_ descriptor: Int32, _ environment: Environment) -> Int? {
        var size = winsize()
        if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        if let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 { return columns }
        return nil
    }
}
