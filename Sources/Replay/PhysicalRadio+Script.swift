import DeadzoneDevice
import DeadzonePrimitives

/// A live run knows what its radio was told, and its capture says so: the same radio is told it again, and packets only say who pays.
extension PhysicalRadio {
    /// - Parameter window: nil where the run begins, and where it ends.
    init(_ profile: RadioProfile, _ script: RadioScript, window: (from: Int64?, until: Int64?)) {
        let cues = script.cues
        let bounds = (
            from: window.from ?? script.beginsAt.nanoseconds, until: window.until ?? script.endsAt.nanoseconds
        )
        self.init(profile, stamps: .flowed, window: (bounds.from, bounds.until))
        // The radio of the run begins with it, and remembers nothing.
        let begin = script.beginsAt
        book.add(radio.settle(at: begin))
        radio = Radio(profile: profile, phases: script.phases, at: begin)
        // Where nobody told of Wi-Fi, it was there.
        if profile.technology == .wifi, !cues.contains(where: { $0.verb.isOfWiFi }) {
            book.add(radio.setAssociated(true, at: begin))
        }
        told = begin.nanoseconds
        self.script = cues[...]
        isScripted = true
    }

    /// Everything up to then, in the order of the run: of one moment transitions first.
    mutating func followScript(until end: Int64) {
        while let cue = script.first, cue.at.nanoseconds <= end {
            script.removeFirst()
            go(to: cue.at.nanoseconds)
            book.add(radio.obey(cue, for: .payload, profile).spent)
        }
        go(to: end)
    }

    private mutating func go(to end: Int64) {
        while radio.nextTransition.nanoseconds <= end { book.add(radio.advance(profile).spent) }
        told = max(told, end)
    }

    /// A window that ends with the last packet ends with the run.
    mutating func finishScript(_ end: ReplayWindow.End) {
        if end == .tail {
            followScript(until: script.last?.at.nanoseconds ?? told)
            book.until = endOfTail()
        }
        let end = max(told, book.until)
        followScript(until: end)
        book.add(radio.settle(at: Instant(nanoseconds: end)))
    }

    mutating func foldScripted(_ order: TimeOrder, _ tolls: inout [Toll]) {
        for index in order.settled {
            let blip = order.blips[index]
            followScript(until: blip.at)
            book.share(radio.level, until: blip.at)
            book.count(blip, at: blip.at)
            tolls[index] = book.takeToll()
        }
    }
}

extension RadioCue.Verb {
    fileprivate var isOfWiFi: Bool { if case .association = self { true } else { false } }
}
