import DeadzoneHost
import DeadzoneRuns

extension Crew {
    /// It stops when the process is told to, and tells how far it is unless nobody wants to know.
    init(jobs: Int, _ invocation: Invocation, _ surroundings: Surroundings) {
        self.init(
            jobs: jobs, isStopped: surroundings.isInterrupted,
            tellingOn: invocation.has(.quiet) ? nil : surroundings.errors, surroundings.errorTerminal)
    }
}
