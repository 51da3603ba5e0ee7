/// What must have happened in many of the worlds of a search, or they were too kind to prove anything; and in how many it did.
public struct Sights: Sendable {
    /// Among so many worlds each sight is to be expected, and a search that missed one has not looked where it says.
    public static let worlds = 10_000

    public let rows: [(name: String, count: Int)]
    private let isLong: Bool

    /// - Parameter seen: Of each world, whether it had each of them.
    public init(_ names: [String], _ seen: [[Bool]]) {
        rows = names.indices.map { place in (names[place], seen.count { $0[place] }) }
        isLong = Self.worlds <= seen.count
    }

    public var missed: [String] { rows.filter { $0.count == 0 }.map(\.name) }

    /// False of a long search that never met something.
    public var isWide: Bool { !isLong || missed.isEmpty }

    /// A line each, and what it means that something was missed.
    public var text: String {
        rows.map { "\($0.name): in \($0.count) worlds\n" }.joined()
            + (isWide ? "" : "never met, so that nothing is known of it: \(missed.joined(separator: ", "))\n")
    }
}
