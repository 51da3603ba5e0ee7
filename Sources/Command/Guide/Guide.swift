import DeadzoneBase

/// All pages of the user guide, with search.
package struct Guide: Sendable {
    package let pages: [GuidePage]
    private let sections: [GuidePage.GuideSection: [GuidePage]]
    private let places: [String: Int]
    private let names: [String: [Int]]

    /// Orders the pages by section, as lists show them.
    package init(_ pages: [GuidePage]) {
        let sections = Dictionary(grouping: pages, by: \.section)
        self.sections = sections
        self.pages = GuidePage.GuideSection.allCases.flatMap { sections[$0] ?? [] }
        places = Dictionary(self.pages.enumerated().map { ($1.path, $0) }, uniquingKeysWith: { first, _ in first })
        names = self.pages.enumerated().reduce(into: [:]) { names, page in
            for name in Set([page.element.name, page.element.shortName]) {
                names[name, default: []].append(page.offset)
            }
        }
    }

    package func pages(on section: GuidePage.GuideSection) -> [GuidePage] { sections[section] ?? [] }
    package func page(at path: String) -> GuidePage? { places[path].map { pages[$0] } }

    /// `true` if a link leads to a page or to an anchor on a page.
    package func leads(_ target: String) -> Bool {
        let parts = target.split(separator: "#", maxSplits: 1).map(String.init)
        guard let path = parts.first, let page = page(at: path) else { return false }
        return parts.count == 1 || page.anchors.contains(parts[1])
    }

    package enum SearchResult: Sendable {
        case page(GuidePage, alike: [GuidePage])
        case several([GuidePage])
        /// No page matches; `near` is a similar name.
        case nothing(near: String?)
    }

    /// The page that this word names by its path, name or title; else the word's row in the glossary.
    package func named(_ words: String) -> (page: GuidePage, alike: [GuidePage])? {
        if let exact = exact(words) { return exact }
        guard let term = glossary(words.lowercased()) else { return nil }
        let parts = words.lowercased().split(separator: " ")
        let alike = pages.filter { page in
            page.section != .scenarios && parts.allSatisfy("\(page.name) \(page.title)".lowercased().mentions)
        }
        return (term, alike)
    }

    private func exact(_ words: String) -> (page: GuidePage, alike: [GuidePage])? {
        let word = words.lowercased()
        let exact = pages.filter { page in
            [page.path, page.name, page.title, page.shortName].contains { $0.lowercased() == word }
        }
        // Among pages of the same name: the one with no longer name, then the client's before the server's.
        guard
            let first = exact.first(where: { $0.name.lowercased() == word })
                ?? exact.first(where: { $0.name.hasPrefix("strategies.") }) ?? exact.first
        else { return nil }
        return (first, exact.filter { $0.path != first.path })
    }

    /// Settings within a setting, each as a page: `keepalive.interval`, or `interval` in every setting that has it. The
    /// settings that take the word as a value come last: `alarm`. A group of a population repeats the settings of the
    /// scenario. So the settings of a group are found by their whole path only.
    package func settings(_ words: String) -> [GuidePage] {
        let word = words.lowercased()
        let isOfPopulation = word.hasPrefix("population.")
        return settings(ofPopulation: isOfPopulation) { path, _ in path == word || path.hasSuffix("." + word) }
            + settings(ofPopulation: isOfPopulation) { path, row in row.takes(word) && !path.hasSuffix("." + word) }
    }

    private func settings(
        ofPopulation: Bool, _ isWanted: (_ path: String, PageBlock.PageTableRow) -> Bool
    ) -> [GuidePage] {
        pages(on: .settings).filter { $0.name.hasPrefix("population") == ofPopulation }.flatMap { page in
            page.blocks.flatMap { block -> [GuidePage] in
                guard case .table(let table) = block else { return [] }
                return table.rows.indices.compactMap { index in
                    let path = page.name + "." + table.rows[index].anchor
                    guard !table.rows[index].anchor.isEmpty, isWanted(path, table.rows[index]) else { return nil }
                    return setting(path, of: page, table.rows[index...])
                }
            }
        }
    }

    /// The first row and the rows within it.
    private func setting(
        _ path: String, of page: GuidePage, _ rows: ArraySlice<PageBlock.PageTableRow>
    ) -> GuidePage {
        let depth = rows[rows.startIndex].depth
        var own = [rows[rows.startIndex]] + rows.dropFirst().prefix { $0.depth > depth }
        for index in own.indices {
            own[index].depth -= depth
            own[index].anchor = ""
        }
        let blocks: [PageBlock] =
            [.paragraph([.text("A setting of "), .link([.code(page.name)], to: page.path), .text(".")])]
            + PageBlock.rows(nil, own)
        return GuidePage(.settings, path, summary: own[0].cells.last?.plain ?? "", blocks)
    }

    /// The row of the glossary for this word, or of the causes and places of losses, as a page.
    private func glossary(_ word: String) -> GuidePage? {
        for page in ["guides/glossary", "guides/why-lost"].compactMap(page(at:)) {
            for case .table(let table) in page.blocks {
                for row in table.rows where row.cells.count == table.head.count && row.names(word) {
                    // Titles of causes are phrases. A single word has other meanings.
                    guard row.cells.count == 2 || word.contains(" ") else { continue }
                    let name = row.cells[0].plain
                    return GuidePage(
                        .guides, name, summary: row.cells.dropFirst().map(\.text).joined(separator: ": "),
                        [.paragraph([.text("From the page "), .link([.text(page.name)], to: page.path), .text(".")])])
                }
            }
        }
        return nil
    }

    /// The page that a word names; else every page that has all the words, or a setting of that name.
    package func find(_ words: String) -> SearchResult {
        if let (page, alike) = exact(words) { return .page(page, alike: alike) }
        let word = words.lowercased()
        let parts = word.split(separator: " ")
        let having = pages.filter { page in
            let text = "\(page.name) \(page.title) \(page.summary)".lowercased()
            return !parts.isEmpty && parts.allSatisfy(text.contains)
        }
        let named = having.filter { page in parts.allSatisfy("\(page.name) \(page.title)".lowercased().contains) }
        // A guide explains a word better than other pages with the word in their name.
        let guides = named.filter { $0.section == .guides }
        if guides.count == 1 { return .page(guides[0], alike: named.filter { $0.section != .guides }) }
        if let (page, alike) = self.named(words) { return .page(page, alike: alike) }
        let inner = settings(word)
        if inner.count == 1 { return .page(inner[0], alike: named) }
        let telling = named.isEmpty ? pages.filter { $0.hasRow(of: word) } : []
        let found = telling + named + having.filter { page in !named.contains { $0.path == page.path } }
        if found.count == 1 { return .page(found[0], alike: []) }
        return found.isEmpty
            ? .nothing(near: suggestion(for: words, among: pages.flatMap { [$0.name, $0.title] })) : .several(found)
    }

    /// The page that a code span names, if exactly one page has this name and it is not a plain word.
    func page(named code: String) -> GuidePage? {
        if code.hasPrefix("deadzone ") {
            let verb = code.dropFirst("deadzone ".count).prefix { $0 != " " }
            return page(at: "verbs/\(verb)")
        }
        guard code.contains(where: { "-.".contains($0) || $0.isNumber }), let places = names[code], places.count == 1
        else { return nil }
        return pages[places[0]]
    }
}

extension String {
    /// `true` if the text contains the word. A word of one or two letters must stand alone, because most texts contain it
    /// within other words.
    func mentions(_ word: some StringProtocol) -> Bool { word.count > 2 ? contains(word) : hasWord(word) }

    /// `true` if the word stands alone in the text.
    func hasWord(_ word: some StringProtocol) -> Bool {
        let words = split { !$0.isLetter && !$0.isNumber }
        return word.split { !$0.isLetter && !$0.isNumber }.allSatisfy { part in words.contains { $0 == part } }
    }
}
