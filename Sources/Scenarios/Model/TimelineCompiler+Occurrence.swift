import DeadzoneBase
import DeadzoneSimulator

/// Changes that happen to each phone at a different time, or only to some phones.
extension TimelineCompiler {
    /// The phones that an entry affects.
    mutating func affectedPhones(_ line: TimelineLine) -> (share: Probability, sampler: PhoneSampler?) {
        switch line.phones {
        case .share(let share): return (share, nil)
        case .count(let count):
            if count > scope.phones {
                note(
                    Fault(
                        .outOfRange, at: line.phonesMark, width: 6, "\(count) of \(scope.phones) phones",
                        label: "only \(scope.phones) phones follow this timeline",
                        help: "`phones` is here the number of phones that the entry affects; write a share as 50%"))
            }
            return (.one, scope.sampler(of: line.phones))
        }
    }

    /// `false`, with a fault, if phones would be left in different states. The compiler walks the timeline once for all
    /// phones. A phone that skips an entry must therefore afterwards be in the same state as the others.
    mutating func canVary(_ event: Occurrence, _ line: TimelineLine) -> Bool {
        guard event.action.isDrawn || event.extraDelay.spread > .zero || event.affectsSubset else { return true }
        if event.action.traits.contains(.ofServer), !event.isCommon || event.affectsSubset {
            note(
                .contradiction, line, "the server is the same for every phone",
                help: "with `together: true` all phones get the same random moment; remove `phones`")
            return false
        }
        if event.affectsSubset, !event.action.isTransient {
            note(
                .contradiction, line, "phones that skip this entry would be in another state afterwards",
                help:
                    "`phones` needs a change that ends by itself or changes no state, such as `dead-zone`, `airplane`, "
                    + "`readdress`, `kill: app`, `conditions` and `one-way` with `for`")
            return false
        }
        return true
    }

    /// Notes a fault if two entries may reach a phone in either order although the order matters. If one change affects
    /// a state that the other depends on, no such change may fall into the other's time range.
    mutating func checkOrder(_ ordered: [Emitted], _ lines: [TimelineLine]) {
        var open: [Emitted] = []
        for change in ordered {
            open.removeAll { $0.latest <= change.at }
            if let other = open.first(where: { $0.change.interferes(change.change) && !$0.precedes(change) }) {
                let first = lines[max(other.line, 0)]
                let isRepeat = other.line == change.line
                note(
                    .contradiction, lines[max(change.line, 0)],
                    isRepeat
                        ? "it may happen again before it has ended, depending on the phone"
                        : "this may happen before or after line \(first.mark.line), depending on the phone",
                    help: (isRepeat ? "one occurrence" : first.text)
                        + " starts or ends between \(text(of: other.at)) and \(text(of: other.latest)), "
                        + (isRepeat ? "the next" : "this") + " at \(text(of: change.at)) or later")
                return
            }
            if change.occurrence != nil { open.append(change) }
        }
    }

}

extension Instant {
    /// The time since the start as users write it, in several units: `1h8m` instead of `4080s`.
    var compoundText: String { (self - Instant.zero).compoundText }
}

extension TimelineCompiler.Emitted {
    fileprivate var latest: Instant { TimelineEntry(at: at, change, occurrence: occurrence).latest }

    /// `true` if this change comes first on every phone, for all random draws.
    fileprivate func precedes(_ other: Self) -> Bool {
        guard let mine = occurrence else { return at <= other.at }
        // Both are delayed by the same draw. Only the additional random length can swap them.
        if let its = other.occurrence, its.drawnAt == mine.drawnAt, its.extraDelay == mine.extraDelay {
            return at + mine.extraLength.spread <= other.at
        }
        return latest <= other.at
    }
}
