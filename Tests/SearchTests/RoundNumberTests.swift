import DeadzoneTestKit
import Testing

@testable import DeadzoneRuns

struct RoundNumberTests {
    private static let durations: [(Int64, [Int64])] = [
        (257_300, [240_000, 270_000, 260_000]), (83_000, [60_000, 90_000, 80_000]), (20_400, [20_000]),
        (2_600, [3_000, 2_500, 2_600]), (37_000, [30_000, 37_000]), (1_680_000, [1_800_000, 1_680_000]),
        (9_000_000, [7_200_000, 10_800_000, 9_000_000]), (173, [200, 170]), (1_000, [1_000]),
    ]
    private static let numbers: [(Int64, [Int64])] = [
        (17, [20, 17]), (134, [100, 130]), (7, [5, 7]), (1, [1]), (999, [1_000]), (0, []),
    ]

    @Test(arguments: durations)
    func durationsArePeoplesDurations(_ milliseconds: Int64, _ expected: [Int64]) {
        #expect(RoundNumbers.spans(near: milliseconds * 1_000_000).map { $0 / 1_000_000 } == expected)
    }

    @Test(arguments: numbers)
    func plainNumbersHaveFewDigits(_ number: Int64, _ expected: [Int64]) {
        #expect(RoundNumbers.plain(near: number) == expected)
    }

    @Test func roundNumbersAreNear() {
        // Broken: a rounded value is another order of magnitude, or not positive.
        let numbers: [Int64] = [1, 2, 9, 11, 99, 1_234, 86_400, 999_999_999, Int64.max / 2_000]
        for number in numbers {
            for rounded in RoundNumbers.plain(near: number) + RoundNumbers.spans(near: number) {
                #expect(rounded > 0 && rounded >= number / 3 && rounded / 3 <= number, "\(number): \(rounded)")
            }
        }
    }
}
