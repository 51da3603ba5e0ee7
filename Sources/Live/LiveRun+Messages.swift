import DeadzoneBase
import DeadzoneSimulator

/// Records the messages that the programs report on their standard output.
extension LiveRun {
    mutating func handle(_ report: ProgramOutputParser.ProgramReport, of role: Role) {
        let at = max(livePath.now, min(now(), plan.world.horizon))
        switch (report, role) {
        case (.sent(let number), .client):
            if up.recordSent(number, at: at) { livePath.observer.appendRecord(.sentUp, value: number, at: at) }
        case (.seen(let number), .server):
            outcome.reportsMessages.up = true
            if up.wasSeen(number) {
                livePath.observer.appendRecord(.duplicatedUp, value: 1, at: at)
            } else if let span = up.recordSeen(number, at: at) {
                livePath.observer.appendRecord(.deliveredUp, value: span.nanoseconds, at: at)
            }
        case (.acked(let number), .client):
            outcome.reportsMessages.acknowledgements = true
            if let span = up.age(of: number, at: at) {
                livePath.observer.appendRecord(.acknowledgedUp, value: span.nanoseconds, at: at)
            } else {
                strayAcknowledgements.append(number)
            }
        case (.sent(let number), .server):
            if down.recordSent(number, at: at) { livePath.observer.appendRecord(.sentDown, value: number, at: at) }
        case (.seen(let number), .client):
            outcome.reportsMessages.down = true
            if down.wasSeen(number) {
                livePath.observer.appendRecord(.duplicatedDown, value: 1, at: at)
            } else if let span = down.recordSeen(number, at: at) {
                livePath.observer.appendRecord(.deliveredDown, value: span.nanoseconds, at: at)
            }
        case (.lost, .client): livePath.observer.appDetectedLoss(at: at)
        default: break
        }
    }

    mutating func finishMessages(at end: Instant) {
        for (book, isHeard, lost, pending, waited) in [
            (up, outcome.reportsMessages.up, RecordKind.lostUp, RecordKind.pendingUp, RecordKind.waitedUp),
            (down, outcome.reportsMessages.down, .lostDown, .pendingDown, .waitedDown),
        ] where isHeard {
            let missing = book.missing(at: end)
            livePath.observer.appendRecord(lost, value: missing.lost, at: end)
            livePath.observer.appendRecord(pending, value: Int64(missing.pending.count), at: end)
            for span in missing.pending { livePath.observer.appendRecord(waited, value: span.nanoseconds, at: end) }
        }
    }

    /// Notes about reports that are not understood or contradict each other.
    var reportNotes: [String] {
        var notes: [String] = []
        for (name, parser) in zip(["client", "server"], outputParsers) {
            guard let first = parser.firstUnknownReport else { continue }
            notes.append(
                "the \(name) printed \(plural(parser.unknownReports, "line")) that begin with `deadzone` and are not "
                    + "reports, first: \(visible(first, atMost: 80)); "
                    + "reports are sent N, seen N, acked N, connected, lost")
        }
        if let first = strayAcknowledgements.first {
            notes.append(
                "the client reported \(plural(strayAcknowledgements.count, "acknowledged message")) that it did not "
                    + "report as sent, first: deadzone acked \(first)")
        }
        return notes
    }
}
