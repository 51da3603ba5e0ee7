import Testing

/// Checks the map of the modules and the page of each module against the code.
struct MapTests {
    private static let path = "Sources/README.md"

    @Test func theDiagramHasEveryModuleAndNoArrowPointsUp() {
        // Broken: a module is missing from the diagram, or uses a module beside it or above it.
        #expect(Map(Page.text(Self.path)).faults(against: Manifest.own.modules) == [])
    }

    @Test func canFail() {
        // Broken: the diagram or the table is not parsed, so that any content passes.
        let modules: [Manifest.Entry] = [
            .init(name: "A", folder: "Sources/A", uses: []),
            .init(name: "B", folder: "Sources/B", uses: ["A"], parts: ["P"]),
        ]
        func faults(_ drawing: String, _ table: String) -> [String] {
            let rows = "| module | uses |\n|---|---|\n" + table
            return Map("```\n" + drawing + "```\n\n" + rows).faults(against: modules)
        }
        let drawing = " up │ B │\n down │ A │\n"
        let table = "| A | |\n| [B](B/README.md) | A |\n| · [P](B/P/README.md) | |\n"
        #expect(faults(drawing, table) == [])
        for (drawing, table) in [
            (" │ B A │\n", table), (" │ A │\n │ B │\n", table), (" │ A │\n", table), (drawing + " │ C │\n", table),
            (drawing, "| A | |\n| · P | |\n"), (drawing, "| A | |\n| B | |\n| · P | |\n"),
            (drawing, table + "| C | |\n"),
            (drawing, "| A | |\n| B | A |\n"), (drawing, table + "| · C | |\n"),
        ] {
            #expect(faults(drawing, table).count == 1, "\(drawing)\(table)")
        }
    }

    @Test func everyLargeModuleHasAPage() {
        // Broken: a large module has no page about its guarantees and entry points, or the map does not link to a page.
        let map = Page.text(Self.path)
        let modules = Checkout.swift.filter { $0.path.hasPrefix("Sources/") }
        for (folder, files) in Dictionary(grouping: modules, by: \.partFolder) {
            let lines = files.reduce(0) { $0 + $1.text.utf8.count { $0 == UInt8(ascii: "\n") } }
            let page = folder + "/README.md"
            let hasPage = Checkout.files.contains { $0.path == page }
            #expect(hasPage || lines <= 1_000, "\(folder) has \(lines) lines and no page")
            let isLinked = map.contains("(\(page.dropFirst("Sources/".count)))")
            #expect(!hasPage || isLinked, "\(page) is not in the map")
        }
    }

    @Test(arguments: Checkout.files.map(\.path).filter { $0.contains(/^Sources\/.*README\.md$|^Sources\/\w+\.md$/) })
    func namesOnAPageExist(_ path: String) {
        // Broken: a page names a file or a type that was renamed, or that never existed.
        let page = Page(path)
        #expect(page.missing == [])
        #expect(!page.names.isEmpty, "no name was found on the page")
    }

    @Test(arguments: ["README.md", "CHANGING.md", "WALKS.md"])
    func everyPlaceDeclaresItsName(_ page: String) throws {
        // Broken: a row of the map, a recipe or a walk leads to a file from which the function or type has moved.
        #expect(try Self.misplaced(Page.text("Sources/" + page)) == [])
        let text = "`Map.faults` in `TidyTests/Map.swift`, `misplaced` in `Map.swift`, and `Map` in `Maps.swift`"
        #expect(try Self.misplaced(text) == ["misplaced in Map.swift", "Map in Maps.swift"])
    }

    /// The names that a page places in a file without their declaration.
    private static func misplaced(_ text: String) throws -> [String] {
        let places = text.matches(of: /`(?:\w+\.)*(\w+)` in\s+`([\w\/+]+\.swift)`/)
        #expect(places.count > 2)
        return try places.compactMap { place in
            let words = "func|var|let|case|struct|class|enum|protocol|extension"
            let declaration = try Regex("\\b(?:\(words)) (?:[\\w., ]*\\b)?\(place.1)\\b")
            let files = Checkout.swift.filter { $0.path.hasSuffix("/\(place.2)") }
            return files.contains { $0.text.contains(declaration) } ? nil : "\(place.1) in \(place.2)"
        }
    }

    @Test func aMissingNameIsDetected() {
        // Broken: any name on a page passes.
        let text =
            "`Map` and `Map.faults`, `MapTests.swift`, `Tests/TidyTests`\n```\n`Nobody`\n```\n`Napp`, `Map.falts`, `Nap.swift`, `Tests/Tity`"
        #expect(Page("Tests/TidyTests/README.md", text).missing == ["Napp", "Map.falts", "Nap.swift", "Tests/Tity"])
    }

    @Test func timerSlotsOfComposedMatchItsPage() throws {
        // Broken: a timer slot is used twice, or the table of facets lists another one.
        let code = try #require(Checkout.swift.first { $0.path == "Sources/Client/Strategies/Composed.swift" }).text
        let slots = code.matches(of: /static let (\w+)Slot = TimerSlot\((\d+)\)/).map { "\($0.2) \($0.1)" }
        #expect(Set(slots.map { $0.prefix { $0 != " " } }).count == slots.count && slots.count > 5)
        let page = Page.text("Sources/Client/Strategies/README.md")
        for slot in slots { #expect(page.contains(slot), "slot \(slot)") }
    }
}
