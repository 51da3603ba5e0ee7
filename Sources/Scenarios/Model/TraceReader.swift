import DeadzoneNetwork
import DeadzoneSettings

/// Reads link traces: Mahimahi (a millisecond on each line, one opportunity of 1,500 bytes at each) and tables of time and
/// rate. Which of the two it is the first line says: one number, or more.
///
/// A table has commas, semicolons, tabs or spaces between its columns, the first two of which count: seconds and Mbps, or what
/// a first line of names says (`time_s` or `time_ms`; `Mbps`, `kbps` or `bps`). Digits beyond a nanosecond or a bit per
/// second are cut off: what a spreadsheet wrote has more than were ever measured.
///
/// What is wrong is told by its line and without its words: the file may be anything, and none of a log's business.
enum TraceText {
    /// The longest that a trace may be. The longest of the Mahimahi collection has 3.4 MB.
    static let mostBytes = 32 << 20

    static func read(_ bytes: [UInt8]) -> Result<LinkTrace, FileTrouble> {
        guard bytes.count <= mostBytes else {
            return .failure(FileTrouble("a trace has at most \(mostBytes >> 20) MiB, this one \(bytes.count >> 20)"))
        }
        var lines = TraceLines(bytes)
        do throws(FileTrouble) {
            return .success(try trace(&lines))
        } catch {
            return .failure(error)
        }
    }

    private static func trace(_ lines: inout TraceLines) throws(FileTrouble) -> LinkTrace {
        guard let first = lines.next() else { throw FileTrouble("it is empty") }
        var times: [Int64] = []
        var rates: [Int64] = []
        let isTable = first.count > 1
        var units = (time: 9, rate: 6)
        if isTable, let named = try names(first, lines.number) {
            units = named
        } else {
            try add(first, isTable, units, lines.number, &times, &rates)
        }
        while let fields = lines.next() { try add(fields, isTable, units, lines.number, &times, &rates) }
        do throws(LinkTrace.Trouble) {
            return isTable
                ? try LinkTrace(starts: times, bitsPerSecond: rates) : try LinkTrace(opportunities: times)
        } catch {
            throw FileTrouble(explain(error))
        }
    }

    /// The header, if the first line is one: the power of ten that a unit is of nanoseconds, and of bits per second.
    private static func names(
        _ fields: [ArraySlice<UInt8>], _ line: Int
    ) throws(FileTrouble) -> (time: Int, rate: Int)? {
        let words = fields.prefix(2).map { String(decoding: $0, as: UTF8.self) }
        guard let byte = fields[0].first, !(48...57 ~= byte) else { return nil }
        guard let time = ["time_s": 9, "time_ms": 6][words[0]], let rate = ["Mbps": 6, "kbps": 3, "bps": 0][words[1]]
        else {
            throw FileTrouble(
                "line \(line) is neither a row nor names: the columns are time_s or time_ms, and Mbps, kbps or bps"
            )
        }
        return (time, rate)
    }

    private static func add(
        _ fields: [ArraySlice<UInt8>], _ isTable: Bool, _ units: (time: Int, rate: Int), _ line: Int,
        _ times: inout [Int64], _ rates: inout [Int64]
    ) throws(FileTrouble) {
        if times.count >= LinkTrace.mostRows { throw FileTrouble("more than \(LinkTrace.mostRows) lines") }
        guard isTable ? fields.count > 1 : fields.count == 1 else {
            throw FileTrouble("line \(line) has \(fields.count) columns, unlike the first")
        }
        guard let time = decimal(fields[0], tens: isTable ? units.time : 6) else {
            throw FileTrouble("line \(line) begins with no time")
        }
        times.append(time)
        guard isTable else { return }
        guard let rate = decimal(fields[1], tens: units.rate) else {
            throw FileTrouble("line \(line): its second column is no rate")
        }
        rates.append(rate)
    }

    /// Digits, perhaps a point and more digits, times 10^`tens`; what is finer than 1 is cut off.
    static func decimal(_ text: ArraySlice<UInt8>, tens: Int) -> Int64? {
        var value: Int64 = 0
        var places: Int?
        var digits = 0
        for byte in text {
            if byte == 46, places == nil { places = 0; continue }
            guard 48...57 ~= byte else { return nil }
            digits += 1
            if let behind = places {
                if behind == tens { continue }
                places = behind + 1
            }
            guard let next = append(Int64(byte - 48), to: value) else { return nil }
            value = next
        }
        guard digits > 0 else { return nil }
        for _ in (places ?? 0)..<tens {
            guard let next = append(0, to: value) else { return nil }
            value = next
        }
        return value
    }

    private static func append(_ digit: Int64, to value: Int64) -> Int64? {
        let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
        let (sum, carry) = tens.addingReportingOverflow(digit)
        return overflow || carry ? nil : sum
    }

    private static func explain(_ trouble: LinkTrace.Trouble) -> String {
        switch trouble {
        case .empty: "it is empty"
        case .tooManyRows: "more than \(LinkTrace.mostRows) lines"
        case .fallingTime(let row): "the time of entry \(row + 1) is not later than the one before it"
        case .noPeriod: "all its opportunities are at 0 ms: the last line says when it begins anew"
        case .carriesNothing: "none of its rates lets anything pass"
        }
    }
}

/// The lines of a text that say something, in columns. `#` begins a comment.
struct TraceLines {
    private let bytes: [UInt8]
    private var position = 0
    /// Of the line that came last, from 1.
    private(set) var number = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> [ArraySlice<UInt8>]? {
        while position < bytes.count {
            let end = bytes[position...].firstIndex(of: 10) ?? bytes.count
            let line = bytes[position..<end]
            position = end + 1
            number += 1
            if line.first == 35 { continue }
            // Tab, carriage return, space, comma, semicolon.
            let fields = line.split { $0 == 9 || $0 == 13 || $0 == 32 || $0 == 44 || $0 == 59 }
            if !fields.isEmpty { return fields }
        }
        return nil
    }
}
