import DeadzonePages
import DeadzoneShipped

/// The guide as files of HTML: each has its style within and asks nobody for anything. Only the page of the search has a
/// script; without it that page lists all pages.
public struct Site {
    private let guide: Guide
    private let version: String

    public init(_ guide: Guide, version: String) {
        self.guide = Guide(guide.pages.map(\.written))
        self.version = version
    }

    /// Every file by its path.
    public var files: [(path: String, text: String)] {
        let shelves = GuidePage.Shelf.allCases.filter { !guide.pages(on: $0).isEmpty }
        return [("index.html", home(shelves)), ("search.html", search(shelves))]
            + shelves.map { ("\($0.rawValue)/index.html", list($0)) }
            + shelves.flatMap { shelf in
                let pages = guide.pages(on: shelf)
                return pages.indices.map { ("\(pages[$0].path).html", html(pages, $0)) }
            }
    }

    // MARK: One page

    private func html(_ pages: [GuidePage], _ place: Int) -> String {
        let page = pages[place]
        let web = WebPage(guide: guide, root: String(repeating: "../", count: page.path.count { $0 == "/" }))
        let body = """
            <p class="kicker"><a href="\(web.root)\(page.shelf.rawValue)/index.html">\(page.shelf.title)</a></p>
            <h1>\(WebPage.escaped(page.title))</h1>
            \(page.summary.isEmpty ? "" : "<p class=\"lede\">\(web.html(Inline.of(page.lede)))</p>\n")\
            \(contents(page))\(web.html(page.blocks))\(turn(pages, place, web))
            """
        return document(page.title, body, web, at: page)
    }

    /// What a long page has.
    private func contents(_ page: GuidePage) -> String {
        let titles = page.blocks.compactMap { block -> String? in
            if case .heading(let title, 2) = block { title } else { nil }
        }
        guard titles.count >= 4 else { return "" }
        let items = titles.map {
            "<li><a href=\"#\(WebPage.escaped(Block.anchor($0)))\">\(WebPage.escaped($0))</a></li>"
        }
        return "<nav class=\"contents\" aria-label=\"On this page\"><ul>\(items.joined())</ul></nav>\n"
    }

    private func turn(_ pages: [GuidePage], _ place: Int, _ web: WebPage) -> String {
        func link(_ index: Int, _ word: String) -> String {
            pages.indices.contains(index)
                ? "<a rel=\"\(word)\" href=\"\(web.href(pages[index].path))\">\(WebPage.escaped(pages[index].title))</a>"
                : "<span></span>"
        }
        return
            "<nav class=\"turn\" aria-label=\"Neighbours\">\(link(place - 1, "prev"))\(link(place + 1, "next"))</nav>\n"
    }

    // MARK: Lists

    private func home(_ shelves: [GuidePage.Shelf]) -> String {
        let web = WebPage(guide: guide, root: "")
        let cards = guide.pages(on: .guides).map { page in
            "<li><a href=\"\(web.href(page.path))\">\(WebPage.escaped(page.title))</a>\(WebPage.escaped(page.summary))</li>\n"
        }
        let rest = shelves.filter { $0 != .guides }.map { shelf in
            "<li><a href=\"\(shelf.rawValue)/index.html\">\(shelf.title)</a>\(guide.pages(on: shelf).count): \(shelf.about)</li>\n"
        }
        let body = """
            <h1>Deadzone, the guide</h1>
            <p class="lede">What a mobile client's network policy costs and what it loses, before a phone is involved. The guides \
            are written by people and their examples are run by a test; all else is made from the tables that the program itself \
            reads.</p>
            <h2>Guides</h2>
            <ul class="cards">
            \(cards.joined())</ul>
            <h2>Reference</h2>
            <ul class="cards">
            \(rest.joined())</ul>
            """
        return document("Deadzone, the guide", body, web, at: nil)
    }

