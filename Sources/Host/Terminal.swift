#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What an output can show.
public struct Terminal: Hashable, Sendable {
    public var isInteractive: Bool
    public var width: Int
    /// What is wider is broken there by somebody: the terminal is so wide, or its owner says so. A file goes on.
    public var hasEdge: Bool
    public var colors: Bool

    public init(isInteractive: Bool, width: Int, hasEdge: Bool? = nil, colors: Bool) {
        self.isInteractive = isInteractive
        self.width = width
        self.hasEdge = hasEdge ?? isInteractive
        self.colors = colors
    }

    /// Neither colours nor anything that moves.
    public static let plain = Terminal(isInteractive: false, width: usualWidth, colors: false)

    public static func of(_ target: Console.Target, _ environment: Environment) -> Terminal {
        let descriptor = target == .errors ? STDERR_FILENO : STDOUT_FILENO
        let interactive = isatty(descriptor) == 1
        let width = width(descriptor, environment)
        return Terminal(
            isInteractive: interactive,
            width: width ?? usualWidth, hasEdge: width != nil,
            colors: wantsColors(interactive: interactive, environment))
    }

    /// Precedence: what forces colour, then what forbids it, then whether someone looks. <https://bixense.com/clicolors/>,
    /// <https://no-color.org>
    static func wantsColors(interactive: Bool, _ environment: Environment) -> Bool {
        if let forced = environment["CLICOLOR_FORCE"], !forced.isEmpty, forced != "0" { return true }
        if let refused = environment["NO_COLOR"], !refused.isEmpty { return false }
        if environment["TERM"] == "dumb" { return false }
        return interactive
    }

    private static let usualWidth = 80

    private static func width(_ descriptor: Int32, _ environment: Environment) -> Int? {
        var size = winsize()
        if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        if let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 { return columns }
        return nil
    }
}
