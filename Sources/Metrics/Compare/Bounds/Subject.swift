/// The phones that a result or bound refers to: all phones under a strategy, or one group of them.
package struct Subject: Hashable, Sendable {
    package let strategy: String
    /// Group of the population. `nil` for all phones.
    package let group: String?

    package init(_ strategy: String, group: String? = nil) {
        self.strategy = strategy
        self.group = group
    }

    /// For example `growing`, or `growing, new`.
    package var name: String { group.map { "\(strategy), \($0)" } ?? strategy }

    /// Resolves a reference name in a bound of this subject. It means the same phones under the strategy of that name.
    /// For a group, it can also mean the group of that name under the same strategy. `nil` if neither exists.
    package func resolve(to name: String, _ isThere: (Subject) -> Bool) -> Subject? {
        let same = Subject(name, group: group)
        if isThere(same) { return same }
        guard group != nil else { return nil }
        let beside = Subject(strategy, group: name)
        return isThere(beside) ? beside : nil
    }
}