    private func list(_ shelf: GuidePage.Shelf) -> String {
        let web = WebPage(guide: guide, root: "../")
        let body = """
            <h1>\(shelf.title)</h1>
            <p class="lede">\(shelf.about.prefix(1).uppercased() + shelf.about.dropFirst()).</p>
            \(table(shelf, web))
            """
        return document(shelf.title, body, web, at: nil, shelf: shelf)
    }

    private func table(_ shelf: GuidePage.Shelf, _ web: WebPage) -> String {
        let rows = guide.pages(on: shelf).map { page in
            let title = page.title == page.name ? "" : "<td>\(WebPage.escaped(page.title))</td>"
            let name = shelf == .guides ? page.title : page.name
            return
                "<tr><th scope=\"row\"><a href=\"\(web.href(page.path))\">\(WebPage.escaped(name))</a></th>"
                + (shelf == .guides ? "" : title) + "<td>\(WebPage.escaped(page.summary))</td></tr>\n"
        }
        return
            "<div class=\"wide\" tabindex=\"0\"><table class=\"names\"><tbody>\n\(rows.joined())</tbody></table></div>\n"
    }

    // MARK: Search

    private func search(_ shelves: [GuidePage.Shelf]) -> String {
        let web = WebPage(guide: guide, root: "")
        let lists = shelves.map { "<h2>\($0.title)</h2>\n\(table($0, web))" }
        let body = """
            <h1>Search</h1>
            <p class="lede" id="answer" aria-live="polite">All pages of the guide.</p>
            <ol id="found" hidden></ol>
            <div id="all">\(lists.joined())</div>
            <script type="application/json" id="index">\(SearchIndex(guide).text)</script>
            """
        return document("Search", body, web, at: nil, script: Self.script)
    }

    // MARK: What every page has

    private func document(
        _ title: String, _ body: String, _ web: WebPage, at page: GuidePage?, shelf: GuidePage.Shelf? = nil,
        script: String = ""
    ) -> String {
        let scripts = script.isEmpty ? "" : " script-src '\(Page.hash(script))';"
        let policy = "default-src 'none'; style-src '\(Page.hash(Self.style))';\(scripts) base-uri 'none'"
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
            <meta name="color-scheme" content="light dark"><title>\(WebPage.escaped(title))\(page == nil ? "" : " · Deadzone")</title>
            <style>\(Self.style)</style></head><body>
            <a class="skip" href="#text">Skip to the text</a>
            <header><a class="brand" href="\(web.root)index.html">Deadzone<span> guide</span></a>
            <form role="search" action="\(web.root)search.html"><label class="unseen" for="q">Search the guide</label>\
            <input id="q" name="q" type="search" placeholder="zombie, E0104, keepalive…" autocomplete="off">\
            <button>Search</button></form></header>
            <div class="frame"><main id="text" tabindex="-1">
            \(body)</main>
            \(side(web, at: page, shelf: shelf ?? page?.shelf))</div>
            <footer>deadzone \(WebPage.escaped(version))</footer>\(script.isEmpty ? "" : "\n<script>\(script)</script>")
            </body></html>

            """
    }

    private func side(_ web: WebPage, at page: GuidePage?, shelf: GuidePage.Shelf?) -> String {
        let guides = guide.pages(on: .guides).map { other in
            let mark = other.path == page?.path ? " aria-current=\"page\"" : ""
            return "<li><a href=\"\(web.href(other.path))\"\(mark)>\(WebPage.escaped(other.title))</a></li>"
        }
        let rest = GuidePage.Shelf.allCases.filter { $0 != .guides && !guide.pages(on: $0).isEmpty }.map { other in
            let mark = other == shelf ? " aria-current=\"true\"" : ""
            return "<li><a href=\"\(web.root)\(other.rawValue)/index.html\"\(mark)>\(other.title)</a></li>"
        }
        return """
            <nav class="side" aria-label="The guide"><h2>Guides</h2><ul>\(guides.joined())</ul>
            <h2>Reference</h2><ul>\(rest.joined())</ul></nav>
            """
    }

    private static let style =
        Palette.css(of: ["ink", "soft", "link"]) + shipped("Sources/Guide/guide.css")
    private static let script = shipped("Sources/Guide/search.js")
}
