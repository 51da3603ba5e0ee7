import DeadzoneBase
import DeadzoneClient

/// A naive second ledger of the server's messages. It keeps sets of message numbers instead of positions and ranges,
/// and tests compare it with `Delivery` after every call.
struct ReferenceLedger {
    var rules = ReceivePolicy()
    var hasConsumer = false
    /// `true` if the server may leave out messages, so that the ledger remembers them.
    var leavesOut = false
    var service = TimeSpan.zero
    var bytes: (Int) -> Int = { _ in 0 }

    var now = Instant.zero
    /// Numbers of messages below which everything was shown, or has arrived.
    var (seen, received, cursor, persisted) = (0, 0, 0, 0)
    var log: [JournalEntry] = []
    var entered: [UInt32] = []

    /// Messages that the server skipped after a request for them.
    var gap: Range<Int>?
    var (isGapNoticed, awaitsSnapshot) = (false, false)
    var shownByOldProcess: Set<Int> = []
    var arrivedAgain = 0
    var leftOut: Set<Int> = []
    var openedAt: Instant?
    var freshFrom = 0

    var (handed, buffered, toPersist, credits, shownSinceRequest) = (0, 0, 0, 0, 0)
    var missing: Set<Int> = []
    var (skipped, known): (Set<Int>, Set<Int>) = ([], [])
    var (busyUntil, stallUntil) = (Instant.zero, Instant.zero)
    var isFull = false
    var (peakCount, heldBytes, peakBytes) = (0, 0, 0)

    mutating func note(_ kind: RecordKind, _ value: Int) { log.append(JournalEntry(kind, value: Int64(value))) }
    mutating func note<Tag>(_ kind: TaggedKind<Tag>, _ tag: Tag, _ value: Int) {
        log.append(JournalEntry(kind, tag, value: Int64(value)))
    }

    /// Message n was written n + 1 seconds after the start.
    func age(_ message: Int) -> Int { Int((now - Instant.zero).nanoseconds) - (message + 1) * 1_000_000_000 }

    // MARK: Arrival

    mutating func receive(_ run: Range<Int>) {
        recordSuppressed()
        if received < run.lowerBound { leaveOut(before: run.lowerBound) }
        let fresh = run.filter { $0 >= received }
        if hasConsumer {
            heldBytes += fresh.map(bytes).reduce(0, +)
            peakBytes = max(peakBytes, heldBytes)
        }
        arrivedAgain = run.count - fresh.count
        received = max(received, run.upperBound)
    }

    mutating func receive(datagram run: Range<Int>) {
        if received < run.lowerBound { miss(before: run.lowerBound, isGap: false) }
        received = max(received, run.upperBound)
    }

    mutating func receiveSnapshot(before head: Int) {
        (shownByOldProcess, gap, awaitsSnapshot) = ([], nil, false)
        received = max(received, head)
    }

    mutating func leaveOut(before next: Int) {
        if hasConsumer { return miss(before: next, isGap: false) }
        guard leavesOut, max(received, seen) < next else { return }
        leftOut.formUnion(max(received, seen)..<next)
        received = next
    }

    mutating func miss(before next: Int, isGap: Bool) {
        guard hasConsumer else {
            guard seen < next else { return }
            note(.lostDown, next - seen)
            seen = next
            received = max(received, next)
            gap = nil
            return noticeFreshness()
        }
        guard max(received, seen) < next else { return }
        let added = max(received, seen)..<next
        missing.formUnion(added)
        received = next
        if isGap { skipped = Set(added) } else { markKnown(Set(added)) }
    }

    mutating func markKnown(_ added: Set<Int>) {
        let remembered = known.filter { $0 >= seen }.isEmpty ? [] : known
        // The ledger keeps one range, so it also covers the messages between two ranges.
        guard let first = remembered.union(added).min(), let last = added.max() else { return known = added }
        known = Set(first...last)
    }

    // MARK: Gaps

    mutating func continueStream(at next: Int, isGap: Bool) {
        if received < next {
            if !isGap || hasConsumer {
                miss(before: next, isGap: isGap)
            } else {
                let from = max(received, seen)
                if let gap, gap.upperBound < from { passGap(before: from) }
                gap = (gap?.lowerBound ?? from)..<next
                (isGapNoticed, awaitsSnapshot) = (false, false)
                received = next
            }
        }
        shownByOldProcess = shownByOldProcess.filter { $0 >= next }
    }

    mutating func passGap(before end: Int) {
        guard let gap, gap.upperBound <= end else { return }
        showInOrder(upTo: gap.lowerBound)
        let lost = gap.filter { $0 >= seen }.count
        if lost > 0 {
            if !isGapNoticed { note(.gapUnnoticed, .down, lost) }
            note(.lostDown, lost)
        }
        seen = max(seen, gap.upperBound)
        self.gap = nil
    }

