/// Calls a function for each index of a range, possibly on several threads, and collects the results. The assignment of
/// indices to threads must not affect the result.
package protocol ParallelMap {
    /// Results of `body` for every index below `count`, in order. `nil` for an index that was not run because of a
    /// stop.
    func map<Result: Sendable>(_ count: Int, _ body: @Sendable (Int) -> Result) -> [Result?]
}

/// A `ParallelMap` without threads: calls the function for all indices in order on the calling thread.
package struct SerialMap: ParallelMap {
    package init() {}

    package func map<Result: Sendable>(_ count: Int, _ body: @Sendable (Int) -> Result) -> [Result?] {
        (0..<count).map(body)
    }
}
