/// Histories of strategies: the strategy and its settings, then a line for each event with its effects.
enum StrategyStories {
    static let all = plain + connections + apps
}
