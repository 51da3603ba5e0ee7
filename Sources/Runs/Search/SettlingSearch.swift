/// Replaces many values of a candidate by simpler ones, as long as a test accepts the result. It tries all replacements
/// together first, and divides a refused group into halves (group testing). If most replacements are harmless, this
/// needs far fewer tests than one at a time.
package struct SettlingSearch<Value: Equatable> {
    /// The values accepted until now.
    package private(set) var values: [Value]
    /// `true` for each value that was replaced.
    package private(set) var isSettled: [Bool]

    package init(_ values: [Value]) {
        self.values = values
        isSettled = values.map { _ in false }
    }

    /// Tries the replacements of all values that are not settled yet.
    /// - Parameters:
    ///   - replacements: one for each value; `nil` keeps the value for this time.
    ///   - isAccepted: tests all values together. `nil` stops the search.
    /// - Returns: `false` if the search was stopped.
    package mutating func settle(
        _ replacements: [Value?], isAccepted: ([Value]) throws -> Bool?
    ) rethrows -> Bool {
        var open: [Int] = []
        for index in values.indices where !isSettled[index] {
            guard let replacement = replacements[index] else { continue }
            if replacement == values[index] { isSettled[index] = true } else { open.append(index) }
        }
        return try settle(open[...], replacements, isAccepted)
    }

    private mutating func settle(
        _ group: ArraySlice<Int>, _ replacements: [Value?], _ isAccepted: ([Value]) throws -> Bool?
    ) rethrows -> Bool {
        guard !group.isEmpty else { return true }
        var candidate = values
        for index in group { candidate[index] = replacements[index] ?? values[index] }
        guard let accepted = try isAccepted(candidate) else { return false }
        if accepted {
            values = candidate
            for index in group { isSettled[index] = true }
            return true
        }
        guard group.count > 1 else { return true }
        let middle = group.startIndex + group.count / 2
        return try settle(group[..<middle], replacements, isAccepted)
            && settle(group[middle...], replacements, isAccepted)
    }
}
