package import DeadzoneBase
package import DeadzoneClient

/// The result of reading a strategy by name or from its own file, without a scenario.
package struct ParsedStrategy: Sendable {
    /// `nil` if there is any fault.
    package let strategy: AnyStrategy?
    package let faults: Faults
    /// The settings of the strategy, with defaults filled in.
    package let settings: Node
    /// The preset and its base presets, in the order of the file numbers of marks.
    package let files: [SourceText]

    /// Reads a strategy, a preset, or a preset file, with `settings` merged over it.
    package init(_ name: String, with settings: Node, _ vocabulary: Vocabulary, read: @escaping FileReader) {
        let opened = OpenedFiles(read: read)
        var presets = PresetExpander(vocabulary, opened, faults: Faults())
        let own = [Node.MapEntry(key: "strategy", value: Node(.scalar(name, quoted: false)))] + (settings.entries ?? [])
        let node = presets.expanded(.map(own), chain: [])
        var reader = SettingsReader(node, of: "strategy \(visible(name, atMost: 80))", faults: presets.faults)
        let found = reader.variant(
            "strategy", of: vocabulary.strategyVariants, file: PresetExpander.fileShape, unknown: .unknownStrategy,
            noun: "strategy")
        reader.finish()
        strategy = reader.faults.isEmpty ? found?.value : nil
        faults = reader.faults
        self.settings = reader.resolved
        files = opened.files
    }

    /// Reads the settings of a strategy, as `NamedStrategy.settings` has them, with `changes` merged over them.
    package init(_ written: Node, with changes: Node, _ vocabulary: Vocabulary) {
        var reader = SettingsReader(overlaid(changes, over: written), of: "the strategy")
        let found = reader.variant(
            "strategy", or: "preset", of: vocabulary.strategyVariants, unknown: .unknownStrategy, noun: "strategy")
        reader.finish()
        strategy = reader.faults.isEmpty ? found?.value : nil
        faults = reader.faults
        settings = reader.resolved
        files = []
    }

    /// The strategy under a name, as a scenario has it; `nil` if there is any fault.
    /// - Parameter written: the settings as they would be written, without defaults.
    package func named(_ name: String, written: Node) -> NamedStrategy? {
        strategy.map {
            NamedStrategy(name: name, strategy: $0, hash: Fingerprint(of: blockText(settings)), settings: written)
        }
    }
}
