import DeadzoneBase
import DeadzoneTestKit
import Testing

@testable import DeadzoneFit

/// Tables of meters and probes: columns, units, damaged rows, and the limits of values.
struct MeterFileTests {
    private static func trace(_ csv: String) throws(PowerTrace.Unreadable) -> [[Double]] {
        try PowerTrace(csv: csv).samples.map { [$0.from, $0.until, $0.milliwatts] }
    }

    private static func fault(_ csv: String) -> String {
        do throws(PowerTrace.Unreadable) {
            return "\(try PowerTrace(csv: csv).samples.count) samples"
        } catch {
            return "\(error)"
        }
    }

    /// Broken: a header is taken for a row, a short row shifts columns, or a cell keeps its quotes.
    @Test func tablesAreRead() {
        let table = CSVTable(
            "\"made by a meter\"\n\n7,8\n Time (ms) ,\"Power (mW)\", Rail\r\n1,2\n1, 2.5 ,\" a b \"\n\n3,x,\"\",9\n,-1e3,c\n"
        )
        #expect(table.columns.map(\.name) == ["timems", "powermw", "rail"] && table.columns.map(\.place) == [0, 1, 2])
        #expect(table.rows == [["1", "2.5", "a b"], ["3", "x", "", "9"], ["", "-1e3", "c"]])
        #expect(table.lineNumbers == [6, 8, 9])
        #expect(table.numbers[0][0] == 1 && table.numbers[0][1] == 2.5 && table.numbers[0][2].isNaN)
        #expect(table.numbers[1][0] == 3 && table.numbers[1][1].isNaN && table.numbers[1][3] == 9)
        #expect(table.numbers[2][0].isNaN && table.numbers[2][1] == -1_000)
        for text in ["", "\n\n", "1,2\n3,4\n", "time\n1\n", "a,\n1,2\n"] {
            #expect(CSVTable(text).columns.isEmpty, "\(text)")
        }
        let columns = CSVTable("total power,the time,time of day,timer\n1,2,3,4\n")
        // A beginning comes before any other place.
        #expect(columns.column(["time"])?.place == 2 && columns.column(["power"])?.place == 0)
        #expect(columns.column(["x", "the"])?.place == 1 && columns.column(["x"]) == nil)
        let units = ["w": 1_000.0, "mw": 1, "uw": 1e-3]
        for (name, scale) in [("powermw", 1.0), ("poweruw", 1e-3), ("powerw", 1_000), ("power", 1), ("powerkv", 1)] {
            #expect(CSVTable.CSVColumn(place: 0, name: name).scale(units) == scale, "\(name)")
        }
    }

