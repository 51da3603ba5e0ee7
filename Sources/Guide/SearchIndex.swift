import DeadzoneDocuments

/// What the search looks through: a line for each page and for each setting that stands on one.
struct SearchIndex {
    private let guide: Guide

    init(_ guide: Guide) { self.guide = guide }

    /// As JSON that may stand in a page.
    var text: String {
        let lines = guide.pages.flatMap { page in
            [line(page.path + ".html", page.title, page.shelf, words(page))]
                + page.anchors.filter { _ in page.shelf == .settings || page.shelf == .strategies }
                .filter { $0.contains(".") }
                .map { line(page.path + ".html#" + $0, $0, page.shelf, page.title) }
        }
        return JSON.array(lines).text(.line).replacing("<", with: "\\u003c")
    }

    private func line(_ file: String, _ title: String, _ shelf: GuidePage.Shelf, _ words: String) -> JSON {
        .array([.string(file), .string(title), .string(shelf.title), .string(words)])
    }

    /// Of prose every word, each once; of a page from a table what it is about.
    private func words(_ page: GuidePage) -> String {
        let about = page.title == page.name ? page.summary : "\(page.name): \(page.summary)"
        guard page.shelf == .guides else { return about }
        var known: Set<Substring> = []
        let words = page.blocks.flatMap(\.lines).flatMap { line in
            line.plain.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") }
        }
        return page.summary + "\n" + words.filter { $0.count > 2 && known.insert($0).inserted }.joined(separator: " ")
    }
}
