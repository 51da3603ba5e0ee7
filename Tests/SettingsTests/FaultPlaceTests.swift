import DeadzoneTestKit
import Testing
@testable import DeadzoneBase

/// The text of a fault beside its line, the lines of a file, the list of faults and the codes.
struct FaultPlaceTests {
    @Test func aFaultIsShownBesideItsLine() {
        // Broken: the caret stands under another column, or the text leaves out the place.
        let source = SourceText(name: "a.yaml", bytes: Array("one: 1\n\ttwo:\u{7} x\nthree: 3".utf8))
        func text(
            _ line: Int, _ column: Int, _ width: Int, label: String = "label", help: String = "help", file: Int = 0
        ) -> String {
            faultText(
                Fault(
                    .syntax, at: SourceMark(line: line, column: column, file: file), width: width, "message",
                    label: label, help: help),
                files: [source])
        }
        expectText(
            [
                text(1, 1, 3), text(2, 6, 2), text(2, 8, 1, label: ""), text(3, 8, 9, help: ""), text(3, 99, 1),
                text(9, 1, 1), text(9, 1, 1, label: ""),
                text(0, 0, 1), text(1, 0, 0), text(1, 1, 1, file: 1),
            ].joined(separator: "\n"),
            aFaultIsShownBesideItsLineText)
        let long = SourceText(
            name: "b", bytes: Array(String((0..<1_000).map { Character(Unicode.Scalar(UInt8(97 + $0 % 26))) }).utf8))
        for (line, gutter) in [(9, 2), (99, 2), (100, 3)] {
            let file = SourceText(name: "c", bytes: Array(String(repeating: "x\n", count: 100).utf8))
            let shown = faultText(Fault(.syntax, at: SourceMark(line: line, column: 1), "m"), files: [file])
            let blank = String(repeating: " ", count: gutter)
            #expect(
                shown
                    == "error[E0004]: m\n\(blank)--> c:\(line):1\n\(blank) |\n\(line < 10 ? " " : "")\(line) | x\n\(blank) | ^\n"
            )
        }
        for column in [1, 80, 81, 82, 500, 919, 920, 921, 1_000, 1_001, 1_002] {
            let shown = faultText(Fault(.syntax, at: SourceMark(line: 1, column: column), "m"), files: [long]).split(
                separator: "\n")
            let start = max(0, min(min(column, 1_001) - 80, 840))
            let letters = (start..<start + 160).map { Character(Unicode.Scalar(UInt8(97 + $0 % 26))) }
            #expect(shown[3] == " 1 | " + String(letters), "\(column)")
            #expect(
                shown[4] == "   | " + String(repeating: " ", count: min(column, 1_001) - 1 - start) + "^", "\(column)")
        }
        for count in [159, 160, 161] {
            let line = SourceText(name: "d", bytes: Array(String(repeating: "y", count: count).utf8))
            let shown = faultText(Fault(.syntax, at: SourceMark(line: 1, column: 1), "m"), files: [line]).split(
                separator: "\n")
            #expect(shown[3].count == 5 + min(160, count))
        }
    }

    @Test func linesAreSplitAtEveryLineEnd() {
        // Broken: a carriage return counts as two lines, or a line after the end is empty.
        withEvery { choices in
            let parts = (0..<4).map { _ in choices.one(of: ["a", "\n", "\r", ""]) }
            let text = parts.joined()
            let lines = text.replacing("\r\n", with: "|").replacing("\r", with: "|").replacing("\n", with: "|").split(
                separator: "|", omittingEmptySubsequences: false
            ).map(String.init)
            let source = SourceText(name: "x", bytes: Array(text.utf8))
            for number in 1...6 {
                let line = number <= lines.count ? lines[number - 1] : nil
                #expect(source.line(number) == line, "\(text.debugDescription) \(number)")
            }
        }
    }

    @Test func faultsAreSortedCountedAndStoredOnce() {
        // Broken: a fault is counted twice, or the order of equal places is lost.
        var faults = Faults()
        func fault(_ line: Int, _ text: String) -> Fault { Fault(.syntax, at: SourceMark(line: line, column: 1), text) }
        for (line, text) in [(2, "b"), (1, "z"), (1, "a"), (2, "b"), (1, "z")] { faults.note(fault(line, text)) }
        #expect(faults.count == 3 && faults.sorted.map(\.message) == ["z", "a", "b"] && faults.hiddenCount == 0)
        var others = Faults()
        others.note(fault(0, "first"))
        others.note(contentsOf: faults)
        #expect(others.sorted.map(\.message) == ["first", "z", "a", "b"] && others.count == 4)
        for line in 0..<18 { others.note(fault(10 + line, "m")) }
        #expect(others.count == 22 && others.sorted.count == 20 && others.hiddenCount == 2 && !others.isFull)
        for line in 0..<177 { others.note(fault(100 + line, "m")) }
        #expect(others.count == 199 && !others.isFull)
        others.note(fault(999, "m"))
        #expect(others.isFull && others.count == 200)
        others.note(fault(999, "m"))
        #expect(others.count == 201)
        #expect(
            SourceMark(line: 9, column: 9) < SourceMark(line: 1, column: 1, file: 1)
                && SourceMark(line: 1, column: 2) < SourceMark(line: 2, column: 1))
        #expect(quote(String(repeating: "x", count: 200)) == "`" + String(repeating: "x", count: 200) + "`")
        #expect(
            quote(String(repeating: "x", count: 201)) == "`" + String(repeating: "x", count: 200) + "…`"
                && visible("abc", atMost: 2) == "ab…")
        #expect(Fault(.syntax, at: .none, "m").width == 1 && SourceMark.none == SourceMark(line: 0, column: 0))
    }

    @Test func codesHaveTheirTitles() {
        // Broken: `explain` prints the text of another code.
        expectText(
            FaultCode.allCases.map { "\($0.rawValue) \($0.title): \($0.explanation.prefix(40))" }.joined(
                separator: "\n"),
            #"""
            E0001 the file is too large: A file may have at most 1 MiB. A scenari
            E0002 the file is not UTF-8: Save the file as UTF-8. A byte order mar
            E0003 a control character: YAML allows no control characters but ta
            E0004 not valid YAML: The text cannot be read as YAML. The mar
            E0005 a tab where YAML allows none: Indent with spaces. Editors have a setti
            E0006 nested too deeply: Lists and maps may be nested 64 deep, al
            E0007 too many alias expansions: Aliases (`*name`) may be expanded 10,000
            E0008 an alias without an anchor: `*name` repeats the value that `&name` m
            E0009 a key twice in one map: YAML readers disagree about which of the
            E0010 a YAML tag: Tags (`!name`) are not read; only `!!str
            E0011 more than one document: A file holds one document. Split it at t
            E0012 nothing in the file: A scenario is a map that begins with `ve
            E0013 a key that is not a word: Keys are words; a list or map cannot be 
            E0014 a merge key that merges nothing: `<<` takes a map, an alias of a map, or 
            E0015 an invisible line break: U+0085, U+2028 and U+2029 end a line in 
            E0101 a setting is missing: This setting has no sensible default.
            E0102 a value of another kind: The setting takes a single value, a list
            E0103 a key without a value: `key:` without a value has no meaning he
            E0104 an unknown setting: Unknown keys are errors, because a missp
            E0105 a number without a unit: Durations, sizes, powers and rates are w
            E0106 not a number: A number is written with digits and at m
            E0107 an unknown unit: Units are exact and case counts: ms is n
            E0108 a number out of range: The message says what is allowed.
            E0109 more digits than can be kept: Numbers are kept exactly, in whole nanos
            E0110 an unknown word: The setting takes one of a few words; th
            E0111 not true or false: YAML 1.1 reads on, off, yes and no as bo
            E0112 a number in base 60: YAML 1.1 reads 1:30 as the number 90. Wr
            E0113 an octal or hexadecimal number: YAML 1.1 reads 010 as eight and YAML 1.2
            E0114 not a finite number: NaN and infinity are not valid values. R
            E0115 a value in none of the allowed forms: Some settings take a plain value, or a m
            E0116 a list of the wrong length: The message says how many items are expe
            E0117 a number in quotes: Quotes turn the number into text. Remove
            E0201 the version of the language: Every scenario begins with `version: 1`,
            E0202 an unknown strategy: `deadzone list strategies` prints them.
            E0203 an unknown radio profile: `deadzone list profiles` prints them.
            E0204 an unknown metric: `deadzone list metrics` prints them. An 
            E0205 a bound that cannot be read: Bounds are words: 0, under 15s, at most 
            E0206 a symbol that YAML reads itself: Outside quotes `>` begins a folded text.
            E0207 a bound relative to nothing: `of NAME` names another strategy of the 
            E0208 a file to extend cannot be read: `extends:` names a file relative to the 
            E0209 files that extend each other in a circle: Follow the chain in the message and cut 
            E0210 a matrix axis that cannot be used: An axis is a list of values, or a map fr
            E0211 too many matrix cells: The axes multiply. A matrix may have 1,0
            E0212 a placeholder without an axis: ${name} is replaced by the value of the 
            E0213 a timeline entry with no change or too many: Each entry has an `at:` and at least one
            E0214 a timeline entry after the end: A change at or after `duration` never ta
            E0215 settings that contradict each other: They exclude each other: change or remov
            E0216 phones that share a server over a link without a minimum delay: Phones that share a server are simulated
            E0217 a link trace that cannot be read: A trace is a file of at most 32 MiB, rel
            E0218 a chain of files that is too long: Each file extends or is based on the nex
            E0219 a population that does not add up: Each group has a `share` of the phones, 
            """#)
    }
}

private let aFaultIsShownBesideItsLineText = #"""
    error[E0004]: message
      --> a.yaml:1:1
       |
     1 | one: 1
       | ^^^ label
       = help: help

    error[E0004]: message
      --> a.yaml:2:6
       |
     2 |  two:\u{7} x
       |      ^^^^^^ label
       = help: help

    error[E0004]: message
      --> a.yaml:2:8
       |
     2 |  two:\u{7} x
       |            ^
       = help: help

    error[E0004]: message
      --> a.yaml:3:8
       |
     3 | three: 3
       |        ^ label

    error[E0004]: message
      --> a.yaml:3:99
       |
     3 | three: 3
       |         ^ label
       = help: help

    error[E0004]: message
      --> a.yaml:9:1
       = label
       = help: help

    error[E0004]: message
      --> a.yaml:9:1
       = help: help

    error[E0004]: message
      --> a.yaml
       = label
       = help: help

    error[E0004]: message
      --> a.yaml:1:0
       |
     1 | one: 1
       | ^ label
       = help: help

    error[E0004]: message
       = help: help

    """#
