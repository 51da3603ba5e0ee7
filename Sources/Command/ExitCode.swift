/// Exit code of the command's process; scripts depend on the numbers.
package struct ExitCode: Hashable, Sendable {
    package let number: Int32

    package init(_ number: Int32) { self.number = number }

    package static let ok = ExitCode(0)
    /// An expectation of a scenario was not met.
    package static let gateFailed = ExitCode(1)
    package static let usage = ExitCode(2)
    /// A scenario, profile or capture is wrong.
    package static let badInput = ExitCode(3)
    /// A read or write failed, or a run could not continue.
    package static let runtime = ExitCode(4)
    package static let nothingMatched = ExitCode(5)
    /// A bug in Deadzone.
    package static let bug = ExitCode(70)
    package static let interrupted = ExitCode(130)
    package static let terminated = ExitCode(143)

    static let documented: [(code: ExitCode, meaning: String)] = [
        (.ok, "success"),
        (.gateFailed, "an expectation, a gate or another check was not met"),
        (.usage, "the command line is wrong"),
        (.badInput, "a scenario, profile or capture is invalid"),
        (.runtime, "a file could not be read or written, or the run failed"),
        (
            .nothingMatched,
            "no file matched a name or pattern, or a recording or live run holds nothing to compare, estimate or judge"
        ),
        (.bug, "a bug in deadzone"),
        (.interrupted, "stopped by Ctrl-C"),
        (.terminated, "stopped by a termination signal"),
    ]
}
