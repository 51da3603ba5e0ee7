/// Whom a number is of: all phones under a strategy, or those of one group.
public struct Subject: Hashable, Sendable {
    public let strategy: String
    /// Of the population; nil: all phones.
    public let group: String?

    public init(_ strategy: String, group: String? = nil) {
        self.strategy = strategy
        self.group = group
    }

    /// `growing`, or `growing, new`.
    public var name: String { group.map { "\(strategy), \($0)" } ?? strategy }

    /// Whom a name in a bound of it means: the same phones under the strategy of that name, or else, of a group, the group of that
    /// name under its own strategy. Nil: nobody.
    public func referred(to name: String, _ isThere: (Subject) -> Bool) -> Subject? {
        let same = Subject(name, group: group)
        if isThere(same) { return same }
        guard group != nil else { return nil }
        let beside = Subject(strategy, group: name)
        return isThere(beside) ? beside : nil
    }
}
