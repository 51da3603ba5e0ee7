import DeadzonePrimitives
import Testing

@testable import DeadzoneSettings

private func map(_ entries: [(String, Node)]) -> Node { .map(entries.map { Node.Entry(key: $0.0, value: $0.1) }) }

struct PartsTests {
    @Test(arguments: [(0, false), (1, true), (2, true), (3, false)])
    func aListHasAsManyAsItMay(_ count: Int, _ isTaken: Bool) {
        // Broken: one entry more than there is room for is read.
        var settings = SettingsReader(
            map([("spans", .list((0..<count).map { .text("\($0)s") }))]), of: "client")
        let spans = settings.list("spans", of: Form.span(), counts: 1...2, "spans")
        settings.finish()
        #expect((spans?.count == count) == isTaken && settings.faults.isEmpty == isTaken)
    }

    @Test func aPartIsReadLikeTheWhole() {
        // Broken: a typo in a part is passed over, or what it was left out for is not in the text of a run.
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

    @Test func whatIsResolvedAnewIsThereOnce() {
        // Broken: a setting stands twice in the text of a run, and the run cannot be repeated from it.
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
        // Broken: a fault is shown beside another line than the one that it is in.
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
        // Broken: one number has two texts, and two runs of it two names.
        #expect(decimalText(coefficient, places: places) == text)
    }

    @Test func onlySpansHaveParts() {
        // Broken: `1W 5mW` is read as something.
        #expect(Measure.span.value(of: "1h 5m") == 3_900_000_000_000 && Measure.span.value(of: "5m 1h") == nil)
        #expect(Measure.power.value(of: "5mW") == 5_000 && Measure.power.value(of: "1W 5mW") == nil)
    }

    @Test(
        arguments: [
            ("0", nil), ("7", nil), ("07", .octal), ("-07", .octal), ("010", .octal), ("0x1", .octal),
            ("1:30", .sexagesimal),
        ] as [(String, NumberTrouble?)])
    func numbersThatOtherReadersReadOtherwiseAreTraps(_ text: String, _ trouble: NumberTrouble?) {
        #expect(NumberTrouble.trap(text) == trouble)
    }
}
