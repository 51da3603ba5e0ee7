import DeadzoneTestKit
import Testing

@testable import DeadzoneRuns

struct EdgeSearchTests {
    @Test(arguments: 0..<200)
    func singleChangeOfAnAnswerIsFound(_ seed: Int) {
        // Broken: a boundary lies outside the two values that should enclose it, or they are further apart than the
        // halvings allow.
        let place = Double(seed) / 199 * 0.98 + 0.01
        let search = EdgeSearch(steps: 5, halvings: 6)
        var asked = 0
        let found = search.answers { at -> [Bool]? in
            asked += 1
            return [at < place, at >= place / 2]
        }.trials
        #expect(found.map(\.place) == found.map(\.place).sorted() && found.first?.place == 0 && found.last?.place == 1)
        for (line, edge) in [(0, place), (1, place / 2)] {
            let pair = zip(found, found.dropFirst()).first { $0.answers[line] != $1.answers[line] }
            guard let (before, after) = pair else {
                Issue.record("no edge near \(edge)")
                continue
            }
            #expect(before.place <= edge && edge <= after.place)
            #expect(after.place - before.place <= 0.25 / 64)
        }
        // Known answers are not computed again.
        #expect(asked == found.count && asked <= 5 + 12)
    }

    @Test func constantAnswerIsComputedOnTheGridOnly() {
        let found = EdgeSearch(steps: 7, halvings: 6).answers { _ -> [Bool]? in [true] }.trials
        #expect(found.count == 7)
    }

    @Test(arguments: 1...12)
    func interruptedSearchReturnsWhatItTried(_ limit: Int) {
        // Broken: an interruption loses the values that were tried, or the result claims to be complete.
        var asked = 0
        let found = EdgeSearch(steps: 5, halvings: 6).answers { at -> [Bool]? in
            asked += 1
            return asked < limit ? [at < 0.4] : nil
        }
        #expect(found.isComplete == (limit == 12))
        #expect(found.trials.count == min(limit - 1, 11))
        #expect(found.trials.allSatisfy { $0.answers == [$0.place < 0.4] })
    }
}
