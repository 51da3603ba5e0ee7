import DeadzonePrimitives

/// Whether a timeout was right. The repeat is answered by the time stamp of what is acknowledged (RFC 3522): if that left before the
/// first repeat, the path was only slow (`tcp_packet_delayed`, `tcp_try_undo_loss`). Where the stamp is that of the repeat, which says
/// nothing of what followed it, Linux sends something new before it repeats more (RFC 5682 §3.1; `tcp_process_loss`, run on 6.18):
///
///     none ──timeout──▶ waiting ──a part is acknowledged, something new is there──▶ asking ──more is acknowledged──▶ none, undone
///       ▲                  │                                                          │
///       └──all of it is────┴──────────────────────the news arrives behind a hole──────┘
///
/// If it arrives behind a hole, the rest was lost and is repeated, a round trip later than without the question.
extension TCPEnd {
    @usableFromInline enum Doubt: UInt8, BitwiseCopyable, Sendable {
        case none, waiting, asking
    }

    /// The other end has more than before.
    mutating func doubtTimeout(_ packet: Packet) {
        if timer.inVain > 0 && packet.echo < timer.since || doubt == .asking { return undoTimeout() }
        guard doubt == .waiting else { return }
        doubt = packet.received < repaired && highest < written ? .asking : .none
    }

    /// Nothing that is in flight counts for lost any more.
    private mutating func undoTimeout() {
        window = max(window, windowBefore)
        threshold = max(threshold, thresholdBefore)
        nextByte = highest
        repaired = acknowledged
        (fresh, doubt) = (0, .none)
    }

    /// As much as the window has, once, beyond what was sent before the timeout. False where nothing new may leave: who cannot ask
    /// repeats (RFC 5682 §2.1, step 2b).
    mutating func sendFresh(at now: Instant, _ rules: UnsafePointer<TCPRules>, _ out: inout Departures) -> Bool {
        guard fresh == 0 else { return true }
        let reached = highest
        nextByte = highest
        let end = min(written, highest + UInt64(window) * UInt64(rules.pointee.segment))
        while nextByte < end, out.count + 1 < Departures.capacity, let (cause, last) = runs.stretch(from: nextByte) {
            send(.data, cause: cause, upTo: min(last, end), at: now, rules, &out)
        }
        nextByte = acknowledged
        guard highest > reached else { return false }
        fresh = UInt32(highest - reached)
        repaired = highest
        timer.restart(at: now, inFlight: true, asks: false, rules)
        return true
    }
}
