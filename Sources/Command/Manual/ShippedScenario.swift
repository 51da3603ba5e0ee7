import DeadzoneBase
import DeadzoneScenarios
import DeadzoneShipped

/// A scenario file that ships with Deadzone: its title, explanatory comment and content.
struct ShippedScenario: Sendable {
    /// Path below the folder `Scenarios`, without the extension.
    let name: String
    let title: String
    let about: String
    /// The paragraphs of the comment at the top: the symptom, where it was observed, and what is assumed.
    let story: [String]
    let text: String
    /// The file below the story.
    let body: String
    private let document: Node

    static let all: [ShippedScenario] = shippedScenarios.compactMap { ShippedScenario($0.name, $0.text) }

    private init?(_ name: String, _ text: String) {
        guard let document = compose(Array(text.utf8)).node else { return nil }
        self.name = name
        self.text = text
        self.document = document
        title = document["name"]?.scalar ?? name
        about = (document["about"]?.scalar ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("#") }
            .map { $0.dropFirst().drop { $0 == " " } }.filter { !$0.hasPrefix("yaml-language-server") }
        story = lines.split { $0.isEmpty }.map { $0.joined(separator: " ") }
        body = text.split(separator: "\n", omittingEmptySubsequences: false).drop { $0.hasPrefix("#") }
            .joined(separator: "\n")
    }

    /// The line with a complete setting, such as `handoff` of `timeline` or `keepalive` of any strategy. `nil` if no
    /// single line holds it.
    func line(of key: String, within part: String) -> String? {
        guard let map = document[part] else { return nil }
        let maps = [map] + (map.items ?? []) + (map.entries ?? []).map(\.value)
        guard let entry = maps.compactMap({ $0.entries?.first { $0.key == key } }).first else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.indices.contains(entry.keyMark.line - 1) else { return nil }
        let line = lines[entry.keyMark.line - 1].split(separator: " ").joined(separator: " ")
        let isWhole = line.count { "{[".contains($0) } == line.count { "}]".contains($0) } && !line.hasSuffix(":")
        return isWhole ? line : nil
    }
}

extension GuidePage {
    init(_ scenario: ShippedScenario) {
        let path = "Scenarios/\(scenario.name).yaml"
        self.init(
            .scenarios, scenario.name, title: scenario.title, summary: scenario.about,
            [.code("deadzone run \(path)")]
                + (scenario.story.isEmpty ? [] : [.heading("The story")])
                + scenario.story.map { .paragraph($0) }
                + [.heading("The file"), .paragraph("`\(path)`, without the story."), .code(scenario.body, "yaml")])
    }
}
