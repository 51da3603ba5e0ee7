import Synchronization
import Testing

/// Returns `true` if the body recorded an issue or threw an error. The issues are still recorded as usual: this
/// function only observes them and never accepts one as a known issue.
func failed(_ location: SourceLocation, _ body: () throws -> Void) -> Bool {
    let issues = Mutex(0)
    do {
        try withKnownIssue(isIntermittent: true, sourceLocation: location) {
            try body()
        } matching: { _ in
            issues.withLock { $0 += 1 }
            return false
        }
    } catch {
        // The throw itself is the failure. `withKnownIssue` rethrows an unmatched error without recording it.
        Issue.record(error, sourceLocation: location)
        return true
    }
    return issues.withLock { $0 } > 0
}
