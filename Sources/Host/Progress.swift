import DeadzoneBase
import Synchronization

/// Prints the progress of a long operation on standard error. A terminal gets one line that is redrawn at most ten
/// times a second; other outputs get one line at the end.
package final class Progress: Sendable {
    private static let redraw = TimeSpan.milliseconds(100)

    private struct State {
        var done = 0
        var drawnAt = TimeSpan.zero
        var isDrawn = false
    }

    private let title: String
    private let total: Int
    private let terminal: Terminal
    private let console: Console?
    private let stopwatch = Stopwatch()
    private let state = Mutex(State())

    /// - Parameter console: `nil` prints nothing.
    package init(_ title: String, total: Int, on console: Console?, _ terminal: Terminal) {
        self.title = title
        self.total = total
        self.console = console
        self.terminal = terminal
    }

    /// Counts one finished part. Callable from any thread.
    package func advance() {
        state.withLock { state in
            state.done += 1
            guard let console, terminal.isInteractive else { return }
            let now = stopwatch.elapsed
            guard now - state.drawnAt >= Self.redraw else { return }
            state.drawnAt = now
            state.isDrawn = true
            console.write("\r" + fitted(Self.line(title, state.done, of: total, after: now)) + "\u{1B}[K")
        }
    }

    /// Erases the progress line.
    package func clear() {
        let isDrawn = state.withLock { $0.isDrawn }
        if isDrawn { console?.write("\r\u{1B}[K") }
    }

    /// Prints the final line. A terminal gets none, because the report follows.
    package func finish(_ remark: String) {
        clear()
        guard let console, !terminal.isInteractive else { return }
        console.write("\(title): \(remark) in \(Self.seconds(stopwatch.elapsed))\n")
    }

    private func fitted(_ line: String) -> String { String(line.prefix(max(terminal.width - 1, 10))) }

    /// Example: "elevator  [#####-----]  50%  31 of 62 parts, 12/s, 3 s left".
    static func line(_ title: String, _ done: Int, of total: Int, after elapsed: TimeSpan) -> String {
        let percent = total > 0 ? done * 100 / total : 100
        let bar = String(repeating: "#", count: percent / 5) + String(repeating: "-", count: 20 - percent / 5)
        var line = "\(title)  [\(bar)] \(percent)%  \(done) of \(total)"
        let milliseconds = elapsed.nanoseconds / 1_000_000
        if done > 0, milliseconds > 0 {
            line += ", \(Int64(done) * 1_000 / milliseconds)/s, "
            line += seconds(.milliseconds(milliseconds * Int64(total - done) / Int64(done))) + " left"
        }
        return line
    }

    static func seconds(_ span: TimeSpan) -> String {
        let tenths = (span.nanoseconds + 50_000_000) / 100_000_000
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10) s" : "\(tenths / 10) s"
    }
}
