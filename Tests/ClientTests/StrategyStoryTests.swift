import Testing

/// Whole histories of strategies: after each event, every action and every armed timer is compared.
@Suite struct StrategyStoryTests {
    /// Broken: an event has another effect on the connection, the timers or the app than its story says.
    @Test(arguments: StrategyStories.all)
    func followsItsStory(story: String) {
        let lines = story.split(separator: "\n").map(String.init)
        let head = lines[0].split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        var strategy = StrategyStory(head[0], head[1])
        defer { strategy.end() }
        for line in lines.dropFirst() {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            #expect(strategy.perform(parts[0]) == parts[1], "\(head[0]) \(head[1]): \(parts[0])")
        }
        #expect(lines.count > 5)
    }
}
