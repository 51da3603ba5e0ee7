import DeadzoneBase

/// Counts in how many random environments (worlds) of a search each required event occurred. An invariant (law) that
/// was never exercised is not proven.
package struct CoverageCounters: Sendable {
    /// Minimum number of worlds in which every goal is expected. A search of this length that misses a goal has
    /// insufficient coverage.
    package static let minimumWorlds = 10_000

    package let rows: [(name: String, count: Int)]
    private let isLong: Bool

    /// - Parameter seen: For each random environment (world), a flag per goal: `true` if the required event occurred.
    package init(_ names: [String], _ seen: [[Bool]]) {
        rows = names.indices.map { place in (names[place], seen.count { $0[place] }) }
        isLong = Self.minimumWorlds <= seen.count
    }

    package var missed: [String] { rows.filter { $0.count == 0 }.map(\.name) }

    /// `false` if a long search missed a goal.
    package var isSufficient: Bool { !isLong || missed.isEmpty }

    /// One line for each goal, and a warning about missed goals.
    package var text: String {
        rows.map { "\($0.name): in \(plural($0.count, "world"))\n" }.joined()
            + (isSufficient ? "" : "never tested, because it did not occur: \(missed.joined(separator: ", "))\n")
    }
}
