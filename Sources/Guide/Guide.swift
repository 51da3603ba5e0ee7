import DeadzoneSettings

/// All pages, and how one is found.
public struct Guide: Sendable {
    public let pages: [GuidePage]
    private let places: [String: Int]
    private let names: [String: [Int]]

    /// In the order in which lists show them, shelf by shelf.
    public init(_ pages: [GuidePage]) {
        self.pages = GuidePage.Shelf.allCases.flatMap { shelf in pages.filter { $0.shelf == shelf } }
        places = Dictionary(self.pages.enumerated().map { ($1.path, $0) }, uniquingKeysWith: { first, _ in first })
        names = self.pages.enumerated().reduce(into: [:]) { names, page in
            for name in Set([page.element.name, page.element.shortName]) {
                names[name, default: []].append(page.offset)
            }
        }
    }

    public func pages(on shelf: GuidePage.Shelf) -> [GuidePage] { pages.filter { $0.shelf == shelf } }
    public func page(at path: String) -> GuidePage? { places[path].map { pages[$0] } }

    /// A link leads to a page, or to an anchor on one.
    public func leads(_ target: String) -> Bool {
        let parts = target.split(separator: "#", maxSplits: 1).map(String.init)
        guard let path = parts.first, let page = page(at: path) else { return false }
        return parts.count == 1 || page.anchors.contains(parts[1])
    }

    public enum Finding: Sendable {
        case page(GuidePage, alike: [GuidePage])
        case several([GuidePage])
        /// Nothing, but perhaps this was meant.
        case nothing(near: String?)
    }

    /// By its path, name or title; else whatever has all the words, or tells of a setting of that name.
    public func find(_ words: String) -> Finding {
        let word = words.lowercased()
        let exact = pages.filter { page in
            [page.path, page.name, page.title, page.shortName].contains { $0.lowercased() == word }
        }
        // Of namesakes, the one whose whole name it is, and the client's before the server's.
        if let first = exact.first(where: { $0.name.lowercased() == word })
            ?? exact.first(where: { $0.name.hasPrefix("strategies.") }) ?? exact.first
        {
            return .page(first, alike: exact.filter { $0.path != first.path })
        }
        let parts = word.split(separator: " ")
        let having = pages.filter { page in
            let text = "\(page.name) \(page.title) \(page.summary)".lowercased()
            return !parts.isEmpty && parts.allSatisfy(text.contains)
        }
        let named = having.filter { page in parts.allSatisfy("\(page.name) \(page.title)".lowercased().contains) }
        // A guide tells more of a word than whatever else has it in its name.
        let guides = named.filter { $0.shelf == .guides }
        if guides.count == 1 { return .page(guides[0], alike: named.filter { $0.shelf != .guides }) }
        let telling = named.isEmpty ? pages.filter { $0.tells(of: word) } : []
        let found = telling + named + having.filter { page in !named.contains { $0.path == page.path } }
        if found.count == 1 { return .page(found[0], alike: []) }
        return found.isEmpty
            ? .nothing(near: suggestion(for: words, among: pages.flatMap { [$0.name, $0.title] })) : .several(found)
    }

    /// The page that a word of code names, where it names one alone and is no plain word.
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
