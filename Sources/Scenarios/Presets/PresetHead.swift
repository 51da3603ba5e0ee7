import DeadzoneClient
import DeadzoneSettings
import Synchronization

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

/// The heads of all presets by name, each read when it is first asked for.
final class PresetHeads: Sendable {
    private let presets: [PresetText]
    private let known = Mutex<[String: PresetHead?]>([:])

    init(_ presets: [PresetText]) { self.presets = presets }

    func has(_ name: String) -> Bool { presets.contains { $0.name == name } }

    /// Nil if there is no such preset, or its text is no map.
    func head(of name: String) -> PresetHead? {
        known.withLock { known in
            if let head = known[name] { return head }
            let head = presets.first { $0.name == name }.flatMap { PresetHead(of: $0) }
            known[name] = .some(head)
            return head
        }
    }
}

extension Vocabulary {
    /// The strategies, each with the presets that have its settings.
    var strategyVariants: [Variant<AnyStrategy>] {
        strategies.map { kind in
            Variant(
                kind.name, kind.about,
                presets: {
                    presets.filter { base(of: $0.name) == kind.name }
                        .map { Shape.Word(name: $0.name, about: heads.head(of: $0.name)?.about ?? "") }
                }, read: kind.make)
        }
    }

    /// A preset, and those that it is laid over in turn.
    func chain(from head: PresetHead) -> [PresetHead] {
        var chain = [head]
        while chain.count <= presets.count, let next = chain.last?.strategy.flatMap({ heads.head(of: $0) }) {
            chain.append(next)
        }
        return chain
    }

    /// The family that a preset names and what it is about; nil where its text is no preset.
    public func summary(of preset: PresetText) -> (family: String, about: String)? {
        heads.head(of: preset.name).flatMap { head in head.strategy.map { _ in (head.family, head.about) } }
    }

    /// The strategy at the end of the chain of presets that begins with this one.
    private func base(of name: String) -> String? {
        var next = name
        for _ in 0...presets.count {
            guard heads.has(next) else { return next }
            guard let strategy = heads.head(of: next)?.strategy else { return nil }
            next = strategy
        }
        return nil
    }
}
