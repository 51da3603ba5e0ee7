import DeadzoneBase

/// Reads a battery history from the text of `dumpsys batterystats` (long form, `--history`, `--checkin`) or of a bug
/// report, in pieces and in memory that depends only on the number of changes.
///
/// A file may contain several histories: both forms of one, or earlier ones that ended with a reset. The reader keeps
/// the one that lasts longest; of equally long ones, that with more entries. Quoted texts are dropped, because they
/// contain accounts and addresses; only names that look like packages are kept.
package struct HistoryReader {
    /// Bytes of a line that are read. The rest of a longer line is ignored.
    static let maximumLine = 1 << 16
    /// Changes that are kept, so that a day needs less than 100 MiB of memory. A phone's own buffer of 4 MiB holds
    /// fewer, because an entry of a public history needs at least 6.5 bytes, and has 0.73 such changes or fewer.
    static let maximumEvents = 500_000

    private enum Section {
        case outside, history, totals
    }

    private var section = Section.outside
    private var carry: [UInt8] = []
    /// `true` while the rest of an overlong line is skipped.
    private var isSkipping = false
    private var current = HistoryBuilder()
    private var best = HistoryBuilder()
    private var finished = 0
    /// Milliseconds of the longest history that was not kept.
    private var secondLength: Int64 = 0
    /// Entries of an archive that were begun and contain a history, except for the last one, which may contain none.
    private var sources: [(source: HistorySource, totals: FileTotals)] = []
    /// Index of the entry with the best history.
    private var bestSource = 0
    /// Entries of an archive that are named in the answer.
    private static let maximumSources = 20
    private var totals = TotalsReader()

    /// Begins the next entry of an archive.
    package mutating func beginSource(_ name: String) {
        endSource()
        sources.append((HistorySource(name: name, length: 0, entries: 0), FileTotals()))
    }

    private mutating func endSource() {
        if !carry.isEmpty {
            let isEntry = section == .history || carry.starts(with: "9,h,".utf8)
            flushCarry()
            if isEntry, section != .totals { current.history.endsInLine = true }
        }
        leaveHistory()
        guard let last = sources.indices.last else { return }
        if sources[last].source.entries > 0 { sources[last].totals = totals.totals } else { sources.removeLast() }
        totals = TotalsReader(after: totals)
    }

    /// Reads the next piece of the text.
    package mutating func read(_ bytes: UnsafeRawBufferPointer) {
        var rest = UnsafeRawBufferPointer(rebasing: bytes[...])
        while !rest.isEmpty {
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
                keep(rest)
                return
            }
            let piece = UnsafeRawBufferPointer(rebasing: rest[..<end])
            rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
            if carry.isEmpty && !isSkipping {
                line(piece)
            } else {
                keep(piece)
                flushCarry()
            }
        }
    }

    private mutating func keep(_ piece: UnsafeRawBufferPointer) {
        let room = Self.maximumLine - carry.count
        carry.append(contentsOf: piece.prefix(room))
        isSkipping = room < piece.count
    }

    private mutating func flushCarry() {
        let whole = carry
        carry.removeAll(keepingCapacity: true)
        isSkipping = false
        whole.withUnsafeBytes { line($0) }
    }

    /// Ends the text and returns the history; `nil` if the text contains none.
    package mutating func finish() -> BatteryHistory? {
        endSource()
        let ownTotals = totals.totals
        guard best.history.entries > 0 else { return nil }
        var history = best.finish()
        history.otherHistories = finished - 1
        history.secondLength = secondLength
        history.totals = bestSource < sources.count ? sources[bestSource].totals : ownTotals
        if bestSource < sources.count {
            history.source = sources[bestSource].source.name
            let others = sources.indices.filter { $0 != bestSource }
            history.otherSources = others.prefix(Self.maximumSources).map { sources[$0].source }
        }
        return history
    }

    // MARK: Lines

    private mutating func line(_ raw: UnsafeRawBufferPointer) {
        var text = raw.bindMemory(to: UInt8.self)
        while text.last == UInt8(ascii: "\r") { text = UnsafeBufferPointer(rebasing: text.dropLast()) }
        guard text.count <= Self.maximumLine else {
            text = UnsafeBufferPointer(rebasing: text[..<Self.maximumLine])
            return line(UnsafeRawBufferPointer(text))
        }
        guard let first = text.first else {
            if section == .history { leaveHistory() }
            return
        }
        switch first {
        case UInt8(ascii: " "):
            switch section {
            case .outside: return
            case .history: longLine(text)
            case .totals: totals.longLine(text)
            }
        case UInt8(ascii: "9"): checkinLine(text)
        case UInt8(ascii: "B") where text.starts(with: "Battery History".utf8): beginLong(text)
        case UInt8(ascii: "S") where text.starts(with: "Statistics since last charge".utf8):
            leaveHistory()
            section = .totals
        case UInt8(ascii: "["): totals.propertyLine(text)
        // Samsung's phones with Android 7 print `rawRealtime = 540987611 (ms)` among the sums, without indentation.
        case _ where section == .totals && HistoryBuilder.contains(text, " = "): return
        default:
            // Details of the processor continue an entry, in several lines that may begin with a comma. Only an empty
            // line or the headline of another section ends a history.
            if section == .totals || first == UInt8(ascii: "-") || text.starts(with: "DUMP OF SERVICE".utf8) {
                leaveHistory()
            }
        }
    }

    private mutating func beginLong(_ text: UnsafeBufferPointer<UInt8>) {
        endHistory()
        section = .history
        current.history.form = .long
        current.history.bufferSize = Self.bufferSize(text)
    }

    /// Reads the buffer's size from the headline: `Battery History (7% used, 19KB used of 256KB, …)`.
    private static func bufferSize(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        let words = text.split(separator: UInt8(ascii: " "))
        guard let place = words.firstIndex(where: { $0.elementsEqual("of".utf8) }), place + 1 < words.endIndex else {
            return 0
        }
        return words[place + 1].prefix(7).prefix { (48...57).contains($0) }.reduce(0) { $0 * 10 + Int($1) - 48 }
    }

    private mutating func leaveHistory() {
        endHistory()
        section = .outside
    }

    /// Ends the present history and keeps it if it lasts longer than the best one, or as long with more entries.
    private mutating func endHistory() {
        guard current.history.entries > 0 else {
            current = HistoryBuilder(sharing: current)
            return
        }
        finished += 1
        let next = HistoryBuilder(sharing: current)
        let (old, new) = (best.history, current.history)
        if let last = sources.indices.last {
            let known = sources[last].source
            if (known.length, known.entries) < (new.length, new.entries) {
                sources[last].source = HistorySource(name: known.name, length: new.length, entries: new.entries)
            }
        }
        let isBetter = (old.length, old.entries) < (new.length, new.entries)
        secondLength = max(secondLength, isBetter ? old.length : new.length)
        if isBetter {
            best = current
            bestSource = max(sources.count - 1, 0)
        }
        current = next
    }

    private mutating func longLine(_ text: UnsafeBufferPointer<UInt8>) {
        if LongEntry.isReset(text), current.history.entries > 0 {
            let size = current.history.bufferSize
            endHistory()
            current.history.bufferSize = size
        }
        current.addLong(text)
    }

    /// Reads a line of the check-in form: `9,h,…` of the history, `9,hsp,…` of its texts, or `9,0,l,…` with a sum.
    private mutating func checkinLine(_ text: UnsafeBufferPointer<UInt8>) {
        guard text.starts(with: "9,".utf8) else {
            if section != .outside { leaveHistory() }
            return
        }
        let rest = UnsafeBufferPointer(rebasing: text[2...])
        if rest.starts(with: "h,".utf8) {
            if section == .history { leaveHistory() }
            let entry = UnsafeBufferPointer(rebasing: rest[2...])
            if CheckinEntry.isReset(entry) { endHistory() }
            current.history.form = .checkin
            current.addCheckin(entry)
        } else if rest.starts(with: "hsp,".utf8) {
            if current.history.form == .long { leaveHistory() }
            current.addText(UnsafeBufferPointer(rebasing: rest[4...]))
        } else {
            totals.checkinLine(rest)
        }
    }
}
