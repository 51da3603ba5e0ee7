import DeadzoneDocuments
import DeadzoneJournal
import DeadzonePrimitives

/// The text of a line as `JSON` writes an object, with room for the numbers of a record.
struct LineForm: Sendable {
    enum Member {
        case word(JSON)
        case instant, phone, value
    }

    private struct Gap {
        enum Number { case instant, phone, value }

        let number: Number
        /// So much of the text stands before it.
        let place: Int
    }

    /// All but the numbers.
    private let text: [UInt8]
    private let gaps: [Gap]

    init(_ members: [String: Member]) {
        var text = "{"
        var gaps: [Gap] = []
        for (key, member) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            if text != "{" { text += ", " }
            text += JSON.string(key).text(.line) + ": "
            let number: Gap.Number
            switch member {
            case .word(let word):
                text += word.text(.line)
                continue
            case .instant: number = .instant
            case .phone: number = .phone
            case .value: number = .value
            }
            gaps.append(Gap(number: number, place: text.utf8.count))
        }
        self.text = Array((text + "}").utf8)
        self.gaps = gaps
    }

    /// From the last byte to the first, since of a number the last digit is known first.
    func append(_ record: Record, to bytes: inout [UInt8]) {
        let most = text.count + gaps.count * UnsafeMutableRawBufferPointer.mostDigits
        withUnsafeTemporaryAllocation(byteCount: most, alignment: 1) { line in
            var start = line.count
            var end = text.count
            text.withUnsafeBytes { text in
                for gap in gaps.reversed() {
                    line.put(text[gap.place..<end], before: &start)
                    end = gap.place
                    switch gap.number {
                    case .instant: line.put(record.at.nanoseconds, before: &start)
                    case .phone: line.put(Int64(record.lane), before: &start)
                    case .value: line.put(record.value, before: &start)
                    }
                }
                line.put(text[..<end], before: &start)
            }
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: line[start...]))
        }
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Of a number of 64 bits, its sign included.
    fileprivate static let mostDigits = 20

    fileprivate func put(_ text: Slice<UnsafeRawBufferPointer>, before start: inout Int) {
        start -= text.count
        self[start..<start + text.count].copyBytes(from: text)
    }

    /// In decimal digits.
    fileprivate func put(_ number: Int64, before start: inout Int) {
        var rest = number.magnitude
        repeat {
            start -= 1
            self[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        guard number < 0 else { return }
        start -= 1
        self[start] = UInt8(ascii: "-")
    }
}
