import DeadzoneJournal
import DeadzonePrimitives
import Testing

@testable import DeadzoneTraces

struct EventComparisonTests {
    private let line = EventLine(strategy: "tuned", replica: 0)
    private let records = (0..<4).map { Record(at: Instant(nanoseconds: $0), lane: 0, kind: .pinged) }

    private func text(_ records: [Record]) -> String { records.map { line.text($0) + "\n" }.joined() }

    private func comparison(of now: [Record], with old: String) -> EventComparison {
        let comparison = EventComparison(Array(old.utf8))
        var walker = comparison.walker(line)
        // In two batches: what is compared goes on from one to the next.
        Array(now.prefix(1)).withUnsafeBufferPointer { walker.record($0) }
        Array(now.dropFirst()).withUnsafeBufferPointer { walker.record($0) }
        comparison.finish()
        return comparison
    }

    @Test func theFirstDifferenceIsTold() {
        // Broken: a regression is looked for behind where it began, or not seen at all where events are missing.
        #expect(comparison(of: records, with: text(records)).text == "every event is as it was")
        var other = records
        other[1] = Record(at: Instant(nanoseconds: 7), lane: 0, kind: .opened)
        other[3] = other[1]
        let changed = comparison(of: other, with: text(records))
        #expect(changed.isDecided)
        let lines = [records[1], other[1]].map { line.text($0) }
        #expect(
            changed.text == "the first event that is different is line 2\n  before: \(lines[0])\n  now:    \(lines[1])")
        let fewer = comparison(of: Array(records.dropLast()), with: text(records)).text
        #expect(fewer.contains("is line 4\n") && fewer.hasSuffix("now:    nothing more"), "\(fewer)")
        let more = comparison(of: records, with: text(records.dropLast())).text
        #expect(more.contains("before: nothing more\n  now:    {"), "\(more)")
    }
}
