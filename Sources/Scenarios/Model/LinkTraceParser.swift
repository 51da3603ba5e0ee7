import DeadzoneBase
import DeadzoneTransport

/// Parses recorded link traces (network rate over time) in two file formats. Mahimahi has one time in milliseconds per
/// line, at which 1,500 bytes may leave. A table has columns of time and rate. The first line decides: one number is
/// Mahimahi, more are a table.
///
/// Columns of a table are separated by commas, semicolons, tabs or spaces; only the first two are used. The units are
/// seconds and Mbps, or those of a header line (`time_s` or `time_ms`; `Mbps`, `kbps` or `bps`). Digits beyond a
/// nanosecond or a bit per second are truncated, because spreadsheets write more digits than were measured.
///
/// Error messages name the line but do not quote it. The file may contain anything, and its content should not appear
/// in logs.
enum LinkTraceParser {
    /// Maximum size of a trace. The longest trace of the Mahimahi collection has 3.4 MB.
    static let mostBytes = 32 << 20

    static func read(_ bytes: [UInt8]) -> Result<LinkTrace, FileError> {
        guard bytes.count <= mostBytes else {
            return .failure(
                FileError("a trace has at most \(mostBytes >> 20) MiB, but this one has \(bytes.count >> 20)"))
        }
        var lines = LinkTraceLines(bytes)
        do throws(FileError) {
            return .success(try trace(&lines))
        } catch {
            return .failure(error)
        }
    }

    private static func trace(_ lines: inout LinkTraceLines) throws(FileError) -> LinkTrace {
        guard let first = lines.next() else { throw FileError("it is empty") }
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
        do throws(LinkTrace.TraceError) {
            return isTable
                ? try LinkTrace(starts: times, bitsPerSecond: rates) : try LinkTrace(opportunities: times)
        } catch {
            throw FileError(explain(error))
        }
    }

    /// The units of the header as powers of ten: nanoseconds per time unit, and bits per second per rate unit. `nil` if
    /// the first line is not a header.
    private static func names(
        _ fields: [ArraySlice<UInt8>], _ line: Int
    ) throws(FileError) -> (time: Int, rate: Int)? {
        let words = fields.prefix(2).map { String(decoding: $0, as: UTF8.self) }
        guard let byte = fields[0].first, !(48...57 ~= byte) else { return nil }
        guard let time = ["time_s": 9, "time_ms": 6][words[0]], let rate = ["Mbps": 6, "kbps": 3, "bps": 0][words[1]]
        else {
            throw FileError(
                "line \(line) is neither a row of numbers nor a header: the columns are time_s or time_ms, and Mbps, kbps or bps"
            )
        }
        return (time, rate)
    }

    private static func add(
        _ fields: [ArraySlice<UInt8>], _ isTable: Bool, _ units: (time: Int, rate: Int), _ line: Int,
        _ times: inout [Int64], _ rates: inout [Int64]
    ) throws(FileError) {
        if times.count >= LinkTrace.maxRows { throw FileError("more than \(LinkTrace.maxRows) lines") }
        guard isTable ? fields.count > 1 : fields.count == 1 else {
            throw FileError("line \(line) has \(fields.count) columns, unlike the first line")
        }
        guard let time = decimal(fields[0], tens: isTable ? units.time : 6) else {
            throw FileError("line \(line) does not begin with a time")
        }
        times.append(time)
        guard isTable else { return }
        guard let rate = decimal(fields[1], tens: units.rate) else {
            throw FileError("the second column of line \(line) is not a rate")
        }
        rates.append(rate)
    }

    /// Reads a decimal number times 10^`tens`, truncated to an integer; `nil` if the text is not a number.
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

    private static func explain(_ trouble: LinkTrace.TraceError) -> String {
        switch trouble {
        case .empty: "it is empty"
        case .tooManyRows: "more than \(LinkTrace.maxRows) lines"
        case .fallingTime(let row): "the time of entry \(row + 1) is not later than the one before it"
        case .noPeriod: "all its opportunities are at 0 ms: the last line must give the period of the trace"
        case .carriesNothing: "none of its rates is above zero"
        }
    }
}

/// The non-empty lines of a link trace file, split into columns. `#` begins a comment line.
struct LinkTraceLines {
    private let bytes: [UInt8]
    private var position = 0
    /// Number of the last line read, counted from 1.
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
