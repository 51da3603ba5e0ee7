import DeadzoneReports

/// The search index of the guide's HTML site, with an entry for each page, and for each setting on a page.
struct SearchIndex {
    private let guide: Guide

    init(_ guide: Guide) { self.guide = guide }

    /// The index as JSON that is safe inside an HTML page.
    var text: String {
        let lines = guide.pages.flatMap { page in
            [line(page.path + ".html", page.title, page.section, words(page))]
                + page.anchors.filter { _ in page.section == .settings || page.section == .strategies }
                .filter { $0.contains(".") }
                .map { line(page.path + ".html#" + $0, $0, page.section, page.title) }
        }
        return JSON.array(lines).text(.line).replacing("<", with: "\\u003c")
    }

    private func line(_ file: String, _ title: String, _ section: GuidePage.GuideSection, _ words: String) -> JSON {
        .array([.string(file), .string(title), .string(section.title), .string(words)])
    }

    /// Searchable text of a page: every distinct word of a hand-written page, the summary of a generated page.
    private func words(_ page: GuidePage) -> String {
        let about = page.title == page.name ? page.summary : "\(page.name): \(page.summary)"
        guard page.section == .guides else { return about }
        var known: Set<Substring> = []
        let words = page.blocks.flatMap(\.lines).flatMap { line in
            line.plain.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") }
        }
        return page.summary + "\n" + words.filter { $0.count > 2 && known.insert($0).inserted }.joined(separator: " ")
    }
}
