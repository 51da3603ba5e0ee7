import DeadzoneHost
import DeadzoneRuns

extension ParallelExecutor {
    /// Stops when the process is interrupted, reports progress unless `--quiet` is given, and keeps results for later
    /// runs unless `--no-cache` is given.
    init(jobs: Int, _ invocation: Invocation, _ context: CommandContext) {
        self.init(
            jobs: jobs, isStopped: context.isInterrupted,
            tellingOn: invocation.has(.quiet) ? nil : context.errors, context.errorTerminal)
        if invocation.verb.flags.contains(.noCache), !invocation.has(.noCache) { cache = context.cache }
    }
}
