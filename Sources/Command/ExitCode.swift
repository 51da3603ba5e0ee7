/// Exit code of the command's process; scripts depend on the numbers.
public struct ExitCode: Hashable, Sendable {
    public let number: Int32

    public init(_ number: Int32) { self.number = number }

    public static let ok = ExitCode(0)
    /// An expectation of a scenario was not met.
    public static let gateFailed = ExitCode(1)
    public static let usage = ExitCode(2)
    /// A scenario, profile or capture is wrong.
    public static let badInput = ExitCode(3)
    /// A read or write failed, or a run could not continue.
    public static let runtime = ExitCode(4)
    public static let nothingMatched = ExitCode(5)
    /// A bug in Deadzone.
    public static let bug = ExitCode(70)
    public static let interrupted = ExitCode(130)
    public static let terminated = ExitCode(143)

    static let documented: [(code: ExitCode, meaning: String)] = [
        (.ok, "success"),
        (.gateFailed, "an expectation, a gate or another check was not met"),
        (.usage, "the command line is wrong"),
        (.badInput, "a scenario, profile or capture is invalid"),
        (.runtime, "a file could not be read or written, or the run failed"),
        (.nothingMatched, "no file matched a name or pattern"),
        (.bug, "a bug in deadzone"),
        (.interrupted, "stopped by Ctrl-C"),
        (.terminated, "stopped by a termination signal"),
    ]
}
