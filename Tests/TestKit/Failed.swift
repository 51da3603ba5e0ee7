import Synchronization
import Testing

/// Whether the body recorded an issue or threw. Its issues are recorded as they are; this only looks on: no issue is ever
/// taken for a known one.
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
        // The throw itself is the failure; `withKnownIssue` hands an unmatched error on without recording it.
        Issue.record(error, sourceLocation: location)
        return true
    }
    return issues.withLock { $0 } > 0
}
