/// Reads lines of the check-in form: `9,h,2300,-r,Wsp=compl,+Etp=3`, which are the milliseconds since the entry before,
/// and the changes as codes. Events refer to texts of a pool: `9,hsp,3,10032,"com.example.chat"`.
enum CheckinEntry {
    static func isReset(_ entry: UnsafeBufferPointer<UInt8>) -> Bool {
        HistoryBuilder.contains(UnsafeBufferPointer(rebasing: entry.prefix(40)), ":RESET:TIME:")
    }

    static func number(_ text: some Collection<UInt8>) -> Int64? {
        let isNegative = text.first == UInt8(ascii: "-")
        let digits = isNegative ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.count < 18, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
        let value = digits.reduce(Int64(0)) { $0 * 10 + Int64($1) - 48 }
        return isNegative ? -value : value
    }
}

extension HistoryBuilder {
    /// Reads one line of the history, without `9,h,`.
    mutating func addCheckin(_ entry: UnsafeBufferPointer<UInt8>) {
        let comma = entry.firstIndex(of: UInt8(ascii: ",")) ?? entry.count
        let head = UnsafeBufferPointer(rebasing: entry[..<comma])
        let parts = head.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard let delta = parts.first.flatMap({ CheckinEntry.number($0) }) else {
            history.entries += 1
            return
        }
        guard beginEntry(after: delta) else { return }
        if parts.count > 1 {
            addCheckinCommand(Array(parts.dropFirst()))
        } else if comma < entry.count {
            addCodes(UnsafeBufferPointer(rebasing: entry[(comma + 1)...]))
        }
        endEntry()
    }

    private mutating func addCheckinCommand(_ parts: [Slice<UnsafeBufferPointer<UInt8>>]) {
        let name = parts[0]
        if name.elementsEqual("START".utf8) {
            addStart()
        } else if name.elementsEqual("SHUTDOWN".utf8) {
            addShutdown()
        } else if name.elementsEqual("*OVERFLOW*".utf8) {
            addOverflow()
        } else if let wall = parts.last.flatMap({ CheckinEntry.number($0) }), parts.count > 1 {
            addClock(wall: wall)
        } else {
            markUnknown(name)
        }
    }

    private mutating func addCodes(_ codes: UnsafeBufferPointer<UInt8>) {
        for code in codes.split(separator: UInt8(ascii: ",")) {
            var rest = code[...]
            var sign: Bool?
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
                sign = rest.first == UInt8(ascii: "+")
                rest = rest.dropFirst()
            }
            let equals = rest.firstIndex(of: UInt8(ascii: "=")) ?? rest.endIndex
            let name = rest[..<equals]
            guard let word = word(name) else {
                markUnknown(name)
                continue
            }
            if name.elementsEqual("Dcpu".utf8) || name.elementsEqual("Dpst".utf8) {
                // The rest of the line are numbers of the processor.
                return
            }
            let value = UnsafeBufferPointer(rebasing: equals < rest.endIndex ? rest[(equals + 1)...] : rest[equals...])
            switch word {
            case .unused, .names: continue
            case .connectivity, .top, .radioWake, .allowList, .job:
                guard let index = CheckinEntry.number(value), let place = Int(exactly: index),
                    texts.indices.contains(place)
                else { continue }
                addEvent(word, isOn: sign, texts[place])
            default: addState(word, isOn: sign, value)
            }
        }
    }

    /// Reads one text of the pool, without `9,hsp,`: index, user id, text.
    mutating func addText(_ line: UnsafeBufferPointer<UInt8>) {
        let parts = line.split(separator: UInt8(ascii: ","), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let index = CheckinEntry.number(parts[0]), let uid = CheckinEntry.number(parts[1]),
            (0..<Int64(Self.maximumTexts)).contains(index), let user = Int32(exactly: uid)
        else { return }
        var text = parts[2]
        if text.first == UInt8(ascii: "\"") { text = text.dropFirst() }
        if text.last == UInt8(ascii: "\"") { text = text.dropLast() }
        while texts.count <= Int(index) { texts.append(PooledText()) }
        texts[Int(index)] = pooled(user, UnsafeBufferPointer(rebasing: text))
    }
}
