import DeadzoneReports
import DeadzoneShipped

/// Generates the user guide as a site of HTML files with embedded CSS and no external resources. Only the search page has a
/// script; without it, that page lists all pages.
package struct GuideSite {
    private let guide: Guide
    private let version: String

    /// - Parameter isStopped: checked before each page. `nil` is returned after it was `true`.
    package init?(_ guide: Guide, version: String, isStopped: () -> Bool = { false }) {
        var pages: [GuidePage] = []
        for page in guide.pages {
            guard !isStopped() else { return nil }
            pages.append(page.evaluated)
        }
        self.guide = Guide(pages)
        self.version = version
    }

    /// All files with their paths. `nil` if `isStopped`, which is checked before each page, was `true`.
    package func files(isStopped: () -> Bool = { false }) -> [(path: String, text: String)]? {
        let sections = GuidePage.GuideSection.allCases.filter { !guide.pages(on: $0).isEmpty }
        var files = [("index.html", home(sections)), ("search.html", search(sections))]
        files += sections.map { ("\($0.rawValue)/index.html", list($0)) }
        for section in sections {
            let pages = guide.pages(on: section)
            for place in pages.indices {
                guard !isStopped() else { return nil }
                files.append(("\(pages[place].path).html", html(pages, place)))
            }
        }
        return files
    }

    // MARK: One page

    private func html(_ pages: [GuidePage], _ place: Int) -> String {
        let page = pages[place]
        let web = GuideHTML(guide: guide, root: String(repeating: "../", count: page.path.count { $0 == "/" }))
        let body = """
            <p class="kicker"><a href="\(web.root)\(page.section.rawValue)/index.html">\(page.section.title)</a></p>
            <h1>\(GuideHTML.escaped(page.title))</h1>
            \(page.summary.isEmpty ? "" : "<p class=\"lede\">\(web.html(Inline.of(page.lede)))</p>\n")\
            \(contents(page))\(web.html(page.blocks))\(neighbourLinks(pages, place, web))
            """
        return document(page.title, body, web, at: page)
    }

    /// Table of contents of a page with at least four headings of level 2.
    private func contents(_ page: GuidePage) -> String {
        let titles = page.blocks.compactMap { block -> String? in
            if case .heading(let title, 2) = block { title } else { nil }
        }
        guard titles.count >= 4 else { return "" }
        let items = titles.map {
            "<li><a href=\"#\(GuideHTML.escaped(PageBlock.anchor($0)))\">\(GuideHTML.escaped($0))</a></li>"
        }
        return "<nav class=\"contents\" aria-label=\"On this page\"><ul>\(items.joined())</ul></nav>\n"
    }

    private func neighbourLinks(_ pages: [GuidePage], _ place: Int, _ web: GuideHTML) -> String {
        func link(_ index: Int, _ word: String) -> String {
            pages.indices.contains(index)
                ? "<a rel=\"\(word)\" href=\"\(web.href(pages[index].path))\">\(GuideHTML.escaped(pages[index].title))</a>"
                : "<span></span>"
        }
        return
            "<nav class=\"turn\" aria-label=\"Previous and next page\">\(link(place - 1, "prev"))\(link(place + 1, "next"))</nav>\n"
    }

    // MARK: Lists

    private func home(_ sections: [GuidePage.GuideSection]) -> String {
        let web = GuideHTML(guide: guide, root: "")
        let cards = guide.pages(on: .guides).map { page in
            "<li><a href=\"\(web.href(page.path))\">\(GuideHTML.escaped(page.title))</a>\(GuideHTML.escaped(page.summary))</li>\n"
        }
        let rest = sections.filter { $0 != .guides }.map { section in
            "<li><a href=\"\(section.rawValue)/index.html\">\(section.title)</a>\(guide.pages(on: section).count): \(section.about)</li>\n"
        }
        let body = """
            <h1>Deadzone, the guide</h1>
            <p class="lede">Deadzone simulates what a mobile client's network policy costs, and which messages it loses. Each command \
            in the guides is run by a test. The reference is generated from the same tables \
            that the program uses.</p>
            <h2>Guides</h2>
            <ul class="cards">
            \(cards.joined())</ul>
            <h2>Reference</h2>
            <ul class="cards">
            \(rest.joined())</ul>
            """
        return document("Deadzone, the guide", body, web, at: nil)
    }

    private func list(_ section: GuidePage.GuideSection) -> String {
        let web = GuideHTML(guide: guide, root: "../")
        let body = """
            <h1>\(section.title)</h1>
            <p class="lede">\(section.about.prefix(1).uppercased() + section.about.dropFirst()).</p>
            \(table(section, web))
            """
        return document(section.title, body, web, at: nil, section: section)
    }

    private func table(_ section: GuidePage.GuideSection, _ web: GuideHTML) -> String {
        let rows = guide.pages(on: section).map { page in
            let title = page.title == page.name ? "" : "<td>\(GuideHTML.escaped(page.title))</td>"
            let name = section == .guides ? page.title : page.name
            return
                "<tr><th scope=\"row\"><a href=\"\(web.href(page.path))\">\(GuideHTML.escaped(name))</a></th>"
                + (section == .guides ? "" : title) + "<td>\(GuideHTML.escaped(page.summary))</td></tr>\n"
        }
        return
            "<div class=\"wide\" tabindex=\"0\"><table class=\"names\"><tbody>\n\(rows.joined())</tbody></table></div>\n"
    }

    // MARK: Search

    private func search(_ sections: [GuidePage.GuideSection]) -> String {
        let web = GuideHTML(guide: guide, root: "")
        let lists = sections.map { "<h2>\($0.title)</h2>\n\(table($0, web))" }
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
        _ title: String, _ body: String, _ web: GuideHTML, at page: GuidePage?, section: GuidePage.GuideSection? = nil,
        script: String = ""
    ) -> String {
        let scripts = script.isEmpty ? "" : " script-src '\(ReportPage.policyHash(script))';"
        let policy = "default-src 'none'; style-src '\(Self.styleHash)';\(scripts) base-uri 'none'"
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
            <meta name="color-scheme" content="light dark"><title>\(GuideHTML.escaped(title))\(page == nil ? "" : " · Deadzone")</title>
            <style>\(Self.style)</style></head><body>
            <a class="skip" href="#text">Skip to the text</a>
            <header><a class="brand" href="\(web.root)index.html">Deadzone<span> guide</span></a>
            <form role="search" action="\(web.root)search.html"><label class="unseen" for="q">Search the guide</label>\
            <input id="q" name="q" type="search" placeholder="zombie, E0104, keepalive…" autocomplete="off">\
            <button>Search</button></form></header>
            <div class="frame"><main id="text" tabindex="-1">
            \(body)</main>
            \(side(web, at: page, section: section ?? page?.section))</div>
            <footer>deadzone \(GuideHTML.escaped(version))</footer>\(script.isEmpty ? "" : "\n<script>\(script)</script>")
            </body></html>

            """
    }

    private func side(_ web: GuideHTML, at page: GuidePage?, section: GuidePage.GuideSection?) -> String {
        let guides = guide.pages(on: .guides).map { other in
            let mark = other.path == page?.path ? " aria-current=\"page\"" : ""
            return "<li><a href=\"\(web.href(other.path))\"\(mark)>\(GuideHTML.escaped(other.title))</a></li>"
        }
        let rest = GuidePage.GuideSection.allCases.filter { $0 != .guides && !guide.pages(on: $0).isEmpty }.map {
            other in
            let mark = other == section ? " aria-current=\"true\"" : ""
            return "<li><a href=\"\(web.root)\(other.rawValue)/index.html\"\(mark)>\(other.title)</a></li>"
        }
        return """
            <nav class="side" aria-label="The guide"><h2>Guides</h2><ul>\(guides.joined())</ul>
            <h2>Reference</h2><ul>\(rest.joined())</ul></nav>
            """
    }

    private static let style =
        Palette.css(of: ["ink", "soft", "link"]) + shipped("Sources/Command/Guide/guide.css")
    private static let styleHash = ReportPage.policyHash(style)
    private static let script = shipped("Sources/Command/Guide/search.js")
}
