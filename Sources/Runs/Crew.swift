public import DeadzoneHost
import DeadzoneMetrics

/// Who runs things: on so many threads, until somebody stops them, with a line that says how far they are.
public struct Crew: Sendable {
    public let jobs: Int
    public let isStopped: @Sendable () -> Bool
    private let console: Console?
    private let terminal: Terminal

    /// - Parameter console: where the line is drawn; nil: nowhere.
    public init(
        jobs: Int, isStopped: @escaping @Sendable () -> Bool = { false }, tellingOn console: Console? = nil,
        _ terminal: Terminal = .plain
    ) {
        self.jobs = jobs
        self.isStopped = isStopped
        self.console = console
        self.terminal = terminal
    }

    /// The same, and nobody is told.
    public var silent: Crew { Crew(jobs: jobs, isStopped: isStopped) }

    public func progress(_ title: String, total: Int) -> Progress {
        Progress(title, total: total, on: console, terminal)
    }

    /// Threads for the statistics.
    func hands(_ progress: Progress) -> some Hands { Threads(crew: self, progress: progress) }

    private struct Threads: Hands {
        let crew: Crew
        let progress: Progress

        func each<Result: Sendable>(_ count: Int, _ body: @Sendable (Int) -> Result) -> [Result?] {
            Workers.run(count: count, jobs: crew.jobs, stop: crew.isStopped) { index in
                defer { progress.advance() }
                return body(index)
            }
        }
    }
}
