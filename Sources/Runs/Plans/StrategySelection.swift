import DeadzoneBase
package import DeadzoneScenarios

/// The strategies that a command runs in each scenario: the scenario's own, those that `--with` adds, or some of both.
package struct StrategySelection: Hashable, Sendable {
    /// Strategies that are added to every scenario: `--with`.
    package var added: [AddedStrategy]
    /// `true` runs only the added strategies: `--only`.
    package var isOnlyAdded: Bool
    /// Names of the strategies to run: `--strategy`. Empty means all.
    package var names: [String]
    /// Names of strategies that could be added, for suggestions.
    package var addable: [String]

    package init(
        added: [AddedStrategy] = [], isOnlyAdded: Bool = false, names: [String] = [], addable: [String] = []
    ) {
        (self.added, self.isOnlyAdded, self.names, self.addable) = (added, isOnlyAdded, names, addable)
    }

    /// `true` if every strategy of the scenario runs.
    var isEverything: Bool { names.isEmpty && !isOnlyAdded }

    /// The strategies to run, in the order of the scenario.
    /// - Parameter reference: a strategy that runs in any case, because the others are compared with it.
    package func selected(_ scenario: Scenario, and reference: String? = nil) throws(ToolFault) -> [NamedStrategy] {
        let known = scenario.strategies.map(\.name)
        for name in names + (reference.map { [$0] } ?? []) where !known.contains(name) {
            throw unknown(name, in: scenario, known)
        }
        return scenario.strategies.filter { strategy in
            if strategy.name == reference { return true }
            guard isOnlyAdded else { return isNamed(strategy.name) }
            // Among only added strategies, the name in their file is clear too.
            let original = scenario.renamedStrategies.first { $0.name == strategy.name }?.original
            return scenario.addedStrategies.contains(strategy.name)
                && (isNamed(strategy.name) || original.map(isNamed) == true)
        }
    }

    private func isNamed(_ name: String) -> Bool { names.isEmpty || names.contains(name) }

    private func unknown(_ name: String, in scenario: Scenario, _ known: [String]) -> ToolFault {
        let own = known.map(\.escapedForTerminal).joined(separator: ", ")
        var help = ["\(scenario.name.escapedForTerminal) has these strategies: \(own)"]
        if addable.contains(name) || AddedStrategy(name).isFile {
            help.append("`--with \(visible(name, atMost: 60))` adds the strategy to the scenario")
        }
        return ToolFault(
            .unknownName, "unknown strategy \(quote(name))", help: ToolFault.didYouMean(name, known) + help)
    }

    /// The flags that make this selection, as words of a command line.
    package var flags: [String] {
        added.flatMap { ["--with", $0.text] } + (isOnlyAdded ? ["--only"] : []) + names.flatMap { ["--strategy", $0] }
    }
}
