/// One page of the user guide, with its title, summary and content.
package struct GuidePage: Sendable {
    /// A section of the user guide: a folder of the HTML site, and a part of the list of pages.
    package enum GuideSection: String, CaseIterable, Sendable {
        case guides, scenarios, verbs, settings, metrics, errors, strategies, profiles, platforms, links, middleboxes

        package var title: String {
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

        package var about: String {
            switch self {
            case .guides: "step-by-step guides for common tasks"
            case .scenarios: "all scenarios that ship with Deadzone: the problem, and how to run them"
            case .verbs: "all verbs of the command and their flags"
            case .settings: "all settings of a scenario, with their defaults"
            case .metrics: "all numbers that a run measures"
            case .errors: "all error messages, with their causes and fixes"
            case .strategies: "settings of real clients, with sources"
            case .profiles: "radio profiles, with the source of each number"
            case .platforms: "operating systems, with the source of each number"
            case .links: "delay, rate and loss between phone and server"
            case .middleboxes: "devices on the path that drop idle connections"
            }
        }
    }

    package let section: GuideSection
    /// Name in links and on the command line.
    package let name: String
    package let title: String
    /// Summary in one sentence.
    package let summary: String
    /// Builds the blocks on demand, because a list of pages does not need them.
    private let write: @Sendable () -> [PageBlock]

    package var blocks: [PageBlock] { write() }

    package init(
        _ section: GuideSection, _ name: String, title: String? = nil, summary: String,
        _ blocks: @escaping @autoclosure @Sendable () -> [PageBlock]
    ) {
        self.section = section
        self.name = name
        self.title = title ?? name
        self.summary = summary
        write = { blocks().anchoredOnce }
    }

    /// The same page with its blocks already built, for repeated use.
    var evaluated: GuidePage {
        let blocks = blocks
        return GuidePage(section, name, title: title, summary: summary, blocks)
    }

    /// Summary as shown below the title: capitalised, unless it begins with a name such as iOS.
    var lede: String {
        let word = summary.prefix { $0.isLetter }
        return word.allSatisfy(\.isLowercase) && summary.dropFirst(word.count).first == " "
            ? summary.prefix(1).uppercased() + summary.dropFirst() : summary
    }

    /// Unique path of the page.
    package var path: String { section.rawValue + "/" + name }
    /// Last part of the name: `elevator` of `handoff/elevator`, `keepalive` of `strategies.keepalive`.
    var shortName: String {
        switch section {
        case .scenarios: name.split(separator: "/").last.map(String.init) ?? name
        case .settings: name.split(separator: ".").last.map(String.init) ?? name
        default: name
        }
    }
    /// `true` if an anchor of the page is this name or ends with it.
    func hasRow(of word: String) -> Bool {
        anchors.contains { $0.lowercased() == word || $0.lowercased().hasSuffix("." + word) }
    }
    package var anchors: [String] { blocks.flatMap(\.anchors) }
    /// Pages and anchors that the page links to.
    package var targets: [String] { blocks.flatMap(\.lines).flatMap(\.targets).filter { !$0.contains("://") } }
}

extension GuidePage {
    /// Page from Markdown. A level-1 heading at the start becomes the title, the paragraph after it the summary.
    package init(_ name: String, markdown: String, link: @escaping (String) -> String? = { $0 }) {
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
