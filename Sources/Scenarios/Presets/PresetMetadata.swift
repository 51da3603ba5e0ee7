import DeadzoneBase
import DeadzoneClient
import Synchronization

/// The descriptive keys of a strategy preset, without the strategy's settings.
struct PresetMetadata: Sendable {
    static let keys = ["version", "strategy", "family", "about", "source", "limits"]

    let strategy: String?
    let family: String
    let about: String
    let sources: [String]
    let limits: [String]

    init(reading settings: inout SettingsReader) {
        _ = settings.value("version", ValueFormat<Int64>.count(in: 1...1), default: 1, "version of the file format")
        let base = settings.has("preset") && !settings.has("strategy") ? "preset" : "strategy"
        strategy = settings.text(base, "strategy that the preset configures")
        if !settings.has(base) {
            settings.note(
                Fault(
                    .missing, at: settings.mark, "`strategy` is missing",
                    label: "a preset names the strategy that it configures",
                    help: "strategy: composed"))
        }
        family = settings.text("family", default: "yours", "family of related presets")
        about = settings.text("about", default: "", "description in one sentence")
        sources = settings.list("source", of: .text, "sources of its numbers") ?? []
        limits = settings.list("limits", of: .text, "parts that are not modelled") ?? []
    }

    /// The metadata of a preset's text; `nil` if the text is not a map.
    init?(of preset: PresetText) {
        guard let node = compose(Array(preset.text.utf8)).node, node.entries != nil else { return nil }
        var reader = SettingsReader(node, of: "preset \(preset.name)")
        self.init(reading: &reader)
    }
}

/// Caches the metadata of strategy presets by name. Each preset is read on first use.
final class PresetMetadataCache: Sendable {
    private let presets: [PresetText]
    private let known = Mutex<[String: PresetMetadata?]>([:])

    init(_ presets: [PresetText]) { self.presets = presets }

    func has(_ name: String) -> Bool { presets.contains { $0.name == name } }

    /// The metadata of a preset; `nil` if the preset does not exist or its text is not a map.
    func metadata(of name: String) -> PresetMetadata? {
        known.withLock { known in
            if let head = known[name] { return head }
            let head = presets.first { $0.name == name }.flatMap { PresetMetadata(of: $0) }
            known[name] = .some(head)
            return head
        }
    }
}

extension Vocabulary {
    /// The strategies, each with the presets that are based on it.
    var strategyVariants: some Collection<SettingVariant<AnyStrategy>> {
        strategies.lazy.map { kind in
            SettingVariant(
                kind.name, kind.about,
                presets: {
                    presets.filter { base(of: $0.name) == kind.name }
                        .map { Shape.Keyword(name: $0.name, about: presetMetadata.metadata(of: $0.name)?.about ?? "") }
                }, read: kind.make)
        }
    }

    /// A preset and its base presets in order.
    func chain(from head: PresetMetadata) -> [PresetMetadata] {
        var chain = [head]
        while chain.count <= presets.count, let next = chain.last?.strategy.flatMap({ presetMetadata.metadata(of: $0) })
        {
            chain.append(next)
        }
        return chain
    }

    /// Family and description of a preset; `nil` if its text is not a preset.
    package func summary(of preset: PresetText) -> (family: String, about: String)? {
        presetMetadata.metadata(of: preset.name).flatMap { head in head.strategy.map { _ in (head.family, head.about) }
        }
    }

    /// The strategy at the end of the chain of base presets.
    private func base(of name: String) -> String? {
        var next = name
        for _ in 0...presets.count {
            guard presetMetadata.has(next) else { return next }
            guard let strategy = presetMetadata.metadata(of: next)?.strategy else { return nil }
            next = strategy
        }
        return nil
    }
}
