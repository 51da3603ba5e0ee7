/// Reads the sums that the phone prints after the history, to compare them with those of the changes, and a few
/// properties of a bug report.
struct TotalsReader {
    private(set) var totals = FileTotals()

    init() {}

    /// Begins the next file of a report. The properties of the phone are those of the files before it.
    init(after other: TotalsReader) {
        totals.release = other.totals.release
        totals.timeZone = other.totals.timeZone
    }

    private static let longNames: [(StaticString, any WritableKeyPath<FileTotals, Int64?> & Sendable)] = [
        ("  Time on battery: ", \.onBattery), ("  Screen on: ", \.screenOn),
        ("  Idle mode light time: ", \.lightDoze), ("  Idle mode full time: ", \.deepDoze),
        ("  Idle mode time: ", \.deepDoze), ("  Mobile radio active time: ", \.mobileRadio),
        ("     Cellular kernel active time: ", \.mobileRadio), ("     Wifi kernel active time: ", \.wifiRadio),
        ("       completed ", \.wifiConnected), ("    completed ", \.wifiConnected),
    ]

    private static let byteNames: [(StaticString, any WritableKeyPath<FileTotals, Int64?> & Sendable)] = [
        ("     Cellular data received: ", \.mobileBytes), ("     Cellular data sent: ", \.mobileBytes),
        ("     Wifi data received: ", \.wifiBytes), ("     Wifi data sent: ", \.wifiBytes),
    ]

    /// Reads a line below `Statistics since last charge:`. The first line of each name counts.
    mutating func longLine(_ line: UnsafeBufferPointer<UInt8>) {
        for (name, path) in Self.longNames where totals[keyPath: path] == nil {
            guard let rest = Self.rest(of: line, after: name) else { continue }
            totals[keyPath: path] = Self.duration(rest)
            return
        }
        if let rest = Self.rest(of: line, after: "  Mobile radio active adjusted time: "), totals.lateMobile == nil {
            totals.lateMobile = Self.duration(rest).map { $0 * 1_000 }
            return
        }
        for (name, path) in Self.byteNames {
            guard let rest = Self.rest(of: line, after: name), let bytes = Self.bytes(rest) else { continue }
            totals[keyPath: path] = min((totals[keyPath: path] ?? 0) + bytes, 1 << 50)
            return
        }
    }

    /// Reads a property: `[ro.build.version.release]: [8.1.0]`.
    mutating func propertyLine(_ line: UnsafeBufferPointer<UInt8>) {
        if let rest = Self.rest(of: line, after: "[ro.build.version.release]: ["), totals.release == nil {
            let digits = rest.prefix(3).prefix { (48...57).contains($0) }
            if !digits.isEmpty { totals.release = digits.reduce(0) { $0 * 10 + Int($1) - 48 } }
        } else if let rest = Self.rest(of: line, after: "[persist.sys.timezone]: ["), totals.timeZone == nil {
            let name = rest.prefix { $0 != UInt8(ascii: "]") }
            if name.count <= 40, name.allSatisfy({ $0 > 32 && $0 < 127 }) {
                totals.timeZone = String(decoding: name, as: UTF8.self)
            }
        }
    }

    /// Reads a line of the check-in form, without `9,`. `0,l,m` and `0,l,bt` have the sums; fields as in
    /// `dumpCheckinLocked` of BatteryStats.java.
    mutating func checkinLine(_ line: UnsafeBufferPointer<UInt8>) {
        func field(_ fields: [Slice<UnsafeBufferPointer<UInt8>>], _ index: Int) -> Int64? {
            index < fields.count ? CheckinEntry.number(fields[index]) : nil
        }
        if let rest = Self.rest(of: line, after: "0,l,bt,") {
            totals.onBattery = totals.onBattery ?? field(rest.split(separator: UInt8(ascii: ",")), 1)
        } else if let rest = Self.rest(of: line, after: "0,l,m,") {
            let fields = rest.split(separator: UInt8(ascii: ","))
            totals.screenOn = totals.screenOn ?? field(fields, 0)
            totals.mobileRadio = totals.mobileRadio ?? field(fields, 4)
            totals.lateMobile = totals.lateMobile ?? field(fields, 5).map { $0 * 1_000 }
            totals.deepDoze = totals.deepDoze ?? field(fields, 9)
            totals.lightDoze = totals.lightDoze ?? field(fields, 15)
        }
    }

    private static func rest(
        of line: UnsafeBufferPointer<UInt8>, after name: StaticString
    ) -> Slice<UnsafeBufferPointer<UInt8>>? {
        let count = name.utf8CodeUnitCount
        guard line.count > count, name.withUTF8Buffer({ line.prefix(count).elementsEqual($0) }) else { return nil }
        return line.dropFirst(count)
    }

    /// Reads a duration of several words: `1h 43m 57s 740ms (9.2%)`.
    private static func duration(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
        var total: Int64?
        for word in text.split(separator: UInt8(ascii: " ")).prefix(5) {
            guard let part = LongEntry.time(word) else { break }
            total = (total ?? 0) + part
        }
        return total
    }

    /// Reads a size: `192.38MB`, `736.70KB` or `0B`, in powers of 1,024.
    private static func bytes(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
        let word = text.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: ",") }
        let whole = word.prefix { (48...57).contains($0) }
        guard !whole.isEmpty, whole.count < 9 else { return nil }
        var rest = word.dropFirst(whole.count)
        var hundredths = whole.reduce(Int64(0)) { $0 * 10 + Int64($1) - 48 } * 100
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            let decimals = rest.prefix { (48...57).contains($0) }
            rest = rest.dropFirst(decimals.count)
            let digits = Array(decimals.prefix(2)) + [48, 48]
            hundredths += Int64(digits[0] - 48) * 10 + Int64(digits[1] - 48)
        }
        switch rest.first {
        case UInt8(ascii: "B"): return hundredths / 100
        case UInt8(ascii: "K"): return hundredths * 1_024 / 100
        case UInt8(ascii: "M"): return hundredths * 1_048_576 / 100
        case UInt8(ascii: "G"): return hundredths * 1_073_741_824 / 100
        default: return nil
        }
    }
}
