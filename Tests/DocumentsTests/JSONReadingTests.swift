import DeadzoneReports
import Testing

struct JSONReadingTests {
    @Test func readsWhatItWrites() throws {
        // Broken: a saved result is read back with other values.
        let value = JSON.object([
            "a": .array([.null, .bool(true), .integer(-7), .number(0.1), .number(1e300), .string("é\u{2028}\"\\\n🚇")]),
            "": .object([:]), "b": .array([]), "seed": .integer(Int128(UInt64.max)),
        ])
        #expect(try JSON(text: Array(value.text().utf8)) == value)
        #expect(try JSON(text: Array(value.text(.line).utf8)) == value)
        #expect(try JSON(text: Array("  \"\\ud83d\\ude87\\u00e9\\/\" ".utf8)) == .string("🚇é/"))
    }

    /// Inputs that a strict reader refuses, after Seriot's JSONTestSuite, "Parsing JSON is a Minefield".
    @Test(arguments: [
        "", " ", "{", "[", "[1,]", "{\"a\":1,}", "{a:1}", "01", "-", "1.", ".5", "1e", "+1", "0x1", "NaN", "Infinity",
        "'a'",
        "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"", "\"a", "\"\n\"", "tru", "nulll",
        "1 2",
        "[1 2]", "{\"a\" 1}", "{\"a\":1,\"a\":2}", "[1]]", "1e999", "\u{FEFF}1",
    ])
    func refusesInvalidJSON(_ text: String) {
        // Broken: a damaged result is accepted.
        #expect(throws: JSONFault.self) { try JSON(text: Array(text.utf8)) }
    }

    @Test func depthAndBytesAreBounded() {
        // Broken: a hostile file overflows the stack, or invalid UTF-8 is accepted.
        for depth in [JSON.maxDepth - 1, JSON.maxDepth, 100_000] {
            let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            let isRead = (try? JSON(text: Array(text.utf8))) != nil
            #expect(isRead == (depth <= JSON.maxDepth), "\(depth)")
        }
        #expect(throws: JSONFault.self) { try JSON(text: [0x22, 0xFF, 0x22]) }
    }
}
