/// Reads lines of the long form: `+1h43m42s844ms (1) 061 device_idle=light`, which are the time since the beginning,
/// the number of steps in the phone's buffer, the battery level, and the changes.
enum LongEntry {
    static func isReset(_ line: UnsafeBufferPointer<UInt8>) -> Bool { HistoryBuilder.contains(line, ") RESET:TIME:") }

    /// Reads a time such as `0`, `+2m35s493ms` or `-81ms` in milliseconds; `nil` if the word is no time.
    static func time(_ word: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
        var digits = word[...]
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
        guard !digits.isEmpty else { return nil }
        if digits.count == 1, digits.first == UInt8(ascii: "0") { return 0 }
        var total: Int64 = 0
        while let first = digits.first {
            guard (48...57).contains(first) else { return nil }
            var number: Int64 = 0
            while let digit = digits.first, (48...57).contains(digit) {
                guard number < 100_000_000 else { return nil }
                number = number * 10 + Int64(digit) - 48
                digits = digits.dropFirst()
            }
            guard let unit = digits.first else { return nil }
            digits = digits.dropFirst()
            switch unit {
            case UInt8(ascii: "d"): total += number * 86_400_000
            case UInt8(ascii: "h"): total += number * 3_600_000
            case UInt8(ascii: "s"): total += number * 1_000
            case UInt8(ascii: "m") where digits.first == UInt8(ascii: "s"):
                digits = digits.dropFirst()
                total += number
            case UInt8(ascii: "m"): total += number * 60_000
            default: return nil
            }
        }
        return isNegative ? -total : total
    }

    /// Reads a user id: `1000`, `-1`, or `u0a385`, the 385th app of user 0. -1 if it is none.
    static func uid(_ text: UnsafeBufferPointer<UInt8>) -> Int32 {
        func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
            guard !digits.isEmpty, digits.count < 8, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
            return digits.reduce(0) { $0 * 10 + Int64($1) - 48 }
        }
        guard text.first == UInt8(ascii: "u") else { return number(text[...]).map { Int32($0) } ?? -1 }
        let rest = text.dropFirst()
        guard let letter = rest.firstIndex(where: { !(48...57).contains($0) }), let user = number(rest[..<letter])
        else {
            return -1
        }
        var app = rest[(letter + 1)...]
        let firstApp: Int64
        switch rest[letter] {
        case UInt8(ascii: "a"): firstApp = 10_000
        case UInt8(ascii: "i"): firstApp = 99_000
        case UInt8(ascii: "s"): firstApp = 0
        default: return -1
        }
        // Isolated processes of a zygote: `u0ai7`.
        if app.first == UInt8(ascii: "i") { app = app.dropFirst() }
        return number(app).flatMap { Int32(exactly: user * 100_000 + firstApp + $0) } ?? -1
    }

    /// Reads a local time such as `2016-11-06-18-40-15` in milliseconds since 1970, as if it were UTC.
    static func wallTime(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        let parts = text.split(separator: UInt8(ascii: "-")).map { part -> Int64? in
            guard part.count <= 4, part.allSatisfy({ (48...57).contains($0) }) else { return nil }
            return part.reduce(0) { $0 * 10 + Int64($1) - 48 }
        }
        let numbers = parts.compactMap(\.self)
        guard parts.count == 6, numbers.count == 6, (1...12).contains(numbers[1]), (1...31).contains(numbers[2]) else {
            return nil
        }
        let days = CalendarDay.sinceEpoch(year: numbers[0], month: numbers[1], day: numbers[2])
        return ((days * 24 + numbers[3]) * 60 + numbers[4]) * 60_000 + numbers[5] * 1_000
    }
}

