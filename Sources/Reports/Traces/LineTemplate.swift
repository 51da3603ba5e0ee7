import DeadzoneBase

/// A template for a JSON line of an event: fixed text, with gaps for the record's numbers.
struct LineTemplate: Sendable {
    enum TemplateMember {
        case constant(JSON)
        case instant, phone, value
    }

    private struct NumberSlot {
        enum SlotValue { case instant, phone, value }

        let number: SlotValue
        /// Byte offset in the text at which the number is inserted.
        let offset: Int
    }

    /// The line without the numbers.
    private let text: [UInt8]
    private let slots: [NumberSlot]

    init(_ members: [String: TemplateMember]) {
        var text = "{"
        var gaps: [NumberSlot] = []
        for (key, member) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            if text != "{" { text += ", " }
            text += JSON.string(key).text(.line) + ": "
            let number: NumberSlot.SlotValue
            switch member {
            case .constant(let word):
                text += word.text(.line)
                continue
            case .instant: number = .instant
            case .phone: number = .phone
            case .value: number = .value
            }
            gaps.append(NumberSlot(number: number, offset: text.utf8.count))
        }
        self.text = Array((text + "}").utf8)
        self.slots = gaps
    }

    /// Writes the line from its last byte to its first, because the last digit of a number is computed first.
    func append(_ record: Record, to bytes: inout [UInt8]) {
        let most = text.count + slots.count * UnsafeMutableRawBufferPointer.maxDigits
        withUnsafeTemporaryAllocation(byteCount: most, alignment: 1) { line in
            var start = line.count
            var end = text.count
            text.withUnsafeBytes { text in
                for slot in slots.reversed() {
                    line.write(text[slot.offset..<end], before: &start)
                    end = slot.offset
                    switch slot.number {
                    case .instant: line.write(record.at.nanoseconds, before: &start)
                    case .phone: line.write(Int64(record.phone), before: &start)
                    case .value: line.write(record.value, before: &start)
                    }
                }
                line.write(text[..<end], before: &start)
            }
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: line[start...]))
        }
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Most characters of a 64-bit number, including its sign.
    fileprivate static let maxDigits = 20

    fileprivate func write(_ text: Slice<UnsafeRawBufferPointer>, before start: inout Int) {
        start -= text.count
        self[start..<start + text.count].copyBytes(from: text)
    }

    /// Writes a number in decimal digits.
    fileprivate func write(_ number: Int64, before start: inout Int) {
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
