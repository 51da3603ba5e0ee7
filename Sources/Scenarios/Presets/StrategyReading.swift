public import DeadzoneClient
public import DeadzoneSettings

/// A strategy that is named outside of any scenario.
public struct StrategyReading: Sendable {
    /// nil where there is any fault.
    public let strategy: AnyStrategy?
    public let faults: Faults
    /// Its settings, defaults filled in.
    public let settings: Node
    /// The preset with those that it is laid over, as the marks of faults number them.
    public let files: [SourceText]

    /// A strategy, a preset, or a preset in a file, with settings of one's own laid over it.
    public init(_ name: String, with settings: Node, _ vocabulary: Vocabulary, read: @escaping FileReading) {
        let opened = OpenedFiles(read: read)
        var presets = Presets(vocabulary, opened, faults: Faults())
        let own = [Node.Entry(key: "strategy", value: Node(.scalar(name, quoted: false)))] + (settings.entries ?? [])
        let node = presets.spelledOut(.map(own), chain: [])
        var reader = SettingsReader(node, of: "strategy \(visible(name, atMost: 80))", faults: presets.faults)
        let found = reader.variant(
            "strategy", of: vocabulary.strategyVariants, unknown: .unknownStrategy, noun: "strategy")
        reader.finish()
        strategy = reader.faults.isEmpty ? found?.value : nil
        faults = reader.faults
        self.settings = reader.resolved
        files = opened.files
    }
}
