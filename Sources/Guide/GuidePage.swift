/// A page of the guide.
public struct GuidePage: Sendable {
    /// Where pages stand: a folder of the site, a part of the list.
    public enum Shelf: String, CaseIterable, Sendable {
        case guides, scenarios, verbs, settings, metrics, errors, strategies, profiles, platforms, links, middleboxes

        public var title: String {
            switch self {
            case .guides: "Guides"
            case .scenarios: "Scenarios"
            case .verbs: "Verbs"
            case .settings: "Settings"
            case .metrics: "Metrics"
            case .errors: "Errors"
            case .strategies: "Strategies and presets"
            case .profiles: "Radio profiles"
            case .platforms: "Platforms"
            case .links: "Links"
            case .middleboxes: "Middleboxes"
            }
        }

        public var about: String {
            switch self {
            case .guides: "what people look for first"
            case .scenarios: "every story that comes with Deadzone: what hurts, and how to run it"
            case .verbs: "what the command does, flag by flag"
            case .settings: "everything that a scenario can say, with its default"
            case .metrics: "every number that a run comes to"
            case .errors: "what is said of a mistake, and what to do"
            case .strategies: "clients that people run, parameter by parameter"
            case .profiles: "radios, with the source of each number"
            case .platforms: "operating systems, likewise"
            case .links: "what packets meet between phone and server"
            case .middleboxes: "boxes on the path that forget"
            }
        }
    }

    public let shelf: Shelf
    /// As a link and a user name it.
    public let name: String
    public let title: String
    /// One sentence.
    public let summary: String
    /// Written when somebody reads it: a list has no use for it.
    private let write: @Sendable () -> [Block]

    public var blocks: [Block] { write() }

    public init(
        _ shelf: Shelf, _ name: String, title: String? = nil, summary: String,
        _ blocks: @escaping @autoclosure @Sendable () -> [Block]
    ) {
        self.shelf = shelf
        self.name = name
        self.title = title ?? name
        self.summary = summary
        write = { blocks().anchoredOnce }
    }

    /// The same, for who reads it more than once.
    var written: GuidePage {
        let blocks = blocks
        return GuidePage(shelf, name, title: title, summary: summary, blocks)
    }

    /// As it stands below the title: with a capital, unless it begins with a name such as iOS.
    var lede: String {
        let word = summary.prefix { $0.isLetter }
        return word.allSatisfy(\.isLowercase) && summary.dropFirst(word.count).first == " "
            ? summary.prefix(1).uppercased() + summary.dropFirst() : summary
    }

    /// What no other page has.
    public var path: String { shelf.rawValue + "/" + name }
    /// Without what it belongs to: `elevator` of `handoff/elevator`, `keepalive` of `strategies.keepalive`.
    var shortName: String {
        switch shelf {
        case .scenarios: name.split(separator: "/").last.map(String.init) ?? name
        case .settings: name.split(separator: ".").last.map(String.init) ?? name
        default: name
        }
    }
    /// A row of it has this name, or ends with it.
    func tells(of word: String) -> Bool {
        anchors.contains { $0.lowercased() == word || $0.lowercased().hasSuffix("." + word) }
    }
    public var anchors: [String] { blocks.flatMap(\.anchors) }
    /// Pages and anchors that it leads to.
    public var targets: [String] { blocks.flatMap(\.lines).flatMap(\.targets).filter { !$0.contains("://") } }
}

extension GuidePage {
    /// A page of prose: its first line is the title, its first paragraph what it is about.
    public init(_ name: String, markdown: String, link: @escaping (String) -> String? = { $0 }) {
        var blocks = MarkdownReader.blocks(markdown, link: link)[...]
        var title = name
        if case .heading(let words, 1)? = blocks.first {
            title = words
            blocks.removeFirst()
        }
        var summary = ""
        if case .paragraph(let words)? = blocks.first {
            summary = words.plain
            blocks.removeFirst()
        }
        let rest = Array(blocks)
        self.init(.guides, name, title: title, summary: summary, rest)
    }
}
