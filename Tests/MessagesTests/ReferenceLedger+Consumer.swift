import DeadzoneBase
import DeadzoneClient

/// The consumer of the naive ledger: its buffer, its requests, and the end of the run.
extension ReferenceLedger {
    /// Messages in the buffer, oldest first.
    var inBuffer: [Int] { (seen..<max(buffered, seen)).filter { !missing.contains($0) } }
    var isOutOfCredit: Bool { rules.demand != nil && credits == 0 }
    var slots: Int { Int(max(rules.buffer.capacity, 1)) }
    var consumesAt: Instant { !hasConsumer || inBuffer.isEmpty ? .never : max(busyUntil, stallUntil, now) }

    mutating func handOver(upTo limit: Int, appRuns: Bool) {
        guard hasConsumer else { return show(upTo: limit) }
        handed = max(handed, min(limit, received))
        advance(appRuns: appRuns)
    }

    mutating func advance(appRuns: Bool) {
        guard hasConsumer else { return }
        buffered = max(buffered, seen)
        consume(appRuns: appRuns)
        while buffered < handed {
            let message = buffered
            guard !missing.contains(message) else {
                // The whole gap is passed, even if the app was handed only a part of it.
                buffered = (message...).first { !missing.contains($0) } ?? message
                continue
            }
            if isOutOfCredit {
                noteFull()
                break
            }
            if inBuffer.count >= slots {
                noteFull()
                if rules.buffer.overflow == .suspend { break }
                let oldest = inBuffer.first ?? message
                let dropped = rules.buffer.overflow == .dropOldest ? oldest : message
                note(.bufferDropped, rules.buffer.overflow == .dropOldest ? .dropOldest : .dropLatest, 1)
                heldBytes = max(heldBytes - bytes(dropped), 0)
                missing.insert(dropped)
            }
            buffered = message + 1
            if rules.demand != nil { credits -= 1 }
            entered.append(UInt32(message))
            peakCount = max(peakCount, inBuffer.count)
            if inBuffer.count < slots && !isOutOfCredit { isFull = false }
            moveCursor()
            consume(appRuns: appRuns)
        }
        moveCursor()
    }

    mutating func moveCursor() {
        if rules.cursor == .received { cursor = max(cursor, buffered) }
    }

    mutating func noteFull() {
        if !isFull { note(.bufferFilled, inBuffer.count) }
        isFull = true
    }

    mutating func consume(appRuns: Bool) {
        while appRuns, let message = inBuffer.first, max(busyUntil, stallUntil) <= now {
            lose(before: message)
            missing = missing.filter { $0 >= message }
            heldBytes = max(heldBytes - bytes(message), 0)
            show(upTo: message + 1)
            requestMore()
            busyUntil = now + service
            if toPersist > persisted { store(min(toPersist, cursor)) }
        }
    }

    /// The consumer passes messages that it never gets.
    mutating func lose(before end: Int) {
        guard seen < end else { return }
        note(.lostDown, end - seen)
        let unknown = (seen..<end).filter { !known.contains($0) }.count
        if unknown > 0 { note(.gapUnnoticed, .down, unknown) }
        seen = end
        noticeFreshness()
    }

    mutating func stall(for span: TimeSpan) {
        guard hasConsumer, span > .zero else { return }
        stallUntil = max(stallUntil, now + span)
        note(.consumerStalled, Int(span.nanoseconds))
    }

    mutating func reconnect(_ request: ResumeRequest) {
        guard hasConsumer else { return }
        var kept = rules.demand == nil && rules.buffer.overflow != .suspend ? received : max(buffered, seen)
        if rules.cursor == .shown && request != .fresh {
            kept = seen
            let dropped = missing.filter { $0 < buffered }.count
            if dropped > 0 { note(.gapNoticed, .down, dropped) }
            credits += inBuffer.count
            (missing, skipped, known) = ([], [], [])
            buffered = kept
        }
        guard kept < received else { return }
        heldBytes = max(heldBytes - (kept..<received).map(bytes).reduce(0, +), 0)
        received = kept
        handed = min(handed, kept)
        missing = missing.filter { $0 < kept }
    }

    // MARK: Requests

    mutating func requestFirst() {
        guard hasConsumer, let demand = rules.demand else { return }
        (credits, shownSinceRequest) = (0, 0)
        request(Int(demand.initial))
    }

    mutating func requestMore() {
        guard let demand = rules.demand, demand.refill > 0 else { return }
        shownSinceRequest += 1
        if shownSinceRequest == Int(demand.refillAfter) {
            shownSinceRequest = 0
            request(Int(demand.refill))
        }
    }

    mutating func requestMessages(_ count: Int, appRuns: Bool) {
        guard hasConsumer, rules.demand != nil else { return }
        request(count)
        advance(appRuns: appRuns)
    }

    mutating func request(_ count: Int) {
        guard count > 0 else { return }
        credits += count
        note(.messagesAsked, count)
    }

    // MARK: The horizon

    mutating func finish(written: Int, unreachable: Int, inFlight: Int?) {
        if hasConsumer {
            let oldest = (seen...).first { !missing.contains($0) } ?? seen
            lose(before: oldest)
            missing = missing.filter { $0 >= oldest }
            if !missing.isEmpty { note(.lostDown, missing.count) }
            note(.bufferPeak, peakCount)
            note(.memoryPeak, peakBytes)
        } else {
            leftOut = leftOut.filter { $0 >= seen }
            if !leftOut.isEmpty { note(.lostDown, leftOut.count) }
        }
        let had = max(received, seen)
        let open = (seen..<max(written, seen)).filter { !missing.contains($0) && !leftOut.contains($0) }
        var pending = open.filter { !(had..<had + unreachable).contains($0) }
        if let inFlight { pending = (seen..<max(written, seen)).suffix(min(pending.count, inFlight)) }
        if open.count > pending.count { note(.lostDown, open.count - pending.count) }
        guard !pending.isEmpty else { return }
        note(.pendingDown, pending.count)
        for message in pending { note(.waitedDown, age(message)) }
    }
}
