import Testing

/// Limits of file and function lengths. Longer ones are listed in a table, and their numbers may only shrink.
struct LengthTests {
    static let fileLimit = 400
    static let functionLimit = 60

    /// Current number of lines, by path.
    static let longFiles: [String: Int] = [:]
    /// Current number of lines, by path and function.
    static let longFunctions: [String: Int] = [
        // A table with a row for each fault code.
        "Sources/Base/Settings/FaultCode+Explanation.swift row": 167
    ]

    @Test func filesAreShort() {
        // Broken: a file outgrew its limit or its row; or it shrank, and its row must follow.
        let long = Checkout.swift.map { ($0.path, lineCount($0.text)) }.filter { $0.1 > Self.fileLimit }
        expectRatchet(long, Self.longFiles)
    }

    @Test func functionsAreShort() {
        // Broken: a function outgrew its limit or its row; or it shrank, and its row must follow.
        let long = Checkout.swift.flatMap { file in
            functionLengths(file.code).filter { $0.lines > Self.functionLimit }.map {
                ("\(file.path) \($0.name)", $0.lines)
            }
        }
        expectRatchet(long, Self.longFunctions)
    }

    @Test func lengthsAreCountedRight() {
        // Broken: the ratchet counts wrongly and anything passes.
        let code = """
            protocol P {
                func required(_ x: Int) -> Int
                var x: Int { get }
            }
            struct S {
                func short() { f() }
                func long<T>(
                    _ x: T
                ) -> Int
                where T: P {
                    let g = { x }
                    if x {
                    }
                }
                init(_ x: Int) {
                    self.init()
                }
                var computed: Int {
                    1
                }
                static func < (a: S, b: S) -> Bool { true }
            }
            """
        let lengths = functionLengths(code).map { "\($0.name) \($0.lines) \($0.line)" }
        #expect(lengths == ["short 1 6", "long 8 7", "init 3 15", "computed 3 18", "< 1 21"])
        #expect(ratchetFaults([("a", 70), ("b", 70)], ["a": 80, "c": 90]).count == 3)
        #expect(ratchetFaults([("a", 70)], ["a": 70]) == [])
        #expect(ratchetFaults([("a", 71)], ["a": 70]).count == 1)
    }

    private func expectRatchet(_ found: [(String, Int)], _ table: [String: Int]) {
        let faults = ratchetFaults(found, table)
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
    }

    private func ratchetFaults(_ found: [(name: String, lines: Int)], _ table: [String: Int]) -> [String] {
        let grown = found.compactMap { item -> String? in
            guard let allowed = table[item.name] else {
                return "\(item.name) is \(item.lines) lines long: split it by idea"
            }
            if item.lines > allowed { return "\(item.name) grew from \(allowed) to \(item.lines) lines" }
            return item.lines < allowed
                ? "\(item.name) shrank to \(item.lines) lines: lower its row from \(allowed)" : nil
        }
        let gone = table.keys.sorted().filter { name in !found.contains { $0.name == name } }
        return grown + gone.map { "\($0) is no longer too long: remove its row" }
    }

    private func lineCount(_ text: String) -> Int { text.utf8.count { $0 == UInt8(ascii: "\n") } }
}
