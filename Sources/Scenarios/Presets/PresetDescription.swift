package import DeadzoneBase
import DeadzoneClient

/// The documentation of a strategy preset: its metadata, and every parameter with value and source.
package struct PresetDescription: Sendable {
    package struct Parameter: Hashable, Sendable {
        /// Path of the key: `backoff.base`.
        package var name: String
        /// The value of the parameter, as written in a file.
        package var value: String
        /// The comment beside the value in the file; empty if there is none.
        package var note: String
        /// `true` if the preset sets the value, `false` if it is the strategy's default.
        package var isOwn: Bool
    }

    package var name: String
    package var family: String
    package var about: String
    /// The strategy at the end of the preset chain.
    package var strategy: String
    /// The preset's own sources, then those of its base presets. The same applies to `limits`.
    package var sources: [String]
    package var limits: [String]
    package var parameters: [Parameter]

    /// Reads a preset with its whole chain. The faults are those that a scenario with this preset would have.
    package static func read(
        _ preset: PresetText, _ vocabulary: Vocabulary
    ) -> (sheet: PresetDescription?, faults: Faults, files: [SourceText]) {
        let opened = OpenedFiles { _ in .failure(FileError("not read")) }
        var presets = PresetExpander(vocabulary, opened, faults: Faults())
        let node = presets.expanded(
            .map([.init(key: "strategy", value: Node(.scalar(preset.name, quoted: false)))]), chain: [])
        var settings = SettingsReader(node, of: "preset \(preset.name)", faults: presets.faults)
        let found = settings.variant(
            "strategy", of: vocabulary.strategyVariants, unknown: .unknownStrategy, noun: "strategy")
        settings.finish()
        guard let found, let head = PresetMetadata(of: preset), settings.faults.isEmpty else {
            return (nil, settings.faults, opened.files)
        }
        let chain = vocabulary.chain(from: head)
        let sheet = PresetDescription(
            name: preset.name, family: head.family, about: head.about, strategy: found.name,
            sources: unique(chain.flatMap(\.sources)), limits: unique(chain.flatMap(\.limits)),
            parameters: parameters(settings.resolved, node, opened.files))
        return (sheet, settings.faults, opened.files)
    }

    private static func unique(_ texts: [String]) -> [String] {
        texts.reduce(into: []) { known, text in if !known.contains(text) { known.append(text) } }
    }

    private static func parameters(_ resolved: Node, _ written: Node?, _ files: [SourceText]) -> [Parameter] {
        var rows: [Parameter] = []
        for entry in resolved.entries ?? [] where entry.key != "strategy" {
            collect(entry.key, entry.value, written?.entries?.first { $0.key == entry.key }, files, &rows)
        }
        return rows
    }

    private static func collect(
        _ path: String, _ value: Node, _ written: Node.MapEntry?, _ files: [SourceText], _ rows: inout [Parameter]
    ) {
        if let entries = value.entries, !entries.isEmpty {
            for entry in entries {
                let inner = written?.value.entries?.first { $0.key == entry.key }
                collect(path + "." + entry.key, entry.value, inner, files, &rows)
            }
            return
        }
        let note = written.map { comment(at: $0.keyMark, files) } ?? ""
        rows.append(Parameter(name: path, value: flowText(value), note: note, isOwn: written != nil))
    }

    /// The comment after `#` on the line of a key, with the comment lines directly below it that are indented by more
    /// than 8 spaces.
    private static func comment(at mark: SourceMark, _ files: [SourceText]) -> String {
        guard files.indices.contains(mark.file), let line = files[mark.file].line(mark.line),
            let start = commentStart(line)
        else { return "" }
        var parts = [trimmed(line[start...].dropFirst())]
        var number = mark.line + 1
        while let next = files[mark.file].line(number), let hash = next.firstIndex(where: { $0 != " " }),
            next[hash] == "#", next.distance(from: next.startIndex, to: hash) > 8
        {
            parts.append(trimmed(next[hash...].dropFirst()))
            number += 1
        }
        return parts.joined(separator: " ")
    }

    /// Index of a comment: a `#` after a space, outside of quotes.
    private static func commentStart(_ line: String) -> String.Index? {
        var quote: Character?
        var last: Character = " "
        for index in line.indices {
            let character = line[index]
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if character == "#", last == " " {
                return index
            }
            last = character
        }
        return nil
    }

    private static func trimmed(_ text: Substring) -> String {
        text.split(separator: " ").joined(separator: " ")
    }
}
