import DeadzoneBase
import DeadzoneHost
import DeadzoneReports
import DeadzoneRuns

extension Verb {
    static let guide: Verb = Verb(
        "guide", "Show the manual in the terminal, or write it as a web site",
        arguments: .optional("PAGE", "name of a page, metric, setting, error or scenario (default: list all pages)"),
        flags: [.out],
        examples: [
            Example("deadzone guide", "list all pages"),
            Example("deadzone guide zombie", "show one page"),
            Example("deadzone guide battery.joules", "show the page of a metric, error, setting or preset"),
            Example("deadzone guide handoff/elevator", "show the page of a scenario: its events, and how to run it"),
            Example(
                "deadzone guide --out site", "write the whole manual as a web site that opens from disk, with search"),
        ],
        next: [Example("deadzone guide ten-minutes", "read the introduction")]
    ) { invocation, context in
        let guide = Guide.standard(context)
        if let folder = invocation.text(.out) {
            guard invocation.arguments.isEmpty else {
                throw ToolFault(.conflict, "--out writes all pages", help: ["leave the page out"])
            }
            let isStopped = context.isInterrupted
            let site = GuideSite(guide, version: toolVersion, isStopped: isStopped)
            guard let files = site?.files(isStopped: isStopped) else {
                context.errors.write("stopped: nothing was written\n")
                return .init(context.interruptionCode())
            }
            let count: Int
            do { count = try write(files, into: folder, isStopped) } catch let fault as SystemFault {
                throw ToolFault.unwritable(fault)
            }
            guard count == files.count else {
                context.errors.write("stopped: \(count) of \(files.count) pages were written\n")
                return .init(context.interruptionCode())
            }
            if !invocation.has(.quiet) {
                context.errors.write(
                    "wrote \(files.count) pages; open \((folder + "/index.html").escapedForTerminal)\n")
            }
            return .ok
        }
        let style = Style(invocation, context.outputTerminal, columns: 40...100)
        let reader = GuideReader(guide: guide, style: style)
        context.output.write(
            try invocation.arguments.first.map { word throws(ToolFault) in try reader.page(word) } ?? reader.list)
        return .ok
    }

    /// Writes one folder after another, each completely or not at all. Returns the number of files that were written,
    /// which is lower after a stop.
    private static func write(
        _ files: [(path: String, text: String)], into folder: String, _ isStopped: () -> Bool
    ) throws(SystemFault) -> Int {
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
        var count = 0
        for (path, files) in folders {
            let output = try OutputFolder(path)
            for (name, text) in files {
                guard !isStopped() else { return count }
                try output.stage(Array(text.utf8), as: name)
            }
            try output.publish()
            count += files.count
        }
        return count
    }
}

/// Formats the guide's list of pages and its pages as text for a terminal.
struct GuideReader {
    let guide: Guide
    let style: Style

    /// The guides by title, and the number of pages in each other section.
    var list: String {
        let guides = guide.pages(on: .guides).map { [$0.name, $0.summary] }
        let rest = GuidePage.GuideSection.allCases.filter { $0 != .guides }.map { shelf in
            [shelf.rawValue, "\(guide.pages(on: shelf).count): \(shelf.about)"]
        }
        return style.heading("Guides") + style.list(guides) + "\n" + style.heading("Reference") + style.list(rest)
            + "\n"
            + style.wrapped(
                "`deadzone guide NAME` shows a page, or the names of all metrics, settings and so on.", indent: 0)
            + "\n"
    }

    func page(_ word: String) throws(ToolFault) -> String {
        if let shelf = GuidePage.GuideSection(rawValue: word.lowercased()), guide.page(at: "settings/\(word)") == nil {
            return style.heading(shelf.title) + rows(guide.pages(on: shelf))
        }
        switch guide.find(word) {
        case .page(let page, let alike): return Self.text(page, alike, style)
        case .several(let pages):
            let more = pages.count - Self.most
            return rows(Array(pages.prefix(Self.most))) + (more > 0 ? "and \(more) more\n" : "")
                + "\n`deadzone guide NAME` shows one of them.\n"
        case .nothing(let near):
            throw ToolFault(
                .unknownName, "no page of the guide has `\(word.escapedForTerminal)`",
                help: (near.map { ["did you mean `\($0)`?"] } ?? []) + ["deadzone guide lists the pages"])
        }
    }

    /// A page, and below it the pages with the same name.
    static func text(_ page: GuidePage, _ alike: [GuidePage], _ style: Style) -> String {
        TerminalText.page(page, style)
            + (alike.isEmpty ? "" : "\n" + style.heading("See also") + rows(alike, style))
    }

    private func rows(_ pages: [GuidePage]) -> String { Self.rows(pages, style) }

    private static func rows(_ pages: [GuidePage], _ style: Style) -> String {
        style.list(pages.map { [$0.section == .guides ? $0.name : $0.path, $0.summary] })
    }

    /// Longer lists are cut.
    private static let most = 40
}
