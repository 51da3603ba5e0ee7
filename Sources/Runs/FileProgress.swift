import DeadzoneBase
package import DeadzoneHost
import Synchronization

/// Progress of a command that runs several files at once. One line is drawn for all of them; each file gets its own line
/// at its end.
package final class FileProgress: Sendable {
    private let executor: ParallelExecutor
    private let totals: [Int]
    /// `nil` if there is only one file, which then draws its own line.
    private let all: Progress?
    private let files = Mutex<[Int: Progress]>([:])

    /// - Parameter totals: number of parts of each file.
    package init(_ totals: [Int], _ executor: ParallelExecutor) {
        self.executor = executor
        self.totals = totals
        all = totals.count > 1 ? executor.progress("\(totals.count) files", total: totals.reduce(0, +)) : nil
    }

    /// The progress of a file, which begins with the first call.
    package func began(_ file: Int, _ title: @autoclosure () -> String) -> Progress {
        files.withLock { files in
            if let begun = files[file] { return begun }
            let new = executor.progress(visible(title()), total: totals[file])
            files[file] = new
            return new
        }
    }

    package func advance(_ file: Progress) { (all ?? file).advance() }

    /// Prints the final line of a file.
    package func finish(_ file: Int, _ title: String, _ remark: String) {
        clear()
        began(file, title).finish(remark)
    }

    /// Erases the line that is drawn for all files.
    package func clear() { all?.clear() }
}
