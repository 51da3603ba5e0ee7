import DeadzoneBase
import DeadzoneScenarios
import Testing

/// Text that attacks the loader, with the code, line and column of the expected fault.
struct HostileText: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]
    var code: FaultCode
    var line: Int
    var column: Int

    var testDescription: String { name }

    init(_ name: String, _ text: String, _ code: FaultCode, _ line: Int, _ column: Int) {
        self.init(name, bytes: Array(text.utf8), code, line, column)
    }

    init(_ name: String, bytes: [UInt8], _ code: FaultCode, _ line: Int, _ column: Int) {
        self.name = name
        self.bytes = bytes
        self.code = code
        self.line = line
        self.column = column
    }

    static let all: [HostileText] = [
        .init("empty", "", .emptyFile, 1, 1),
        .init("only a comment", "# nothing\n", .emptyFile, 1, 1),
        .init("not a byte too many", String(repeating: "#", count: (1 << 20) - 1) + "\n", .emptyFile, 1, 1),
        .init("a byte too many", String(repeating: "#", count: 1 << 20) + "\n", .tooLarge, 0, 0),
        .init("UTF-16", bytes: [0xFF, 0xFE, 0x61, 0x00], .notUTF8, 1, 1),
        .init("Latin-1", bytes: Array("a: 1\nb: caf".utf8) + [0xE9, 0x0A], .notUTF8, 2, 7),
        .init("overlong slash", bytes: Array("a: ".utf8) + [0xC0, 0xAF], .notUTF8, 1, 4),
        .init("overlong slash of three", bytes: Array("a: ".utf8) + [0xE0, 0x80, 0xAF], .notUTF8, 1, 4),
        .init("overlong slash of four", bytes: Array("a: ".utf8) + [0xF0, 0x80, 0x80, 0xAF], .notUTF8, 1, 4),
        .init("half of a pair", bytes: Array("a: ".utf8) + [0xED, 0xA0, 0x80], .notUTF8, 1, 4),
        .init("above U+10FFFF", bytes: Array("a: ".utf8) + [0xF4, 0x90, 0x80, 0x80], .notUTF8, 1, 4),
        .init("cut inside a character", bytes: Array("a: ".utf8) + [0xE2, 0x82], .notUTF8, 1, 4),
        .init("a tail without a head", bytes: Array("é: ".utf8) + [0x80], .notUTF8, 1, 4),
        .init("NUL", "a: 1\r\nb: \u{0}\r\n", .controlCharacter, 2, 4),
        .init("escape", "a: \u{1B}[2J\n", .controlCharacter, 1, 4),
        .init("delete", "é: \u{7F}\n", .controlCharacter, 1, 4),
        .init("second byte order mark", "\u{FEFF}a: 1\n\u{FEFF}b: 2\n", .controlCharacter, 2, 1),
        .init("line separator", "a: x\u{2028}y\n", .lineSeparator, 1, 5),
        .init("next line", "a: x\u{85}y\n", .lineSeparator, 1, 5),
        .init("tab as indentation", "a:\n\tb: 1\n", .tab, 2, 1),
        .init("tab after CR LF", "a: 1\r\nb:\r\n  c: 1\r\n\td: 1\r\n", .tab, 4, 1),
        .init("open quote", "a: \"never\nclosed\n", .syntax, 3, 1),
        .init("open bracket", "a: [1, 2\nb: 3\n", .syntax, 2, 2),
        .init("closing only", "a: ]\n", .syntax, 1, 4),
        .init("colon inside", "a: b: c\n", .syntax, 1, 5),
        .init("bad indentation", "a:\n  b: 1\n c: 2\n", .syntax, 3, 2),
        .init("percent", "a: %2\n", .syntax, 1, 4),
        .init("unquoted more", "a: > 2m\n", .unquotedSymbol, 1, 4),
        .init("unquoted more in a flow map", "{a: > 2m}\n", .unquotedSymbol, 1, 5),
        .init("unquoted at least", "a:\n  b: >= 3\n", .unquotedSymbol, 2, 6),
        .init("half of a pair escaped", "a: \"\\uD800\"\n", .syntax, 1, 7),
        .init("key twice", "a: 1\nb: 2\na: 3\n", .duplicateKey, 3, 1),
        .init("key twice in a flow map", "x: {a: 1, b: 2, a: 3}\n", .duplicateKey, 1, 17),
        .init("key twice quoted", "a: 1\n'a': 3\n", .duplicateKey, 2, 1),
        .init("composed and decomposed", "caf\u{E9}: 1\ncafe\u{301}: 2\n", .duplicateKey, 2, 1),
        .init("list as a key", "? [a, b]\n: 1\n", .keyNotText, 1, 3),
        .init("map as a key", "{a: 1}: 2\n", .keyNotText, 1, 1),
        .init("no anchor", "a: *nobody\n", .unknownAlias, 1, 4),
        .init("anchor below", "a: *b\nb: &b 1\n", .unknownAlias, 1, 4),
        .init("alias in itself", "a: &a [1, *a]\n", .unknownAlias, 1, 11),
        .init("merge of a word", "a: {<<: b}\n", .mergeKey, 1, 9),
        .init("merge of a list of words", "a:\n  <<: [1]\n", .mergeKey, 2, 8),
        .init("tag", "a: !!python/object 1\n", .tag, 1, 4),
        .init("own tag", "a: !secret x\n", .tag, 1, 4),
        .init("number tag", "a: !!int 3\n", .tag, 1, 4),
        .init("two documents", "a: 1\n---\nb: 2\n", .severalDocuments, 2, 1),
        .init("directive", "%YAML 3.0\n---\na: 1\n", .syntax, 1, 1),
        .init("100,000 open brackets", String(repeating: "[", count: 100_000), .tooDeep, 1, 65),
        .init("100,000 brackets on lines", String(repeating: "[\n", count: 100_000), .tooDeep, 65, 1),
        .init("50,000 flow maps", String(repeating: "{a: ", count: 50_000), .tooDeep, 1, 257),
        .init("50,000 bare flow maps", String(repeating: "{", count: 50_000), .tooDeep, 1, 65),
        .init("100,000 dashes", String(repeating: "- ", count: 100_000), .tooDeep, 1, 129),
        .init("100,000 question marks", String(repeating: "? ", count: 100_000), .tooDeep, 1, 129),
        .init("aliases of aliases", bomb(levels: 9), .tooManyAliases, 6, 10),
        .init(
            "one long alias often",
            "a: &a \"" + String(repeating: "x", count: 5_000) + "\"\nb: [" + String(repeating: "*a,", count: 1_000)
                + "]\n", .tooManyAliases, 2, 2519),
        .init("aliases that nest", nested(levels: 70), .tooDeep, 64, 12),
    ]

    /// Nine aliases of the previous line on each line: a billion values in three hundred bytes.
    private static func bomb(levels: Int) -> String {
        var text = "l0: &l0 [x, x, x, x, x, x, x, x, x]\n"
        for level in 1...levels {
            text +=
                "l\(level): &l\(level) [" + Array(repeating: "*l\(level - 1)", count: 9).joined(separator: ", ") + "]\n"
        }
        return text
    }

    /// Each line nests the previous line once more.
    private static func nested(levels: Int) -> String {
        var text = "l10: &l10 []\n"
        for level in 11...(10 + levels) { text += "l\(level): &l\(level) [*l\(level - 1)]\n" }
        return text
    }
}

@Test(arguments: HostileText.all)
func hostileTextIsRejectedAtItsPlace(_ hostile: HostileText) throws {
    // Broken if text that attacks the loader is accepted, hangs, traps, or is rejected at the wrong place.
    let faults = compose(hostile.bytes).faults.sorted
    let first = try #require(faults.first, "\(hostile.name) was accepted")
    #expect(
        "\(first.code) \(first.mark.line):\(first.mark.column)" == "\(hostile.code) \(hostile.line):\(hostile.column)")
    #expect(first.message.utf8.count < 1_000)
    #expect(!faultText(first, files: [SourceText(name: "a.yaml", bytes: hostile.bytes)]).isEmpty)
}
