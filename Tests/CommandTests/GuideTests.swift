import DeadzoneHost
import DeadzoneRuns
import DeadzoneShipped
import DeadzoneTestKit
import Foundation
import Synchronization
import Testing

@testable import DeadzoneCommand

/// The guide: everything that has a name has a page, and every link has a target.
struct GuideTests {
    private static let guide = Guide.standard(.memory())

    @Test func everythingThatHasANameHasAPage() throws {
        // Broken: a row of a table has no page in the guide, or a page is empty.
        let guide = Self.guide
        for topic in [Topic.metrics, .errors, .strategies, .profiles, .platforms, .links, .middleboxes, .guides] {
            for entry in try ReferenceIndex.entries(topic, .memory()) {
                let page = guide.page(at: "\(topic.rawValue)/\(entry.name)")
                #expect(page?.blocks.isEmpty == false, "\(topic) \(entry.name)")
            }
        }
        for verb in CommandTable.standard.verbs { #expect(guide.page(at: "verbs/\(verb.name)") != nil) }
        for setting in try ReferenceIndex.entries(.settings, .memory()) {
            #expect(guide.page(at: "settings/\(setting.name)") != nil)
        }
        for name in ["timeline.dead-zone", "strategies.keepalive", "phone.platform", "traffic.calls", "server.history"]
        {
            #expect(guide.page(at: "settings/\(name)")?.blocks.isEmpty == false, "\(name)")
        }
        #expect(guide.pages.count > 600)
        #expect(Set(guide.pages.map { $0.path.lowercased() }).count == guide.pages.count)
        for page in guide.pages {
            let words = page.summary.count + page.blocks.flatMap(\.lines).reduce(0) { $0 + $1.plain.count }
            #expect(!page.title.isEmpty && !page.summary.isEmpty && words > 40, "\(page.path)")
        }
    }

    @Test func everyShippedScenarioIsThere() throws {
        // Broken: a scenario file of the folder is missing from shipped.c, and so from the guide.
        let root = Repository.root + "/Scenarios"
        let files = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        let others = ["profiles/", "strategies/", "live/", "claims/"]
        let names = files.filter { file in file.hasSuffix(".yaml") && !others.contains { file.hasPrefix($0) } }
        #expect(names.sorted() == shippedScenarios.map { $0.name + ".yaml" }.sorted())
        for (name, text) in shippedScenarios {
            #expect(try String(contentsOfFile: "\(root)/\(name).yaml", encoding: .utf8) == text)
            let page = try #require(Self.guide.page(at: "scenarios/\(name)"))
            #expect(page.summary.count > 40 && page.title != name, "\(name)")
        }
    }

    @Test func everyLinkLeadsSomewhere() {
        // Broken: a link to a page or an anchor that does not exist.
        let guide = Self.guide
        for page in guide.pages {
            for target in page.targets { #expect(guide.leads(target), "\(page.path) leads to \(target)") }
        }
        #expect(
            !guide.leads("metrics/zombie.maxx") && !guide.leads("verbs/run#nowhere") && guide.leads("verbs/run#seed"))
        #expect(guide.pages.flatMap(\.targets).count > 300)
    }

    @Test func siteIsConsistent() throws {
        // Broken: a page links to a file that is not written, has an id twice, or loads something from another host.
        // Also broken: the whole site is 10 MiB or larger.
        let files = try #require(GuideSite(Self.guide, version: toolVersion)?.files())
        let paths = Set(files.map(\.path))
        #expect(paths.count == files.count && paths.contains("index.html") && paths.contains("search.html"))
        let tags = Dictionary(uniqueKeysWithValues: files.map { ($0.path, HTMLTags($0.text)) })
        #expect(files.reduce(0) { $0 + $1.text.utf8.count } < 13 << 20)
        for (path, page) in tags {
            #expect(page.ids.count == Set(page.ids).count, "\(path): \(page.ids)")
            for target in page.targets where !target.hasPrefix("https://") && !target.hasPrefix("http://") {
                let parts = target.components(separatedBy: "#")
                let place = parts[0].isEmpty ? path : resolved(parts[0], from: path)
                #expect(tags[place] != nil, "\(path) leads to \(target)")
                #expect(parts.count == 1 || tags[place]?.ids.contains(parts[1]) == true, "\(path): \(target)")
            }
            #expect(page.sources == [] && page.hasScript == (path == "search.html"), "\(path)")
        }
    }

    @Test func siteIsWrittenReproducibly() throws {
        // Broken: `--out` writes only part of the site, or other bytes each time.
        let workspace = try TestWorkspace()
        #expect(workspace.run("guide --out @site").code == .ok)
        #expect(try workspace.text("site/index.html").contains("guides/gates.html"))
        let first = try workspace.data("site/search.html")
        #expect(workspace.run("guide --out @again -q").code == .ok)
        #expect(try workspace.data("again/search.html") == first)
        #expect(
            workspace.exists("site/scenarios/handoff/elevator.html") && workspace.exists("site/metrics/zombie.max.html")
        )
        #expect(workspace.run("guide gates --out @third").code == .usage)
    }

    @Test func interruptionStopsTheSite() throws {
        // Broken: Ctrl-C is ignored until all pages are written, or a folder of the site is written in part.
        let full = try TestWorkspace()
        let asked = Atomic(0)
        let whole = full.run("guide --out @site") {
            $0.isInterrupted = {
                asked.add(1, ordering: .relaxed)
                return false
            }
        }
        #expect(whole.code == .ok)
        let total = asked.load(ordering: .relaxed)
        for limit in [0, total / 3, total * 2 / 3, total - 1] {
            let workspace = try TestWorkspace()
            let calls = Atomic(0)
            let outcome = workspace.run("guide --out @site") {
                $0.isInterrupted = { calls.wrappingAdd(1, ordering: .relaxed).newValue > limit }
            }
            #expect(outcome.code == .interrupted && outcome.errors.contains("stopped"), "\(limit): \(outcome.errors)")
            let names = FileManager.default.enumerator(atPath: workspace.path)?.compactMap { $0 as? String } ?? []
            #expect(!names.contains { $0.hasSuffix(".tmp") } && calls.load(ordering: .relaxed) <= limit + 1)
        }
    }