/// Converts between dates of the Gregorian calendar and days since 1970.
enum CalendarDay {
    static func sinceEpoch(year: Int64, month: Int64, day: Int64) -> Int64 {
        // Years begin in March here, so that the leap day is the last one.
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

extension HistoryBuilder {
    /// Reads one line of the long form. Lines that continue an entry with details of the processor are skipped.
    mutating func addLong(_ line: UnsafeBufferPointer<UInt8>) {
        var scanner = ItemScanner(line)
        guard let first = scanner.word() else { return }
        guard let at = LongEntry.time(line[first]) else {
            if let byte = line[first].first, (48...57).contains(byte) || byte == UInt8(ascii: "+") {
                history.entries += 1
            }
            return
        }
        guard let steps = scanner.word(), line[steps.lowerBound] == UInt8(ascii: "(") else { return }
        guard beginEntry(at: at) else { return }
        addItems(&scanner, line)
        endEntry()
    }

    private mutating func addItems(_ scanner: inout ItemScanner, _ line: UnsafeBufferPointer<UInt8>) {
        var isFirst = true
        while let item = scanner.item() {
            defer { isFirst = false }
            let name = line[item.name]
            if item.value == nil, item.sign == nil {
                // The battery level, or in older forms the states as a hexadecimal number.
                if name.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) { continue }
                if isFirst, addCommand(name, &scanner, line) { return }
            }
            guard let word = word(name) else {
                markUnknown(name)
                continue
            }
            let value =
                item.value.map { UnsafeBufferPointer(rebasing: line[$0]) } ?? UnsafeBufferPointer(start: nil, count: 0)
            switch word {
            case .unused: continue
            case .connectivity, .top, .radioWake, .allowList, .job, .names:
                let quoted = item.quoted.map { UnsafeBufferPointer(rebasing: line[$0]) }
                let text = pooled(LongEntry.uid(value), quoted ?? UnsafeBufferPointer(start: nil, count: 0))
                addEvent(word, isOn: item.sign, text)
            default: addState(word, isOn: item.sign, value)
            }
        }
    }

    /// Reads an entry that is a command. Returns `false` if the name is none.
    private mutating func addCommand(
        _ name: Slice<UnsafeBufferPointer<UInt8>>, _ scanner: inout ItemScanner, _ line: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        if name.elementsEqual("START".utf8) {
            addStart()
        } else if name.elementsEqual("SHUTDOWN".utf8) {
            addShutdown()
        } else if name.elementsEqual("*OVERFLOW*".utf8) {
            addOverflow()
        } else if name.elementsEqual("TIME:".utf8) || name.elementsEqual("RESET:TIME:".utf8) {
            guard let text = scanner.word(),
                let wall = LongEntry.wallTime(UnsafeBufferPointer(rebasing: line[text]))
            else {
                markUnknown(name)
                return true
            }
            addClock(wall: wall)
        } else {
            return false
        }
        return true
    }
}

/// Splits a line of the long form into words and items. Quoted texts may contain spaces.
struct ItemScanner {
    /// One change: `+screen`, `temp=301`, or `top=u0a385:"com.example.chat"`.
    struct HistoryItem {
        /// `true` for `+`, `false` for `-`, `nil` without a sign.
        var sign: Bool?
        var name: Range<Int>
        /// Text after `=`, before a quoted text.
        var value: Range<Int>?
        var quoted: Range<Int>?
    }

    private let line: UnsafeBufferPointer<UInt8>
    private var at = 0

    init(_ line: UnsafeBufferPointer<UInt8>) { self.line = line }

    mutating func word() -> Range<Int>? {
        while at < line.count, line[at] == UInt8(ascii: " ") { at += 1 }
        let start = at
        while at < line.count, line[at] != UInt8(ascii: " ") { at += 1 }
        return start < at ? start..<at : nil
    }

    mutating func item() -> HistoryItem? {
        while at < line.count, line[at] == UInt8(ascii: " ") { at += 1 }
        guard at < line.count else { return nil }
        var sign: Bool?
        if line[at] == UInt8(ascii: "+") || line[at] == UInt8(ascii: "-") {
            sign = line[at] == UInt8(ascii: "+")
            at += 1
        }
        let start = at
        while at < line.count, line[at] != UInt8(ascii: " "), line[at] != UInt8(ascii: "=") { at += 1 }
        var item = HistoryItem(sign: sign, name: start..<at)
        guard at < line.count, line[at] == UInt8(ascii: "=") else { return item }
        at += 1
        let valueStart = at
        while at < line.count, line[at] != UInt8(ascii: " "), line[at] != UInt8(ascii: "\"") { at += 1 }
        var valueEnd = at
        if at < line.count, line[at] == UInt8(ascii: "\"") {
            if valueStart < valueEnd, line[valueEnd - 1] == UInt8(ascii: ":") { valueEnd -= 1 }
            item.quoted = quotedText()
        }
        item.value = valueStart..<valueEnd
        return item
    }

    /// Reads a quoted text. The phone does not escape quotes, so the text ends at a quote before a space or the end.
    private mutating func quotedText() -> Range<Int> {
        let start = at + 1
        at = start
        while at < line.count {
            if line[at] == UInt8(ascii: "\""), at + 1 == line.count || line[at + 1] == UInt8(ascii: " ") {
                at += 1
                return start..<(at - 1)
            }
            at += 1
        }
        return start..<line.count
    }
}
