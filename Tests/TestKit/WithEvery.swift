package import Testing

/// Source of choices for one run of an exhaustive test. The body requests choices, and runs again until every
/// combination has occurred once. A request may depend on earlier choices, so nested and ragged spaces need no loops.
package struct Choices {
    fileprivate var path: [(answer: Int, count: Int)] = []
    private var depth = 0

    fileprivate init() {}

    /// Returns each number from 0 to `count - 1`, one per run.
    package mutating func number(below count: Int) -> Int {
        precondition(count > 0, "no answer is possible among \(count)")
        if depth == path.count { path.append((0, count)) }
        precondition(path[depth].count == count, "the body asks other questions when run again: is it deterministic?")
        defer { depth += 1 }
        return path[depth].answer
    }

    package mutating func one<Value>(of values: [Value]) -> Value { values[number(below: values.count)] }

    package mutating func one<Value: CaseIterable>(of type: Value.Type) -> Value { one(of: Array(type.allCases)) }

    package mutating func flag() -> Bool { number(below: 2) == 1 }

    /// Returns each sequence of at most `longest` values, the empty one first.
    package mutating func sequence<Value>(of values: [Value], upTo longest: Int) -> [Value] {
        (0..<number(below: longest + 1)).map { _ in one(of: values) }
    }

    /// Choices made in this run, for failure messages.
    package var answers: [Int] { path.prefix(depth).map(\.answer) }

    /// Moves to the next combination: increments the last choice that is below its maximum and drops the later ones.
    /// Returns `false` after the last combination.
    fileprivate mutating func advance() -> Bool {
        depth = 0
        while let last = path.popLast() {
            if last.answer + 1 < last.count {
                path.append((last.answer + 1, last.count))
                return true
            }
        }
        return false
    }
}

/// Runs the body with every combination of its choices, at most `limit` of them. Stops at the first failure and reports
/// its choices. Returns the number of combinations, so that a test can check the size of its space.
@discardableResult
package func withEvery(
    limit: Int = 1_000_000, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (inout Choices) throws -> Void
) -> Int {
    var choices = Choices()
    var count = 0
    repeat {
        guard count < limit else {
            Issue.record("more than \(limit) combinations: make the space smaller", sourceLocation: sourceLocation)
            return count
        }
        count += 1
        if failed(sourceLocation, { try body(&choices) }) {
            Issue.record("combination \(count), answers \(choices.answers)", sourceLocation: sourceLocation)
            return count
        }
    } while choices.advance()
    return count
}