    private struct GuidePageCheck: Decodable {
        struct PageError: Decodable {}
        let overflow, skips, nameless, text, images, inline: Int
        let paper: String
        let requests: [String]
        let errors: [PageError]
    }

    @Test(.enabled(if: Oracle.isEnabled && Browser.isWanted, "\(Oracle.advice), or there is no Chromium"))
    func browserShowsPagesOnAnyScreenAndWithoutScripts() throws {
        // Broken: a page is wider than a phone's screen, requests another file, reports an error, or is empty without
        // scripts.
        let workspace = try TestWorkspace()
        #expect(workspace.run("guide --out @site -q").code == .ok)
        let names = [
            "index", "search", "guides/scenario", "guides/symptoms", "guides/how-many-replicas",
            "settings/phone.platform",
            "profiles/lte-verizon-2021", "strategies/grpc-java", "verbs/run", "metrics/zombie.max", "errors/E0104",
            "scenarios/articles/day-in-the-life", "links/index",
        ]
        let pages = names.flatMap { name in
            [[1280, false, true], [390, true, false]].map { (looks: [Any]) -> [String: Any] in
                ["file": workspace.file("site/\(name).html"), "width": looks[0], "dark": looks[1], "scripts": looks[2]]
            }
        }
        let answer = try Oracle.run(
            script: "browser.py", input: JSONSerialization.data(withJSONObject: ["pages": pages]))
        let checks = try JSONDecoder().decode([GuidePageCheck].self, from: Data(answer.utf8))
        try #require(checks.count == pages.count)
        for (index, check) in checks.enumerated() {
            let name = names[index / 2]
            #expect(check.requests == [] && check.errors.isEmpty && check.images == 0 && check.inline == 0, "\(name)")
            #expect(check.overflow <= 0 && check.skips == 0 && check.nameless == 0, "\(name), \(index % 2)")
            #expect(check.text > 500 && check.paper != checks[index ^ 1].paper, "\(name)")
        }
    }

    @Test(arguments: [
        ("gates", "Gates without false alarms"), ("zombie", "Reading a zombie"), ("E0104", "E0104"),
        ("battery.joules", "battery.joules"), ("keepalive", "keepalive"), ("elevator", "Elevator to the subway"),
        ("run", "deadzone run"), ("LTE-Verizon-2021", "lte-verizon-2021"), ("dead-zone", "dead-zone"),
    ])
    func pageIsFoundByAnyOfItsNames(_ word: String, _ title: String) throws {
        // Broken: a name that the program itself uses finds no page, or another one.
        let outcome = try TestWorkspace().run("guide \(word)")
        #expect(outcome.code == .ok)
        #expect(outcome.output.hasPrefix(title + "\n"), "\(outcome.output.prefix(200))")
    }

    @Test func unknownPageIsSuggestedNotShown() throws {
        // Broken: a typing error shows another page, or is refused without a suggestion.
        let workspace = try TestWorkspace()
        let wrong = workspace.run("guide zombi.max")
        #expect(wrong.code == .usage && wrong.errors.contains("did you mean `zombie.max`?"))
        let list = workspace.run("guide").output
        #expect(list.contains("Guides\n") && list.contains("gates") && list.contains("metrics"))
        #expect(workspace.run("guide metrics").output.contains("metrics/zombie.max"))
        let many = workspace.run("guide handshakes")
        #expect(many.code == .ok && many.output.contains("`deadzone guide NAME` shows one of them."))
    }

    @Test(arguments: [40, 60, 80])
    func fitsTheTerminal(_ width: Int) throws {
        // Broken: pages wrap in the middle of words.
        let workspace = try TestWorkspace()
        for word in ["gates", "reading-a-zombie", "zombie.max", "grpc-java", "run", "android-15", ""] {
            let text = workspace.run("guide \(word)") {
                $0.outputTerminal = Terminal(isInteractive: true, width: width, colors: false)
            }.output
            // Code is copied unchanged, and a long name is not broken.
            let long = text.split(separator: "\n").filter { line in
                !line.hasPrefix("    ") && line.unicodeScalars.count > width
                    && line.split(separator: " ").allSatisfy { $0.count < 20 }
            }
            #expect(long == [], "\(word)")
            #expect(text.count > 100)
        }
    }
}

/// Resolves the target of a link relative to its page.
private func resolved(_ target: String, from page: String) -> String {
    var parts = page.split(separator: "/").dropLast().map(String.init)
    for part in target.split(separator: "/").map(String.init) {
        if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
}

/// Ids and targets in the tags of a page. One pass finds them, because the site has about eight megabytes.
private struct HTMLTags {
    var ids: [String] = []
    var targets: [String] = []
    var sources: [String] = []
    let hasScript: Bool

    init(_ text: String) {
        hasScript = text.range(of: "<script") != nil
        let parts = text.components(separatedBy: "\"")
        for (before, value) in zip(parts, parts.dropFirst()) {
            if before.hasSuffix(" id=") { ids.append(value) }
            if before.hasSuffix(" href=") { targets.append(value.replacingOccurrences(of: "&amp;", with: "&")) }
            if before.hasSuffix(" src=") { sources.append(value) }
        }
    }
}
