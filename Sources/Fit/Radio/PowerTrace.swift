/// The measured power of a phone or its modem over time, as the mean power of consecutive time ranges.
package struct PowerTrace: Sendable {
    package struct PowerSample: Hashable, Sendable {
        /// Seconds on the meter's clock.
        package var from: Double
        package var until: Double
        package var milliwatts: Double
    }

    /// Limit of samples; with more, neighbours are averaged without loss of information for the fit.
    private static let most = 50_000

    /// Bounds of the values. Beyond them a column has another unit than its name says, or is damaged.
    private static let validSeconds = -3.2e9...3.2e9
    private static let validMilliwatts = -1e6...1e6
    /// Longest trace, in seconds: a year.
    private static let longest = 366 * 86_400.0

    package private(set) var samples: [PowerSample]
    /// Number of rows without a number in a needed column. They are left out.
    package private(set) var rowsWithoutNumber = 0

    package init(_ samples: [PowerSample]) { self.samples = samples }

    package enum Unreadable: Error {
        case noTime
        case noPower
        case manyRails([String])
        case tooShort
        case tooLong
        /// A time or a power that no meter shows, with its line.
        case outOfRange(line: Int, what: String)
        /// The same, in an energy counter, which has no lines.
        case counterOutOfRange(what: String)
    }

    /// Reads a CSV table with a header line.
    ///
    /// Time is `time`, `timestamp` or `ts`. Power is `power`, or `current` (or `main`) and `voltage`, or `energy`,
    /// which is a cumulative counter. Each has the unit that its name ends in (`Time(ms)`, `energy_uws`), else seconds,
    /// mW, mA, V and mJ. If rows name a `rail`, only the rows of one rail are used.
    /// - Parameter rail: name of the rail; `nil` for the modem's.
    package init(csv: String, rail: String? = nil) throws(Unreadable) {
        let table = CSVTable(csv)
        guard let time = table.column(["time", "ts"]) else { throw .noTime }
        let (rows, lines) = try Self.rows(table, rail)
        let stamps = rows.map { $0[time.place] * time.scale(["ns": 1e-9, "us": 1e-6, "ms": 1e-3]) }
        let powerColumns: [Int]
        if let power = table.column(["power"]) {
            powerColumns = [power.place]
            let scale = power.scale(["uw": 1e-3, "mw": 1, "w": 1_000])
            self.init(stamps: stamps, powers: rows.map { $0[power.place] * scale })
        } else if let current = table.column(["current", "main"]), let voltage = table.column(["volt"]) {
            powerColumns = [current.place, voltage.place]
            let scale = current.scale(["ua": 1e-3, "ma": 1, "a": 1_000]) * voltage.scale(["uv": 1e-6, "mv": 1e-3])
            self.init(stamps: stamps, powers: rows.map { $0[current.place] * $0[voltage.place] * scale })
        } else if let energy = table.column(["energy"]) {
            powerColumns = [energy.place]
            let scale = energy.scale(["uws": 1e-3, "uj": 1e-3, "mws": 1, "mj": 1, "ws": 1_000, "j": 1_000])
            self.init(stamps: stamps, energies: rows.map { $0[energy.place] * scale })
        } else {
            throw .noPower
        }
        if let place = stamps.firstIndex(where: { $0.isFinite && !Self.validSeconds.contains($0) }) {
            throw .outOfRange(line: lines[place], what: "the time is outside ±3.2e9 s")
        }
        if let sample = samples.first(where: { !Self.validMilliwatts.contains($0.milliwatts) }) {
            let place = stamps.firstIndex { $0 == sample.from } ?? 0
            throw .outOfRange(line: lines[place], what: "the power is outside ±1,000 W")
        }
        guard samples.count > 2 else { throw .tooShort }
        // Time may run backwards, so the last sample is not always the latest.
        let latest = samples.reduce(until) { max($0, $1.until) }
        guard latest - samples.reduce(from, { min($0, $1.from) }) <= Self.longest else { throw .tooLong }
        rowsWithoutNumber = zip(rows, stamps).count { row, stamp in
            !stamp.isFinite || powerColumns.contains { !row[$0].isFinite }
        }
        thin()
    }

    /// Makes a trace from a cumulative energy counter.
    package init(seconds: [Double], millijoules: [Double]) throws(Unreadable) {
        self.init(stamps: seconds, energies: millijoules)
        guard seconds.allSatisfy(Self.validSeconds.contains) else {
            throw .counterOutOfRange(what: "a time is outside ±3.2e9 s")
        }
        guard samples.allSatisfy({ Self.validMilliwatts.contains($0.milliwatts) }) else {
            throw .counterOutOfRange(what: "a power is outside ±1,000 W")
        }
        guard samples.count > 2 else { throw .tooShort }
        guard until - from <= Self.longest else { throw .tooLong }
        thin()
    }

    /// A reading is valid until the next one.
    private init(stamps: [Double], powers: [Double]) {
        samples = zip(zip(stamps, stamps.dropFirst()), powers).compactMap { times, power in
            times.0 < times.1 && power.isFinite
                ? PowerSample(from: times.0, until: times.1, milliwatts: power) : nil
        }
    }

    private init(stamps: [Double], energies: [Double]) {
        samples = zip(zip(stamps, stamps.dropFirst()), zip(energies, energies.dropFirst())).compactMap {
            times, energy in
            let power = (energy.1 - energy.0) / (times.1 - times.0)
            return times.0 < times.1 && power.isFinite && power >= 0
                ? PowerSample(from: times.0, until: times.1, milliwatts: power) : nil
        }
    }

    /// The rows of one rail, with their lines.
    private static func rows(
        _ table: CSVTable, _ wanted: String?
    ) throws(Unreadable) -> (rows: [[Double]], lines: [Int]) {
        guard let rail = table.column(["rail", "channel"]) else { return (table.numbers, table.lineNumbers) }
        let words = ["modem", "cellular", "radio"]
        let chosen = table.rows.indices.filter { index in
            let name = table.rows[index][rail.place]
            return wanted.map { $0 == name } ?? words.contains { name.lowercased().contains($0) }
        }
        let names = Set(chosen.map { table.rows[$0][rail.place] })
        guard names.count == 1 else {
            throw .manyRails(names.isEmpty ? Set(table.rows.map { $0[rail.place] }).sorted() : names.sorted())
        }
        return (chosen.map { table.numbers[$0] }, chosen.map { table.lineNumbers[$0] })
    }

    /// Averages neighbouring samples.
    private mutating func thin() {
        let group = (samples.count + Self.most - 1) / Self.most
        guard group > 1 else { return }
        samples = stride(from: 0, to: samples.count, by: group).map { first in
            let part = samples[first..<min(first + group, samples.count)]
            let length = part.reduce(0) { $0 + $1.until - $1.from }
            return PowerSample(
                from: part.first!.from, until: part.last!.until,
                milliwatts: part.reduce(0) { $0 + $1.milliwatts * ($1.until - $1.from) } / length)
        }
    }

    package var from: Double { samples.first?.from ?? 0 }
    package var until: Double { samples.last?.until ?? 0 }

    /// The trace shifted to another clock.
    package func shifted(by seconds: Double) -> PowerTrace {
        PowerTrace(
            samples.map { PowerSample(from: $0.from + seconds, until: $0.until + seconds, milliwatts: $0.milliwatts) })
    }
}
