package import DeadzoneBase

/// Scenarios that differ from one file in a few keys. The file, its profiles and its presets are read once, so a variant
/// costs little more than a cell of a matrix.
package struct ScenarioVariants {
    private let loader: ScenarioLoader
    private let opened: OpenedFiles
    private let document: Node?

    /// - Parameters:
    ///   - name: The name that the user would give the text. Paths in the text are relative to it.
    package init(_ loader: ScenarioLoader, _ bytes: [UInt8], name: String) {
        self.loader = loader
        opened = loader.opened
        let composition = opened.compose(name, bytes)
        var extending = ExtendsResolver(opened: opened, faults: composition.faults)
        let whole = composition.node.map { extending.extended($0, chain: [name]) }
        document = extending.isBroken || !extending.faults.isEmpty ? nil : whole
    }

    /// The scenario with settings merged over the file's own. `nil` if it has a fault, or is not exactly one scenario.
    package func scenario(_ overrides: Node) -> Scenario? {
        guard let document else { return nil }
        var faults = Faults()
        let cells = loader.cells(of: overlaid(overrides, over: document), &faults, opened)
        return faults.isEmpty && cells.scenarios.count == 1 ? cells.scenarios[0] : nil
    }
}
