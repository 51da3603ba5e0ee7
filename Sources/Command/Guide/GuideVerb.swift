import DeadzoneDocuments
import DeadzoneGuide
import DeadzoneHost
import DeadzonePrimitives
import DeadzoneRuns

extension Verb {
    static let guide: Verb = Verb(
        "guide", "is the manual: pages in the terminal, or a site",
        arguments: .optional("PAGE", "a page, or the name of anything: without it, the list of pages"),
        flags: [.out],
        examples: [
            Example("deadzone guide", "what there is to read"),
            Example("deadzone guide zombie", "a page"),
            Example("deadzone guide battery.joules", "a metric, an error, a setting, a preset: whatever has a name"),
            Example("deadzone guide handoff/elevator", "a scenario: its story, and how to run it"),
            Example("deadzone guide --out site", "all of it as a site with search, to open from disk"),
        ],
        next: [Example("deadzone guide ten-minutes", "where to begin")]
    ) { invocation, surroundings in
        let guide = Guide.standard(surroundings)
        if let folder = invocation.text(.out) {
            guard invocation.arguments.isEmpty else {
                throw ToolFault(.conflict, "--out writes all pages", help: ["leave the page out"])
            }
            let files = Site(guide, version: toolVersion).files
            do { try write(files, into: folder) } catch let fault as SystemFault { throw ToolFault.unwritable(fault) }
            if !invocation.has(.quiet) {
                surroundings.errors.write("wrote \(files.count) pages; open \((folder + "/index.html").visible)\n")
            }
            return .ok
        }
        let style = Style(invocation, surroundings.outputTerminal, columns: 40...100)
        let reader = GuideReader(guide: guide, style: style)
        surroundings.output.write(
            try invocation.arguments.first.map { word throws(ToolFault) in try reader.page(word) } ?? reader.list)
        return .ok
    }

    /// A folder after the other, each as a whole.
    private static func write(_ files: [(path: String, text: String)], into folder: String) throws(SystemFault) {
        var folders: [(path: String, files: [(name: String, text: String)])] = []
        for file in files {
            let parts = file.path.split(separator: "/").map(String.init)
            for depth in 0..<parts.count {
                let path = ([folder] + parts.prefix(depth)).joined(separator: "/")
                if !folders.contains(where: { $0.path == path }) { folders.append((path, [])) }
                guard depth == parts.count - 1, let place = folders.firstIndex(where: { $0.path == path }) else {
                    continue
                }
                folders[place].files.append((parts[depth], file.text))
            }
        }
        for (path, files) in folders {
            let output = try OutputFolder(path)
            for (name, text) in files { try output.stage(Array(text.utf8), as: name) }
            try output.publish()
        }
    }
}

/// The guide in a terminal.
struct GuideReader {
    let guide: Guide
    let style: Style

    /// The guides by title, and how many of everything else.
    var list: String {
        let guides = guide.pages(on: .guides).map { [$0.name, $0.summary] }
        let rest = GuidePage.Shelf.allCases.filter { $0 != .guides }.map { shelf in
            [shelf.rawValue, "\(guide.pages(on: shelf).count): \(shelf.about)"]
        }
        return style.heading("Guides") + style.list(guides) + "\n" + style.heading("Reference") + style.list(rest)
            + "\n"
            + style.wrapped(
                "`deadzone guide NAME` shows a page, or the names of all metrics, settings and so on.", indent: 0)
            + "\n"
    }

    func page(_ word: String) throws(ToolFault) -> String {
        if let shelf = GuidePage.Shelf(rawValue: word.lowercased()), guide.page(at: "settings/\(word)") == nil {
            return style.heading(shelf.title) + rows(guide.pages(on: shelf))
        }
        switch guide.find(word) {
        case .page(let page, let alike):
            return TerminalText.page(page, style)
                + (alike.isEmpty ? "" : "\n" + style.heading("See also") + rows(alike))
        case .several(let pages):
            let more = pages.count - Self.most
            return rows(Array(pages.prefix(Self.most))) + (more > 0 ? "and \(more) more\n" : "")
                + "\n`deadzone guide NAME` shows one of them.\n"
        case .nothing(let near):
            throw ToolFault(
                .unknownName, "no page of the guide has `\(word.visible)`",
                help: (near.map { ["did you mean `\($0)`?"] } ?? []) + ["deadzone guide lists the pages"])
        }
    }

    private func rows(_ pages: [GuidePage]) -> String {
        style.list(pages.map { [$0.shelf == .guides ? $0.name : $0.path, $0.summary] })
    }

    /// More than this at once nobody reads.
    private static let most = 40
}
