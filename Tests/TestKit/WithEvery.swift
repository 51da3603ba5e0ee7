public import Testing

/// The choices of one run of an exhaustive test. The body asks, and is run again until every combination of answers has
/// been given once. What is asked may depend on earlier answers, so nested and ragged spaces need no loops.
public struct Choices {
    fileprivate var path: [(answer: Int, count: Int)] = []
    private var depth = 0

    fileprivate init() {}

    /// Every number from 0 to `count - 1`.
    public mutating func number(below count: Int) -> Int {
        precondition(count > 0, "no answer is possible among \(count)")
        if depth == path.count { path.append((0, count)) }
        precondition(path[depth].count == count, "the body asks other questions when run again: is it deterministic?")
        defer { depth += 1 }
        return path[depth].answer
    }

    public mutating func one<Value>(of values: [Value]) -> Value { values[number(below: values.count)] }

    public mutating func one<Value: CaseIterable>(of type: Value.Type) -> Value { one(of: Array(type.allCases)) }

    public mutating func flag() -> Bool { number(below: 2) == 1 }

    /// Every sequence of values whose length is at most `longest`, the empty one first.
    public mutating func sequence<Value>(of values: [Value], upTo longest: Int) -> [Value] {
        (0..<number(below: longest + 1)).map { _ in one(of: values) }
    }

    /// What was answered so far, for a failure's message.
    public var answers: [Int] { path.prefix(depth).map(\.answer) }

    /// Steps to the next combination: the last answer that can still grow does, and those after it are asked anew.
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

/// Runs the body with every combination of the answers it asks for, at most `limit` of them, and stops at the first that
/// fails, naming the answers. Returns the number of combinations, for a test to prove that the space was what it thinks.
@discardableResult
public func withEvery(
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
