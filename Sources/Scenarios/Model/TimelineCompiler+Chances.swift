import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSettings
import DeadzoneWorld

/// What comes to each phone at a moment of its own, or to some phones alone.
extension TimelineCompiler {
    /// Who meets what a line says.
    mutating func meeting(_ line: TimelineLine) -> (share: Probability, lot: Lot?) {
        switch line.phones {
        case .share(let share): return (share, nil)
        case .count(let count):
            if count > readers.phones {
                note(
                    Fault(
                        .outOfRange, at: line.phonesMark, width: 6, "\(count) of \(readers.phones) phones",
                        label: "no more than \(readers.phones) live by this timeline",
                        help: "`phones` here is how many of them meet the entry; a share is written as 50%"))
            }
            return (.one, readers.lot(of: line.phones))
        }
    }

    /// The walk through a timeline is the same for every phone, so whoever is left out must be where the others are afterwards.
    mutating func mayVary(_ event: Occurrence, _ line: TimelineLine) -> Bool {
        guard event.saying.isDrawn || event.late.spread > .zero || event.leavesSomeOut else { return true }
        if event.saying.traits.contains(.ofServer), !event.isCommon || event.leavesSomeOut {
            note(
                .contradiction, line, "the server is the same for every phone",
                help: "with `together: true` all meet the moment that is drawn; `phones` stays away")
            return false
        }
        if event.leavesSomeOut, !event.saying.leavesNothing {
            note(
                .contradiction, line, "phones that do not meet it would be elsewhere from then on",
                help:
                    "`phones` stands beside what ends by itself or changes no state, as `dead-zone`, `airplane`, "
                    + "`readdress`, `kill: app`, `conditions` and `one-way` with `for`")
            return false
        }
        return true
    }

    /// Where one line says what the other speaks of, every phone meets them in one order: nothing else of the kind may come while
    /// it is open when a change does.
    mutating func checkOrder(_ ordered: [Emitted], _ lines: [TimelineLine]) {
        var open: [Emitted] = []
        for change in ordered {
            open.removeAll { $0.latest <= change.at }
            if let other = open.first(where: { $0.change.meets(change.change) && !$0.precedes(change) }) {
                let first = lines[max(other.line, 0)]
                note(
                    .contradiction, lines[max(change.line, 0)],
                    "it may come before or after what line \(first.mark.line) says, by the phone",
                    help: "\(first.text) comes or ends between \(text(other.at)) and \(text(other.latest))")
                return
            }
            if change.chance != nil { open.append(change) }
        }
    }

    private func text(_ instant: Instant) -> String { Measure.span.text(instant.nanoseconds) }
}

extension TimelineCompiler.Emitted {
    fileprivate var latest: Instant { TimelineEntry(at: at, change, chance: chance).latest }

    /// For every phone, whatever its dice say.
    fileprivate func precedes(_ other: Self) -> Bool {
        guard let mine = chance else { return at <= other.at }
        // Late by the same part of the same span: only what is drawn beside that can turn them round.
        if let its = other.chance, its.drawnAt == mine.drawnAt, its.late == mine.late {
            return at + mine.longer.spread <= other.at
        }
        return latest <= other.at
    }
}
