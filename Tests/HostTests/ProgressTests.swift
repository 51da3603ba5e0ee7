import DeadzoneBase
import Testing

@testable import DeadzoneHost

struct ProgressTests {
    @Test(arguments: [
        (0, 10, 0, "x  [--------------------] 0%  0 of 10"),
        (5, 10, 1_000, "x  [##########----------] 50%  5 of 10, 5/s, 1.0 s left"),
        (10, 10, 2_000, "x  [####################] 100%  10 of 10, 5/s, 0.0 s left"),
        (1, 100_000, 10, "x  [--------------------] 0%  1 of 100000, 100/s, 1000 s left"),
        (0, 0, 0, "x  [####################] 100%  0 of 0"),
    ])
    func showsRateAndTheTimeLeft(_ done: Int, _ total: Int, _ milliseconds: Int64, _ expected: String) {
        // Broken: a division by zero, or an estimate that is off by a factor.
        #expect(Progress.line("x", done, of: total, after: .milliseconds(milliseconds)) == expected)
    }

    @Test func drawsOnTerminalsOnly() {
        // Broken: carriage returns in a log, or no line about the run in it.
        let plain = Console(.memory)
        let log = Progress("x", total: 1, on: plain, .plain)
        log.advance()
        log.finish("done")
        #expect(plain.text.hasPrefix("x: done in "))
        #expect(!plain.text.contains("\r"))

        let terminal = Console(.memory)
        let drawn = Progress(
            "x", total: 1_000_000, on: terminal, Terminal(isInteractive: true, width: 40, colors: false))
        // The line is redrawn at most ten times a second: a million updates would flood the terminal.
        for _ in 0..<1_000_000 { drawn.advance() }
        drawn.finish("done")
        let lines = terminal.text.split(separator: "\r")
        #expect(lines.count < 10_000)
        #expect(lines.allSatisfy { $0.count <= 40 + 3 })
    }
}
