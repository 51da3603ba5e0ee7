import DeadzoneBase
import Testing

private struct Client: Equatable {
    var ping: TimeSpan
    var tries: Int64
    var base: TimeSpan
    var mode: Int

    init(_ settings: inout SettingsReader) {
        ping = settings.span("ping", default: .seconds(45), in: .seconds(1) ... .hours(1), "from one ping to the next")
        tries = settings.count("tries", default: 3, "attempts in a row")
        base = settings.group("backoff", "the wait") { $0.span("base", default: .milliseconds(500), "the first wait") }
        mode = settings.word("mode", of: [("calm", 1), ("wild", 2)], default: 1, "how it behaves")
    }
}

private func map(_ entries: [(String, Node)]) -> Node {
    .map(
        entries.enumerated().map { index, entry in
            Node.MapEntry(key: entry.0, keyMark: SourceMark(line: index + 1, column: 1), value: entry.1)
        })
}

private func text(_ text: String, _ line: Int, _ column: Int) -> Node {
    Node(.scalar(text, quoted: false), at: SourceMark(line: line, column: column), width: text.utf8.count)
}

@Test(arguments: [1, 194, 195, 196, 300])
func aLongValueIsShortened(_ count: Int) {
    // Broken: a message shows more or less of a long value than 200 characters, or shortens one that fits.
    let value = String(repeating: "a", count: count)
    let written = SettingsReader(map([("x", text(value, 1, 1))]), of: "client").written
    let whole = "{x: \(value)}"
    #expect(written == (whole.count <= 200 ? whole : whole.prefix(200) + "…"))
}

@Test func readingContinuesWithDefaultsAndReportsEverything() {
    // Broken if the first fault hides the others, or a faulty setting has another value than its default.
    var settings = SettingsReader(
        map([
            ("ping", text("2h", 1, 7)), ("tires", text("5", 2, 8)),
            ("backoff", map([("base", text("1", 3, 18)), ("cap", text("1s", 3, 25))])),
            ("mode", text("clam", 4, 7)), ("x-own", .list([])),
        ]), of: "client")
    let client = Client(&settings)
    settings.finish()
    #expect(client == Client(&settings))
    #expect((client.ping, client.tries, client.base, client.mode) == (.seconds(45), 3, .milliseconds(500), 1))
    let found = settings.faults.sorted.map { "\($0.code.rawValue) \($0.label)" }
    #expect(
        Set(found) == [
            "E0108 must be from 1s to 1h", "E0104 did you mean `tries`?", "E0105 write 1s", "E0104 not known here",
            "E0110 did you mean `calm`?",
        ])
    #expect(found.count == 5)
}

@Test func theSameCallsDescribeWhatTheyRead() {
    // Broken if help or schema could differ from the settings that are read.
    var settings = SettingsReader.describing("client")
    _ = Client(&settings)
    let rows = settings.shape.rows.map { "\($0.depth) \($0.path): \($0.takes); \($0.help)" }
    #expect(
        rows == [
            "0 ping: like 45s, default 45s; from one ping to the next",
            "0 tries: a number, default 3; attempts in a row", "0 backoff: ; the wait",
            "1 backoff.base: like 45s, default 500ms; the first wait",
            "0 mode: calm|wild, default calm; how it behaves",
        ])
    #expect(settings.faults.isEmpty)
}

@Test func theCanonicalTextHoldsEverySettingInOrder() {
    // Broken if two spellings of the same settings have two canonical texts.
    var sparse = SettingsReader(map([("tries", text("3", 1, 8))]), of: "client")
    var full = SettingsReader(
        map([
            ("mode", text("calm", 1, 1)), ("ping", text("45000ms", 2, 1)),
            ("backoff", map([("base", text("0.5s", 3, 1))])),
        ]), of: "client")
    #expect(Client(&sparse) == Client(&full))
    #expect(blockText(sparse.resolved) == "backoff:\n  base: 500ms\nmode: calm\nping: 45s\ntries: 3\n")
    #expect(sparse.resolved == full.resolved)
}

@Test func aMillionFaultsAreCountedAndFewAreKept() {
    // Broken if a hostile file could fill the memory with faults.
    var faults = Faults()
    for line in 1...1_000_000 { faults.note(Fault(.syntax, at: SourceMark(line: line, column: 1), "no")) }
    #expect(faults.count == 1_000_000)
    #expect(faults.sorted.count == Faults.maxShown)
    #expect(faults.hiddenCount == 1_000_000 - Faults.maxShown)
}

@Test func everyCodeIsExplainedOnce() {
    // Broken if `explain E0104` has no text, or two faults share a code.
    #expect(Set(FaultCode.allCases.map(\.rawValue)).count == FaultCode.allCases.count)
    for code in FaultCode.allCases {
        #expect(code.rawValue.count == 5 && code.rawValue.hasPrefix("E0"))
        #expect(!code.title.isEmpty && !code.title.hasSuffix("."))
        #expect(code.explanation.hasSuffix("."), "\(code)")
    }
}

@Test func aQuotationIsShortAndHarmless() {
    // Broken if text from a user fills the screen, or moves the cursor.
    #expect(quote(String(repeating: "x", count: 10_000)).unicodeScalars.count == 203)
    #expect(quote("a\u{1B}[2J\u{202E}b\r\n") == "`a\\u{1b}[2J\\u{202e}b\\u{d}\\u{a}`")
}

@Test func aLongLineIsShownAroundItsFault() {
    // Broken if a file of one line prints a megabyte, or the caret is under another column.
    let line = String(repeating: "x", count: 500_000) + "HERE" + String(repeating: "y", count: 500_000)
    let fault = Fault(.syntax, at: SourceMark(line: 1, column: 500_001), width: 4, "no")
    let shown = faultText(fault, files: [SourceText(name: "a.yaml", bytes: Array(line.utf8))]).split(separator: "\n")
    let before = shown[4].prefix { $0 != "^" }.count
    #expect(shown[3].utf8.count < 200)
    #expect(shown[3].dropFirst(before).hasPrefix("HERE"))
    #expect(shown[4].hasSuffix("^^^^"))
}

@Test func presetsAreReadOnlyWhenNamed() {
    // Broken if every preset is read for a word that is not a preset, or a preset's name is not recognised.
    var asked = 0
    func meaning(of word: String) -> Int? {
        let calm = SettingVariant(
            "calm", "waits",
            presets: {
                asked += 1; return [Shape.Keyword(name: "asleep", about: "")]
            }
        ) {
            $0.count("tries", default: 3)
        }
        var settings = SettingsReader(map([("mode", text(word, 1, 7))]), of: "client")
        return settings.variant("mode", of: [calm], noun: "mode").map { Int($0.value) }
    }
    #expect(meaning(of: "calm") == 3 && asked == 0)
    #expect(meaning(of: "asleep") == 3 && asked == 1)
    #expect(meaning(of: "wild") == nil)
}
