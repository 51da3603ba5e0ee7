import DeadzoneHost
import DeadzoneRuns

extension ParallelExecutor {
    /// Stops when the process is interrupted, and reports progress unless `--quiet` is given.
    init(jobs: Int, _ invocation: Invocation, _ context: CommandContext) {
        self.init(
            jobs: jobs, isStopped: context.isInterrupted,
            tellingOn: invocation.has(.quiet) ? nil : context.errors, context.errorTerminal)
    }
}
