import DeadzoneBase
import DeadzoneScenarios
import Testing

private func read(_ text: String) -> String {
    let composition = compose(Array(text.utf8))
    if let fault = composition.faults.sorted.first {
        return faultText(fault, files: [SourceText(name: "a.yaml", bytes: Array(text.utf8))])
    }
    return composition.node.map(flowText) ?? "nothing"
}

@Test(arguments: [
    ("a: 1\nb: two words\n", #"{a: 1, b: "two words"}"#),
    ("\u{FEFF}a: 1\nb: 2\n", "{a: 1, b: 2}"),
    ("a: 1\r\nb:\r\n  - x\r\n  - y\r\n", "{a: 1, b: [x, y]}"),
    ("a: 1\rb: 2\r", "{a: 1, b: 2}"),
    ("---\na: 1\n...\n", "{a: 1}"),
    ("%YAML 1.1\n---\na: 1\n", "{a: 1}"),
    ("a: &x {b: 1}\nc: *x\n", "{a: {b: 1}, c: {b: 1}}"),
    ("a: &x {b: 1, c: 2}\nd: {<<: *x, c: 3}\n", "{a: {b: 1, c: 2}, d: {b: 1, c: 3}}"),
    (
        "a: &x {b: 1}\ny: &y {b: 2, c: 3}\nd: {<<: [*x, *y], e: 4}\n",
        "{a: {b: 1}, y: {b: 2, c: 3}, d: {b: 1, c: 3, e: 4}}"
    ),
    ("a: !!str 1\n", #"{a: "1"}"#),
    ("'<<': 1\n", #"{"<<": 1}"#),
    ("a: |\n  x\n  y\n", #"{a: "x\ny\n"}"#),
    ("a: >\n  x\n  y\n", #"{a: "x y\n"}"#),
    ("a: \"\\0\\u263A\"\n", "{a: \"\\u0000☺\"}"),
    ("a:\tb\n", "{a: b}"),
    ("a: < 15s\n", #"{a: "< 15s"}"#),
    ("*x : 1\n", "unknown"),
])
func validTextIsReadCorrectly(_ text: String, _ expected: String) {
    // Broken if a byte order mark, CR LF, anchors or merge keys change the result.
    if expected == "unknown" {
        #expect(read(text).hasPrefix("error[E0008]"))
    } else {
        #expect(read(text) == expected)
    }
}

@Test func marksCountScalarsAndAllLineEndings() throws {
    // Broken if a carriage return or a wide character shifts the place of a fault. Swift treats CR LF as one character.
    for end in ["\n", "\r\n", "\r"] {
        let text = ["é: {x: 1,", "  ключ: [a,", "    \"e\u{301}\", b]}"].joined(separator: end) + end
        let node = try #require(compose(Array(text.utf8)).node)
        let key = try #require(node["é"]?.entries?.last)
        #expect(key.keyMark == SourceMark(line: 2, column: 3))
        #expect(
            key.value.items?.map(\.mark) == [(2, 10), (3, 5), (3, 11)].map { SourceMark(line: $0.0, column: $0.1) })
        #expect(key.value.items?.map(\.width) == [1, 4, 1])
    }
}

@Test func maximumSizeFilesAreReadInLinearTime() {
    // Broken if a file within the size limit takes more than linear time. Each of these files fills the megabyte.
    let size = (1 << 20) - 100
    func filled(_ unit: String, _ open: String = "", _ close: String = "") -> String {
        open + String(repeating: unit, count: size / unit.utf8.count) + close
    }
    var accepted = 0
    for text in [
        filled("a,", "[", "]"), filled("{},", "[", "]"), filled("- a\n"), filled("[],", "[", "]"), filled("x", "a: "),
        filled("# c\n", "", "a: 1\n"), filled("é", "a: \"", "\""), filled("\\n", "a: \"", "\""), filled("- {a: 1}\n"),
        filled("a: ", "{"), filled("!", "a: "), filled("&", "a: "), filled("'", "a: "), filled("- - - a\n"),
        filled("a\n"),
        filled("? a\n"), filled(":\n"), filled("|\n"), filled("- |\n x\n"), filled("\t", "a:"), filled("[a]: ", "{"),
        filled("\"a\"\n"), filled("- &a b\n"), filled("%a\n"), filled("? "), filled("-\n"), filled(" ", "a: 1\n"),
    ] {
        if compose(Array(text.utf8)).faults.isEmpty { accepted += 1 }
    }
    #expect(accepted > 8)
    let keys = (0..<60_000).map { "key\($0): \($0)\n" }.joined()
    #expect(compose(Array(keys.utf8)).node?.entries?.count == 60_000)
}

@Test func truncatedOrChangedFilesNeitherTrapNorHang() {
    // Broken if a prefix of a valid file, or a single replaced byte, makes the loader trap or hang.
    let text = "a: &x {b: \"q\\u263A\", c: [1, 'two', 3]}\r\nd: {<<: *x, é: |\n}\n  fold\n#c\n- > \n"
    let bytes = Array(text.utf8)
    var refused = 0
    for end in 0..<bytes.count { if !compose(Array(bytes[..<end])).faults.isEmpty { refused += 1 } }
    for place in 0..<bytes.count {
        for byte in [0, 9, 10, 13, 34, 35, 38, 39, 42, 44, 45, 58, 62, 63, 91, 93, 123, 125, 128, 194, 255] as [UInt8] {
            var changed = bytes
            changed[place] = byte
            if !compose(changed).faults.isEmpty { refused += 1 }
        }
    }
    #expect(refused > 0)
}
