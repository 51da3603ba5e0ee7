import Testing

@testable import DeadzoneFit

/// Special cases in a meter's table.
struct PowerTableTests {
    @Test func aRestartedCounterGivesNoNegativePower() throws {
        // Broken: a restarted modem is charged negative energy.
        let csv = "time_s,energy_mws\n0,900\n1,950\n2,1050\n3,10\n4,40\n"
        let samples = try PowerTrace(csv: csv).samples
        #expect(samples.map(\.from) == [0, 1, 3] && samples.map(\.milliwatts) == [50, 100, 30])
    }

    @Test(arguments: [("MODEM_A", "MODEM_A", true), ("MODEM_A", "MODEM_B", false), ("CPU", "GPU", false)])
    func rowsOfOneRailCount(_ one: String, _ other: String, _ isOne: Bool) {
        // Broken: two counters are read as one.
        let names = [one, other, one, other, one]
        let rows = names.enumerated().map { "\($0.offset),\($0.element),\(100 * $0.offset)" }
        let trace = try? PowerTrace(csv: "time_s,rail,energy_mws\n" + rows.joined(separator: "\n"))
        #expect((trace != nil) == isOne)
        if let trace { #expect(trace.samples.map(\.milliwatts) == [100, 100, 100, 100]) }
    }

    @Test func thinnedSamplesAreWeightedByLength() throws {
        // Broken: a meter that samples faster at high power makes the phone's power too high.
        var (csv, now) = ("time_ms,power_mw\n", 0)
        for row in 0..<60_000 {
            csv += "\(now),\(row.isMultiple(of: 2) ? 100 : 500)\n"
            now += row.isMultiple(of: 2) ? 10 : 30
        }
        let trace = try PowerTrace(csv: csv)
        #expect(trace.samples.count == 30_000 && trace.until > 1_199)
        #expect(trace.samples.dropLast().allSatisfy { abs($0.milliwatts - 400) < 1e-6 && $0.until > $0.from })
    }

    @Test func residualsGiveTheErrorOfTheMean() {
        // Broken: the error is not that of a mean, or a value is returned for an unknown without measurements. The mean
        // of 1, 2 and 6 is 3, the residual sum of squares 14, the variance of one value 7, and that of the mean a third
        // of it.
        var sums = LeastSquares(unknowns: 3)
        for seen in [1.0, 2, 6] { sums.add([(0, 1)], seen: seen) }
        let mean = sums.solve()
        #expect(mean.values[1] == nil && mean.values[2] == nil)
        #expect(
            abs((mean.values[0] ?? 0) - 3) < 1e-12 && abs(mean.residual - 14) < 1e-9 && abs(mean.variance - 7) < 1e-9)
        #expect(abs(mean.errors[0] - (7.0 / 3).squareRoot()) < 1e-9)
        // A straight line through 1, 3 and 5, and its slope.
        for place in 0..<3 { sums.add([(1, 1), (2, Double(place))], seen: 1 + 2 * Double(place)) }
        let line = sums.solve()
        for (value, truth) in zip(line.values, [3.0, 1, 2]) { #expect(abs((value ?? 0) - truth) < 1e-9) }
        #expect(abs(line.variance - 14.0 / 3) < 1e-9)
    }

    @Test func theLargestOfInseparableUnknownsGetsTheValue() {
        // Broken: of unknowns that occur only together, another one than that with the largest part gets the value, so
        // the answer depends on their order. Each observation is 12 = 4 x for the largest part of 4.
        for parts in [[1, 2, 4], [1, 4, 2], [2, 1, 4], [2, 4, 1], [4, 1, 2], [4, 2, 1]] as [[Double]] {
            var sums = LeastSquares(unknowns: 4)
            for times in [1.0, 2] {
                sums.add(parts.enumerated().map { ($0.offset, times * $0.element) }, seen: times * 12)
            }
            sums.add([(3, 8)], seen: 40)
            #expect(sums.solve().values == parts.map { $0 == 4 ? 3 : nil } + [5], "\(parts)")
        }
    }
}
