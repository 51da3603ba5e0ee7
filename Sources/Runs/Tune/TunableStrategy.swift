import DeadzoneBase
import DeadzoneClient
import DeadzoneScenarios

/// A strategy of a scenario as its file writes it, from which strategies with other settings are read.
struct TunableStrategy: Sendable {
    let name: String
    /// The settings as written, with presets expanded.
    private let written: Node
    /// The settings with defaults filled in.
    let resolved: Node
    private let vocabulary: Vocabulary
    /// Shape of all settings that the strategy accepts; `nil` if its kind is unknown. It is described once, because a
    /// description costs as much as reading the strategy, and every slider needs it three times.
    private let shape: Shape?

    init(_ named: NamedStrategy, in scenario: Scenario, _ vocabulary: Vocabulary) {
        name = named.name
        written = named.settings
        let whole = compose(Array(scenario.resolved.utf8)).node
        resolved = whole?["strategies"]?[named.name] ?? .map([])
        self.vocabulary = vocabulary
        let base = named.settings["strategy"]?.scalar ?? named.settings["preset"]?.scalar
        shape = vocabulary.strategies.first { $0.name == base }.map { kind in
            var reader = SettingsReader.describing(named.name)
            _ = kind.make(&reader)
            return reader.shape
        }
    }

    /// The strategy with some settings replaced; `nil` if its reader refuses them. Values are YAML texts.
    func reading(_ changes: [(path: [String], value: String)]) -> NamedStrategy? {
        parsed(changes).named(name, written: settings(changes))
    }

    func faults(_ changes: [(path: [String], value: String)]) -> Faults { parsed(changes).faults }

    private func parsed(_ changes: [(path: [String], value: String)]) -> ParsedStrategy {
        ParsedStrategy(written, with: Self.node(of: changes), vocabulary)
    }

    /// The written settings with some settings replaced, as a map.
    func settings(_ changes: [(path: [String], value: String)]) -> Node {
        overlaid(Self.node(of: changes), over: written)
    }

    /// The changes alone, as a map.
    static func node(of changes: [(path: [String], value: String)]) -> Node {
        changes.reduce(Node.map([])) { node, change in
            let value = compose(Array(change.value.utf8)).node ?? .text(change.value)
            return SettingOverrides.set(change.path[...], to: value, in: node)
        }
    }

    /// Shapes that a setting accepts; empty if the strategy has no such setting.
    func shapes(of path: [String]) -> [Shape] {
        guard var shape else { return [] }
        for key in path {
            guard let field = shape.fields.first(where: { $0.key == key }) else { return [] }
            shape = field.shape
        }
        return shape.alternatives
    }

    /// The settings of the first level that the strategy accepts, present or not. Empty if its kind is unknown.
    var keys: [String] { shape?.fields.map(\.key) ?? [] }

    /// The paths of all plain values among the settings, with defaults filled in.
    var plainValues: [(path: [String], value: String)] { Self.plainValues(of: resolved) }

    static func plainValues(of node: Node, below path: [String] = []) -> [(path: [String], value: String)] {
        (node.entries ?? []).flatMap { entry -> [(path: [String], value: String)] in
            let own = path + [entry.key]
            if let text = entry.value.scalar { return [(own, text)] }
            return plainValues(of: entry.value, below: own)
        }
    }

    /// The present value of a setting as YAML text; `nil` if it is absent.
    func present(_ path: [String]) -> (text: String, isMap: Bool)? {
        var node: Node? = resolved
        for key in path { node = node?[key] }
        return node.map { ($0.scalar ?? flowText($0), $0.entries != nil) }
    }
}

extension Shape {
    /// The shapes of which any is accepted.
    fileprivate var alternatives: [Shape] {
        if case .either(let shapes) = self { return shapes.flatMap(\.alternatives) }
        return [self]
    }
}