    mutating func noticeGap() {
        if hasConsumer {
            guard !skipped.isEmpty else { return }
            markKnown(skipped)
            note(.gapNoticed, .down, skipped.count)
            skipped = []
        } else if let gap, !isGapNoticed {
            isGapNoticed = true
            note(.gapNoticed, .down, gap.count)
        }
    }

    mutating func requestResync() {
        noticeGap()
        awaitsSnapshot = true
    }

    mutating func loseGap() {
        if let gap, !awaitsSnapshot { passGap(before: gap.upperBound) }
    }

    // MARK: Showing

    mutating func show(upTo limit: Int) {
        var end = min(limit, received)
        if let gap, gap.lowerBound < end, end < gap.upperBound || awaitsSnapshot { end = gap.lowerBound }
        let repeated = shownByOldProcess.filter { $0 < end }
        shownByOldProcess.subtract(repeated)
        if let last = repeated.max() { showTwice(repeated.count, isNewest: last + 1 == seen) }
        passGap(before: end)
        showInOrder(upTo: end)
        cursor = max(cursor, end)
        noticeFreshness()
    }

    mutating func showInOrder(upTo end: Int) {
        while seen < end {
            if leftOut.contains(seen) {
                loseLeftOut()
            } else {
                note(.deliveredDown, age(seen))
                seen += 1
            }
        }
    }

    mutating func showTwice(_ count: Int, isNewest: Bool) {
        note(.duplicatedDown, count)
        if count > (isNewest ? 1 : 0) { note(.reorderedDown, count - (isNewest ? 1 : 0)) }
        arrivedAgain = max(arrivedAgain - count, 0)
    }

    mutating func showAgain(_ range: Range<Int>) {
        let end = min(range.upperBound, seen)
        if range.lowerBound < end { showTwice(end - range.lowerBound, isNewest: end == seen) }
    }

    /// The app takes these messages for duplicates. It can do so only with messages that have arrived, in order, and it
    /// processes nothing behind a gap that awaits a snapshot.
    mutating func discard(_ range: Range<Int>) {
        show(upTo: range.lowerBound)
        var mistaken = 0
        func noteMistaken() {
            guard mistaken > 0 else { return }
            note(.mistakenDown, mistaken)
            note(.lostDown, mistaken)
            mistaken = 0
        }
        for message in range where message < received {
            if let gap, gap.lowerBound <= message {
                // The app skips a gap completely or not at all.
                let passes = gap.contains(message) && gap.upperBound <= min(range.upperBound, received)
                guard !awaitsSnapshot, passes else { break }
                noteMistaken()
                passGap(before: gap.upperBound)
            }
            if seen <= message {
                if leftOut.contains(message) {
                    noteMistaken()
                    loseLeftOut()
                } else {
                    mistaken += 1
                    seen = message + 1
                }
            }
            shownByOldProcess.remove(message)
            cursor = max(cursor, message + 1)
        }
        noteMistaken()
    }

    mutating func loseLeftOut() {
        let last = (seen...).first { !leftOut.contains($0) } ?? seen
        note(.lostDown, last - seen)
        seen = last
    }

    mutating func recordSuppressed() {
        if arrivedAgain > 0 { note(.suppressedDown, arrivedAgain) }
        arrivedAgain = 0
    }

    // MARK: Processes and freshness

    mutating func persist(_ position: Int) {
        var limit = position
        if hasConsumer && rules.cursor == .shown {
            toPersist = max(toPersist, position)
            limit = min(limit, cursor)
        }
        store(limit)
    }

    mutating func store(_ position: Int) { persisted = max(persisted, min(position, max(received, cursor))) }

    mutating func restart() {
        cursor = persisted
        if hasConsumer {
            lose(before: persisted)
            (missing, skipped, known) = ([], [], [])
            (handed, buffered, heldBytes, toPersist) = (seen, seen, 0, 0)
            (busyUntil, stallUntil) = (.zero, .zero)
            received = seen
            requestFirst()
        }
        recordSuppressed()
        shownByOldProcess = Set(min(cursor, seen)..<seen)
        received = seen
        (leftOut, gap, awaitsSnapshot) = ([], nil, false)
    }

    mutating func open(written: Int) {
        (openedAt, freshFrom) = (now, written)
        noticeFreshness()
    }

    mutating func noticeFreshness() {
        guard let openedAt, freshFrom <= seen else { return }
        note(.fresh, Int((now - openedAt).nanoseconds))
        self.openedAt = nil
    }

    mutating func leave() {
        if let openedAt { note(.stale, Int((now - openedAt).nanoseconds)) }
        openedAt = nil
    }
}
