import Testing
@testable import DeadzoneBase

private func map(_ entries: [(String, Node)]) -> Node { .map(entries.map { Node.MapEntry(key: $0.0, value: $0.1) }) }

struct SectionTests {
    @Test(arguments: [(0, false), (1, true), (2, true), (3, false)])
    func aListHasABoundedCount(_ count: Int, _ isTaken: Bool) {
        // Broken: more entries are read than the maximum.
        var settings = SettingsReader(
            map([("spans", .list((0..<count).map { .text("\($0)s") }))]), of: "client")
        let spans = settings.list("spans", of: ValueFormat.span(), counts: 1...2, "spans")
        settings.finish()
        #expect((spans?.count == count) == isTaken && settings.faults.isEmpty == isTaken)
    }

    @Test func aSectionIsReadLikeTheWhole() {
        // Broken: a typo in a section is ignored, or the default of an omitted setting is missing in the resolved
        // text.
        var settings = SettingsReader(
            map([("part", map([("known", .text("90s")), ("knwon", .text("1s"))]))]), of: "client")
        let span = settings.section("part", "a part") { part in
            (part.span("known", default: .seconds(1), ""), part.span("other", default: .seconds(7), ""))
        }
        settings.finish()
        #expect(span?.0 == .seconds(90) && span?.1 == .seconds(7))
        #expect(settings.faults.sorted.map(\.label) == ["did you mean `known`?"])
        #expect(blockText(settings.resolved) == "part:\n  known: 90s\n  other: 7s\n")
    }

    @Test func aSettingIsResolvedOnce() {
        // Broken: a setting appears twice in the resolved text, so the run cannot be repeated from it.
        var settings = SettingsReader(map([]), of: "client")
        settings.resolve("span", to: .text("1s"))
        settings.resolve("span", to: .text("2s"))
        #expect(blockText(settings.resolved) == "span: 2s\n")
    }

    @Test(arguments: [("10s", true), ("1s", true), ("0s", false), ("11s", false)])
    func bothBoundsAreAllowed(_ text: String, _ isTaken: Bool) {
        var settings = SettingsReader(map([("span", .text(text))]), of: "client")
        _ = settings.span("span", in: .seconds(1) ... .seconds(10), "")
        #expect(settings.faults.isEmpty == isTaken)
    }

    @Test func linesEndAsTheirFilesEndThem() {
        // Broken: a fault is shown beside another line than its own.
        let source = SourceText(name: "x", bytes: [0xEF, 0xBB, 0xBF] + Array("a\r\nb\rc\n\nd".utf8))
        #expect((0...6).map(source.line) == [nil, "a", "b", "c", "", "d", nil])
    }

    @Test(arguments: ["-5", ".5", "%x", "", "a b", "a:", "yes"])
    func aTextThatIsReadAsSomethingElseIsQuoted(_ text: String) {
        #expect(flowText(.text(text)) == (text == "yes" ? "yes" : "\"\(text)\""))
    }

    @Test(arguments: [
        (10, 1, "1"), (105, 2, "1.05"), (-50, 2, "-0.5"), (1_500, 3, "1.5"), (0, 3, "0"), (7, 3, "0.007"),
    ])
    func aDecimalHasNoZerosBehindIt(_ coefficient: Int128, _ places: Int, _ text: String) {
        // Broken: one number has two texts, so the same run has two names.
        #expect(decimalText(coefficient, places: places) == text)
    }

    @Test func onlySpansHaveParts() {
        // Broken: `1W 5mW` is read as a value.
        #expect(
            QuantityKind.span.value(of: "1h 5m") == 3_900_000_000_000 && QuantityKind.span.value(of: "5m 1h") == nil)
        #expect(QuantityKind.power.value(of: "5mW") == 5_000 && QuantityKind.power.value(of: "1W 5mW") == nil)
    }

    @Test(
        arguments: [
            ("0", nil), ("7", nil), ("07", .octal), ("-07", .octal), ("010", .octal), ("0x1", .octal),
            ("1:30", .sexagesimal),
        ] as [(String, NumberError?)])
    func numbersWithTwoReadingsAreTraps(_ text: String, _ trouble: NumberError?) {
        #expect(NumberError.pitfall(text) == trouble)
    }
}
