import DeadzoneClient
import DeadzoneSettings

/// What a preset says of itself, beside its settings.
struct PresetHead: Sendable {
    static let keys = ["version", "strategy", "family", "about", "source", "limits"]

    let strategy: String?
    let family: String
    let about: String
    let sources: [String]
    let limits: [String]

    init(reading settings: inout SettingsReader) {
        _ = settings.value("version", Form<Int64>.count(in: 1...1), default: 1, "of the format of the file")
        strategy = settings.text("strategy", "what it is made of")
        if !settings.has("strategy") {
            settings.note(
                Fault(
                    .missing, at: settings.mark, "`strategy` is missing", label: "a preset says what it is made of",
                    help: "strategy: composed"))
        }
        family = settings.text("family", default: "yours", "which others it belongs to")
        about = settings.text("about", default: "", "what it is, in a sentence")
        sources = settings.list("source", of: .text, "where its numbers come from") ?? []
        limits = settings.list("limits", of: .text, "what of it is not modelled") ?? []
    }

    /// Of a text that was read before; nil where it is no map.
    init?(of preset: PresetText) {
        guard let node = compose(Array(preset.text.utf8)).node, node.entries != nil else { return nil }
        var reader = SettingsReader(node, of: "preset \(preset.name)")
        self.init(reading: &reader)
    }
}

extension Vocabulary {
    /// The strategies, each with the presets that have its settings.
    var strategyVariants: [Variant<AnyStrategy>] {
        strategies.map { kind in
            let own = heads.filter { base(of: $0.name) == kind.name }
            return Variant(
                kind.name, kind.about, presets: own.map { Shape.Word(name: $0.name, about: $0.head?.about ?? "") },
                read: kind.make)
        }
    }

    /// A preset, and those that it is laid over in turn.
    func chain(from head: PresetHead) -> [PresetHead] {
        var chain = [head]
        while chain.count <= heads.count, let next = heads.first(where: { $0.name == chain.last?.strategy })?.head {
            chain.append(next)
        }
        return chain
    }

    /// The strategy at the end of the chain of presets that begins with this one.
    private func base(of name: String) -> String? {
        var next = name
        for _ in 0...heads.count {
            guard let known = heads.first(where: { $0.name == next }) else { return next }
            guard let strategy = known.head?.strategy else { return nil }
            next = strategy
        }
        return nil
    }
}
