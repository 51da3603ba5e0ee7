import DeadzoneTestKit
import Foundation
import Testing

private let python = Binary(path: "/usr/bin/env")
private let hasPython = (try? python.run(["python3", "-c", ""]).status) == 0

/// The places at which `.ci/mutants --draw` draws faults.
@Suite(.enabled(if: hasPython))
struct DrawnFaultTests {
    /// Prints the line of each place in the text of standard input.
    private static let program = """
        import sys
        sys.dont_write_bytecode = True
        sys.path.insert(0, "Tests/Mutants")
        import lexing, operators
        code = lexing.Structure(sys.stdin.read())
        code.near = code.fields
        for place in operators.places(code, operators.Known([code])):
            print(code.text.count("\\n", 0, place.start) + 1)
        """

    private func lines(_ text: String) throws -> Set<Int> {
        let outcome = try python.run(["python3", "-c", Self.program], input: text)
        try #require(outcome.status == 0, "\(outcome.errors)")
        return Set(outcome.text.split(separator: "\n").compactMap { Int($0) })
    }

    /// Broken: a fault is drawn inside a check against an error of the programmer, where no test can detect it, or none
    /// is drawn in the lines around it.
    @Test(arguments: ["precondition", "assert", "assertionFailure", "fatalError", "preconditionFailure"])
    func checksHaveNoFaults(_ name: String) throws {
        let oneLine = """
            func halved(_ size: Int, _ most: Int) -> Int {
                \(name)(size > 1 && size != most, "a size above 1")
                return size / 2
            }
            """
        #expect(try lines(oneLine) == [3])
        let manyLines = """
            func halved(_ size: Int, _ most: Int) -> Int {
                let rest = size - most
                \(name)(
                    size > 1 && size != most
                        || rest == 0,
                    "a size above 1, not \\(size + 1)"
                )
                if size > most { return most }
                return size / 2
            }
            """
        let drawn = try lines(manyLines)
        #expect(drawn.isDisjoint(with: 3...7) && drawn.isSuperset(of: [2, 8, 9]), "\(drawn)")
    }
}
