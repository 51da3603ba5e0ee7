import DeadzoneHost
import DeadzoneRuns
import DeadzoneShipped
import DeadzoneTestKit
import Foundation
import Testing

@testable import DeadzoneCommand
@testable import DeadzoneGuide

/// The manual: nothing that has a name is without a page, and every link leads somewhere.
struct GuideTests {
    private static let guide = Guide.standard(.memory())

    @Test func everythingThatHasANameHasAPage() throws {
        // Broken: a table has a row of which the guide knows nothing, or a page says nothing.
        let guide = Self.guide
        for topic in [Topic.metrics, .errors, .strategies, .profiles, .platforms, .links, .middleboxes, .guides] {
            for entry in try Handbook.entries(topic, .memory()) {
                let page = guide.page(at: "\(topic.rawValue)/\(entry.name)")
                #expect(page?.blocks.isEmpty == false, "\(topic) \(entry.name)")
            }
        }
        for verb in CommandTable.standard.verbs { #expect(guide.page(at: "verbs/\(verb.name)") != nil) }
        for setting in try Handbook.entries(.settings, .memory()) {
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
        // Broken: a scenario that lies in the folder is missing from shipped.c, and so from the guide.
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

    @Test func theSiteHoldsTogether() throws {
        // Broken: a page of the site leads to a file that is not written, has two things of one id, asks another host for something,
        // or all of it weighs more than a reader waits for.
        let files = Site(Self.guide, version: toolVersion).files
        let paths = Set(files.map(\.path))
        #expect(paths.count == files.count && paths.contains("index.html") && paths.contains("search.html"))
        let tags = Dictionary(uniqueKeysWithValues: files.map { ($0.path, Tags($0.text)) })
        #expect(files.reduce(0) { $0 + $1.text.utf8.count } < 10 << 20)
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

    @Test func isWrittenToAFolderAndTheSameAgain() throws {
        // Broken: `--out` writes half of it, or other bytes each time.
        let shop = try Workshop()
        #expect(shop.run("guide --out @site").code == .ok)
        #expect(try shop.text("site/index.html").contains("guides/gates.html"))
        let first = try shop.data("site/search.html")
        #expect(shop.run("guide --out @again -q").code == .ok)
        #expect(try shop.data("again/search.html") == first)
        #expect(shop.exists("site/scenarios/handoff/elevator.html") && shop.exists("site/metrics/zombie.max.html"))
        #expect(shop.run("guide gates --out @third").code == .usage)
    }

    private struct Sight: Decodable {
        struct Trouble: Decodable {}
        let overflow, skips, nameless, text, images, inline: Int
        let paper: String
        let requests: [String]
        let errors: [Trouble]
    }

    @Test(.enabled(if: Oracle.isWanted && Browser.isWanted, "\(Oracle.advice), or there is no Chromium"))
    func aBrowserReadsItOnAnyScreenAndWithoutScripts() throws {
        // Broken: a page is wider than a phone, asks for another file, complains, or has nothing to say without scripts.
        let shop = try Workshop()
        #expect(shop.run("guide --out @site -q").code == .ok)
        let names = [
            "index", "search", "guides/scenario", "guides/symptoms", "guides/how-many-replicas",
            "settings/phone.platform",
            "profiles/lte-verizon-2021", "strategies/grpc-java", "verbs/run", "metrics/zombie.max", "errors/E0104",
            "scenarios/articles/day-in-the-life", "links/index",
        ]
        let pages = names.flatMap { name in
            [[1280, false, true], [390, true, false]].map { (looks: [Any]) -> [String: Any] in
                ["file": shop.file("site/\(name).html"), "width": looks[0], "dark": looks[1], "scripts": looks[2]]
            }
        }
        let answer = try Oracle.run(
            script: "browser.py", input: JSONSerialization.data(withJSONObject: ["pages": pages]))
        let sights = try JSONDecoder().decode([Sight].self, from: Data(answer.utf8))
        try #require(sights.count == pages.count)
        for (index, sight) in sights.enumerated() {
            let name = names[index / 2]
            #expect(sight.requests == [] && sight.errors.isEmpty && sight.images == 0 && sight.inline == 0, "\(name)")
            #expect(sight.overflow <= 0 && sight.skips == 0 && sight.nameless == 0, "\(name), \(index % 2)")
            #expect(sight.text > 500 && sight.paper != sights[index ^ 1].paper, "\(name)")
        }
    }

    @Test(arguments: [
        ("gates", "Gates that do not cry wolf"), ("zombie", "Reading a zombie"), ("E0104", "E0104"),
        ("battery.joules", "battery.joules"), ("keepalive", "keepalive"), ("elevator", "Elevator to the subway"),
        ("run", "deadzone run"), ("LTE-Verizon-2021", "lte-verizon-2021"), ("dead-zone", "dead-zone"),
    ])
    func aPageIsFoundByWhateverItIsCalled(_ word: String, _ title: String) throws {
        // Broken: a name that the program uses itself finds nothing, or something else.
        let outcome = try Workshop().run("guide \(word)")
        #expect(outcome.code == .ok)
        #expect(outcome.output.hasPrefix(title + "\n"), "\(outcome.output.prefix(200))")
    }

    @Test func whatIsNotThereIsSuggestedNeverShown() throws {
        // Broken: a typing error shows another page, or ends without a way on.
        let shop = try Workshop()
        let wrong = shop.run("guide zombi.max")
        #expect(wrong.code == .usage && wrong.errors.contains("did you mean `zombie.max`?"))
        let list = shop.run("guide").output
        #expect(list.contains("Guides\n") && list.contains("gates") && list.contains("metrics"))
        #expect(shop.run("guide metrics").output.contains("metrics/zombie.max"))
        let many = shop.run("guide handshake")
        #expect(many.code == .ok && many.output.contains("`deadzone guide NAME` shows one of them."))
    }

    @Test(arguments: [40, 60, 80])
    func fitsTheTerminal(_ width: Int) throws {
        // Broken: pages wrap in the middle of words.
        let shop = try Workshop()
        for word in ["gates", "reading-a-zombie", "zombie.max", "grpc-java", "run", "android-15", ""] {
            let text = shop.run("guide \(word)") {
                $0.outputTerminal = Terminal(isInteractive: true, width: width, colors: false)
            }.output
            // Code is copied as it stands, and a long name is not broken.
            let long = text.split(separator: "\n").filter { line in
                !line.hasPrefix("    ") && line.unicodeScalars.count > width
                    && line.split(separator: " ").allSatisfy { $0.count < 20 }
            }
            #expect(long == [], "\(word)")
            #expect(text.count > 100)
        }
    }
}

/// From a page to what its link names.
private func resolved(_ target: String, from page: String) -> String {
    var parts = page.split(separator: "/").dropLast().map(String.init)
    for part in target.split(separator: "/").map(String.init) {
        if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
}

/// What the tags of a page say, found in one pass: there are some eight megabytes of them.
private struct Tags {
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
