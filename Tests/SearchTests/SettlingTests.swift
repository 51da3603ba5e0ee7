import DeadzoneBase
import DeadzoneTestKit
import Testing

@testable import DeadzoneRuns

struct SettlingTests {
    @Test(arguments: 0..<100)
    func exactlyTheNeededValuesAreKept(_ seed: UInt64) {
        // Broken: a value is replaced that the test needs, or one that it does not need is kept.
        var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
        let needed = (0..<20).map { _ in dice.next().scaled(below: 6) == 0 }
        var search = SettlingSearch(Array(1...20))
        var tests = 0
        let isComplete = search.settle((1...20).map { _ in 0 }) { values -> Bool? in
            tests += 1
            return values.indices.allSatisfy { !needed[$0] || values[$0] == $0 + 1 }
        }
        #expect(isComplete)
        #expect(search.values == (0..<20).map { needed[$0] ? $0 + 1 : 0 })
        #expect(search.isSettled == needed.map { !$0 })
        // A needed value is found by halving: at most two tests for each of the five levels.
        #expect(tests <= 1 + 10 * needed.count { $0 }, "\(tests) tests for \(needed.count { $0 })")
    }

    @Test func laterReplacementsLeaveSettledValuesAlone() {
        var search = SettlingSearch([1, 2, 3])
        _ = search.settle([0, nil, nil]) { _ -> Bool? in true }
        _ = search.settle([9, 9, nil]) { _ -> Bool? in true }
        #expect(search.values == [0, 9, 3] && search.isSettled == [true, true, false])
    }

    @Test func stopKeepsWhatWasAccepted() {
        var search = SettlingSearch([1, 2, 3, 4])
        var tests = 0
        let isComplete = search.settle([0, 0, 0, 0]) { values -> Bool? in
            tests += 1
            return tests == 1 ? false : tests == 2 ? true : nil
        }
        #expect(!isComplete && search.values == [0, 0, 3, 4])
    }

    @Test func pathMakesTheBestChangeFirst() {
        // Broken: the order is that of the settings, or the last change decides.
        let gains = [3: 0.1, 5: 0.5, 8: 0.3]
        let order = ChangePath.order([3, 5, 8]) { sets in
            sets.map { set in 1 - set.reduce(0) { $0 + (gains[$1] ?? 0) } }
        }
        #expect(order == [5, 8, 3])
        // A change that helps only beside another one is made after it.
        let beside = ChangePath.order([0, 1, 2]) { sets in
            sets.map { set in
                (set.contains(0) ? -1 : 0) + (set.contains(0) && set.contains(2) ? -5 : 0)
                    + (set.contains(1) ? -0.5 : 0)
            }
        }
        #expect(beside == [0, 2, 1])
        #expect(ChangePath.order([0, 1]) { _ in nil } == nil)
        #expect(ChangePath.order([4]) { _ in nil } == [4])
    }

    @Test func manyChangesNeedOneEvaluationEach() {
        let changes = Array(0..<12)
        var evaluations = 0
        let order = ChangePath.order(changes) { sets in
            evaluations += sets.count
            return sets.map { -Double($0.last ?? 0) }
        }
        #expect(order == changes.reversed() && evaluations == 12)
    }
}
