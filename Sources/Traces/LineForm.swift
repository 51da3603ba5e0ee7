import DeadzoneDocuments
import DeadzoneJournal
import DeadzonePrimitives

/// The text of a line as `JSON` writes an object, with room for the numbers of a record.
struct LineForm: Sendable {
    enum Member {
        case word(JSON)
        case instant, phone, value
    }

    private enum Number {
        case instant, phone, value
    }

    /// What stands before each number, and behind the last.
    private var texts: [[UInt8]] = []
    private var numbers: [Number] = []

    init(_ members: [String: Member]) {
        var text = "{"
        for (key, member) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            if text != "{" || !texts.isEmpty { text += ", " }
            text += JSON.string(key).text(.line) + ": "
            let number: Number
            switch member {
            case .word(let word):
                text += word.text(.line)
                continue
            case .instant: number = .instant
            case .phone: number = .phone
            case .value: number = .value
            }
            texts.append(Array(text.utf8))
            numbers.append(number)
            text = ""
        }
        texts.append(Array((text + "}").utf8))
    }

    func append(_ record: Record, to bytes: inout [UInt8]) {
        for index in numbers.indices {
            bytes.append(contentsOf: texts[index])
            switch numbers[index] {
            case .instant: bytes.append(number: record.at.nanoseconds)
            case .phone: bytes.append(number: Int64(record.lane))
            case .value: bytes.append(number: record.value)
            }
        }
        bytes.append(contentsOf: texts[numbers.count])
    }
}

extension [UInt8] {
    /// In decimal digits.
    fileprivate mutating func append(number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        let first = count
        var rest = number.magnitude
        repeat {
            append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        self[first...].reverse()
    }
}