    /// Broken: a unit in the name of a column is not applied, or a column of another quantity is read.
    @Test(arguments: [
        ("time_s,power_mw", 10.0, 5.0), ("time_ms,power_w", 0.01, 5_000), ("Timestamp(us),Power (uW)", 10e-6, 0.005),
        ("ts_ns,power", 10e-9, 5), ("time,power_mw", 10, 5),
    ])
    func unitsStandInTheNames(_ head: String, _ time: Double, _ power: Double) throws {
        let samples = try Self.trace(head + "\n0,5\n10,5\n20,5\n30,5\n")
        #expect(samples.count == 3)
        for (index, sample) in samples.enumerated() {
            let expected = [Double(index) * time, Double(index + 1) * time, power]
            for (one, other) in zip(sample, expected) { #expect(abs(one - other) <= 1e-9 * abs(other)) }
        }
    }

    /// Broken: current and voltage are not multiplied, or the energy of a counter is not divided by its time.
    @Test(arguments: [
        ("time,current_ma,voltage_v", "2,3", 6.0), ("time,current_a,voltage_mv", "2,3", 6),
        ("time,main_ua,volt_uv", "2e6,3e6", 6_000),
        ("time,current_a,voltage", "2,3", 6_000), ("time,power_mw,current,volt", "9,2,3", 9),
        ("time,current,volt,energy", "2,3,7", 6),
    ])
    func powerIsCurrentTimesVoltage(_ head: String, _ cells: String, _ power: Double) throws {
        let samples = try Self.trace(head + "\n" + (0..<4).map { "\($0),\(cells)" }.joined(separator: "\n"))
        #expect(samples.count == 3 && samples.allSatisfy { abs($0[2] - power) < 1e-9 * power })
    }

    @Test(arguments: [
        ("mws", 1.0), ("mj", 1), ("uws", 1e-3), ("uj", 1e-3), ("ws", 1_000), ("j", 1_000), ("", 1),
    ])
    func energyIsACounter(_ unit: String, _ scale: Double) throws {
        // Broken: the unit of a counter is ignored, or an equal count is a restart.
        let samples = try Self.trace("time,energy_\(unit)\n0,10\n2,10\n4,16\n5,20\n")
        #expect(samples.map { [$0[0], $0[1]] } == [[0, 2], [2, 4], [4, 5]])
        for (sample, power) in zip(samples, [0, 3, 4]) { #expect(abs(sample[2] - Double(power) * scale) < 1e-9) }
    }

    /// Broken: rows without a number, or with a time that does not advance, become samples.
    @Test func damagedRowsAreLeftOut() throws {
        let trace = try PowerTrace(csv: "time,power\n0,1\n1,x\n2,3\n2,4\n3,5\nnan,6\n5,7\n6,inf\n7,8\n8,9\n")
        #expect(trace.samples.map(\.from) == [0, 2, 5, 7] && trace.samples.map(\.until) == [1, 3, 6, 8])
        #expect(trace.samples.map(\.milliwatts) == [1, 4, 7, 8] && trace.rowsWithoutNumber == 3)
        #expect(trace.from == 0 && trace.until == 8)
        let moved = trace.shifted(by: -2.5)
        #expect(
            moved.samples.map(\.from) == [-2.5, -0.5, 2.5, 4.5] && moved.samples.map(\.until) == [-1.5, 0.5, 3.5, 5.5])
        #expect(moved.samples.map(\.milliwatts) == [1, 4, 7, 8] && moved.from == -2.5)
        #expect(PowerTrace([]).from == 0 && PowerTrace([]).until == 0)
        // A voltage without a number is counted, too; a column that is not used is not.
        let electric = try PowerTrace(csv: "time,current,volt,note\n0,1,1,a\n1,1,x,b\n2,1,1,c\n3,1,1,d\n4,1,1,e\n")
        #expect(electric.rowsWithoutNumber == 1 && electric.samples.count == 3)
    }

    /// Broken: a file that cannot be read has another reason, or a value at its limit is rejected.
    @Test func unreadableFilesSayWhy() {
        #expect(Self.fault("volume,power\n1,2\n") == "noTime" && Self.fault("time,volume\n1,2\n") == "noPower")
        #expect(Self.fault("time,current\n1,2\n2,3\n") == "noPower" && Self.fault("") == "noTime")
        for (rows, expected) in [(3, "tooShort"), (4, "3 samples")] {
            let lines = (0..<rows).map { "\($0),1" }.joined(separator: "\n")
            #expect(Self.fault("time,power\n" + lines) == expected)
        }
        let year = 366 * 86_400
        for (end, expected) in [(year, "3 samples"), (year + 1, "tooLong")] {
            #expect(Self.fault("time,power\n0,1\n1,1\n2,1\n\(end),1\n") == expected)
        }
        let time = "outOfRange(line: 4, what: \"the time is outside ±3.2e9 s\")"
        for (begin, expected) in [
            ("3.2e9", "3 samples"), ("3.3e9", time), ("-3.2e9", "3 samples"), ("-3.3e9", time),
        ] {
            let rows = (0..<4).map {
                "\(begin.hasPrefix("-") ? Double(begin)! + Double($0) : Double(begin)! - 3 + Double($0)),1"
            }
            let isFar = begin.contains("3.3")
            let lines = isFar ? ["1,1", "2,1", "\(begin),1", "\(begin),1"] : rows
            #expect(Self.fault("time,power\n" + lines.joined(separator: "\n")) == expected, "\(begin)")
        }
        let power = "outOfRange(line: 3, what: \"the power is outside ±1,000 W\")"
        for (number, expected) in [
            ("1e6", "3 samples"), ("1000001", power), ("-1e6", "3 samples"), ("-1000001", power), ("1e300", power),
        ] {
            #expect(Self.fault("time,power\n0,1\n1,\(number)\n2,1\n3,1\n") == expected, "\(number)")
        }
    }

    /// Broken: rows of another rail than the modem's count, or a choice between two is made silently.
    @Test func theModemsRailIsChosen() throws {
        let rows = (0..<8).map { "\($0 / 2),\($0 % 2 == 0 ? "S4M_CELLULAR" : "CPU_BIG"),\($0 % 2 == 0 ? $0 : 99)" }
        let trace = try Self.trace("time,channel,power\n" + rows.joined(separator: "\n"))
        #expect(trace.map { $0[2] } == [0, 2, 4])
        for (names, expected) in [
            (["CPU", "GPU", "CPU", "GPU"], "manyRails([\"CPU\", \"GPU\"])"),
            (["radio 2", "Modem", "x", "modem"], "manyRails([\"Modem\", \"modem\", \"radio 2\"])"),
        ] {
            let rows = names.enumerated().map { "\($0.offset),\($0.element),1" }
            #expect(Self.fault("time,rail,power\n" + rows.joined(separator: "\n")) == expected)
        }
        // The line of a fault is that of the file, not of the rail.
        let far = "time,rail,power\n0,modem,1\n0,cpu,1\n1,modem,1\n1,cpu,1\n2,modem,2e6\n3,modem,1\n4,modem,1\n"
        #expect(Self.fault(far) == "outOfRange(line: 6, what: \"the power is outside ±1,000 W\")")
    }

    /// Broken: a long trace loses energy or its ends, or begins to be averaged at another length.
    @Test(arguments: [(50_000, 50_000), (50_001, 25_001), (100_001, 33_334)])
    func longTracesKeepTheirEnergy(_ rows: Int, _ kept: Int) throws {
        var (csv, now, energy) = ("time,power\n", 0, 0)
        for row in 0..<rows {
            let (length, power) = (1 + row % 3, row % 7)
            csv += "\(now),\(power)\n"
            (now, energy) = (now + length, energy + length * power)
        }
        let trace = try PowerTrace(csv: csv + "\(now),0\n")
        #expect(trace.samples.count == kept && trace.from == 0 && trace.until == Double(now))
        let sum = trace.samples.reduce(0.0) { $0 + $1.milliwatts * ($1.until - $1.from) }
        #expect(abs(sum - Double(energy)) < 1e-6 * Double(energy))
        #expect(zip(trace.samples, trace.samples.dropFirst()).allSatisfy { $0.until == $1.from })
    }

    /// Broken: a solution differs from the one by Cramer's rule, or an undetermined unknown gets a value.
    @Test func leastSquaresEqualCramersRule() {
        seedSweep(60) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            func draw() -> Double { Double(dice.next() % 2_001) / 100 - 10 }
            let rows = (0..<5 + dice.next() % 6).map { _ in (a: draw(), b: draw(), seen: draw()) }
            var sums = LeastSquares(unknowns: 3)
            for row in rows { sums.add([(0, row.a), (2, row.b)], seen: row.seen) }
            let aa = rows.reduce(0) { $0 + $1.a * $1.a }
            let ab = rows.reduce(0) { $0 + $1.a * $1.b }
            let bb = rows.reduce(0) { $0 + $1.b * $1.b }
            let ay = rows.reduce(0) { $0 + $1.a * $1.seen }
            let by = rows.reduce(0) { $0 + $1.b * $1.seen }
            let det = aa * bb - ab * ab
            let (x, y) = ((ay * bb - by * ab) / det, (by * aa - ay * ab) / det)
            let rest = rows.reduce(0) { $0 + ($1.seen - x * $1.a - y * $1.b) * ($1.seen - x * $1.a - y * $1.b) }
            let found = sums.solve()
            func isNear(_ one: Double?, _ other: Double) -> Bool {
                abs((one ?? .nan) - other) < 1e-6 * (1 + abs(other))
            }
            #expect(isNear(found.values[0], x) && isNear(found.values[2], y) && found.values[1] == nil)
            #expect(isNear(found.residual, rest) && isNear(found.variance, rest / Double(rows.count - 2)))
            #expect(isNear(found.errors[0], (bb / det * found.variance).squareRoot()))
            #expect(isNear(found.errors[2], (aa / det * found.variance).squareRoot()) && sums.samples == rows.count)
        }
        // Two unknowns that always occur together are not both determined; fewer samples than unknowns have no negative variance.
        var twins = LeastSquares(unknowns: 2)
        twins.add([(0, 1), (1, 1)], seen: 4)
        let found = twins.solve()
        #expect(found.values.compactMap(\.self) == [4] && found.variance == 0)
        #expect(LeastSquares(unknowns: 2).solve().values.compactMap(\.self).isEmpty)
    }
}
