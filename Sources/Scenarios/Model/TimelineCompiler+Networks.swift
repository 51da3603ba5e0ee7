import DeadzonePrimitives
import DeadzoneSettings
import DeadzoneSystem
import DeadzoneWorld

/// Networks that come, go and are moved between.
extension TimelineCompiler {
    typealias Line = TimelineLine

    /// Where the phone is: Wi-Fi before cellular, as operating systems prefer.
    var current: Interface? { isUp[0] ? .wifi : isUp[1] ? .cellular : nil }

    mutating func join(_ interface: Interface, _ attachment: Attachment, _ event: Occurrence, _ line: Line) {
        guard has(interface, line) else { return }
        if isUp[interface.index] {
            let hasJoined = emitted.contains {
                if case .pathUp(interface, _) = $0.change { true } else { false }
            }
            return note(
                .contradiction, line,
                "\(interface.name) is up already"
                    + (event.at > .zero ? " at \(Measure.span.text(event.at.nanoseconds))" : ""),
                help: hasJoined
                    ? "it must be left before it is joined again, by `\(interface.name): off` or a `handoff`"
                    : "a phone begins on its first radio; without it, the timeline begins with `{at: 0s, \(interface.name): off}`"
            )
        }
        isUp[interface.index] = true
        arrives(event.at + attachment.latest, line)
        emit(event, .pathUp(interface, attachment))
    }

    mutating func leave(_ interface: Interface, _ manner: OldPath, _ event: Occurrence, _ line: Line) {
        guard isUp[interface.index] else {
            if event.at > .zero { note(.contradiction, line, "\(interface.name) is not up") }
            return
        }
        isUp[interface.index] = false
        emit(event, .pathDown(interface, manner))
    }

    mutating func handOff(to target: Interface, _ manner: Manner, _ event: Occurrence, _ line: Line) {
        guard has(target, line) else { return }
        let old = current
        if old == target, manner.network == nil {
            return note(
                .contradiction, line, "the phone is on \(target.name) already",
                help: "name the network that it moves to")
        }
        if old == target, manner.overlap.greatest > .zero {
            return note(.contradiction, line, "one radio is on one network at a time, so there is no overlap")
        }
        let isBeside = isUp[target.index] && old != target
        if isBeside, manner.gap.greatest > .zero || manner.attachment != .plain {
            let other = target == .wifi ? Interface.cellular : .wifi
            return note(
                .contradiction, line, "\(target.name) is up already, so nothing has to come up",
                help:
                    "`\(other.name):` joins beside \(target.name); a `handoff: \(other.name)` there leaves \(target.name), "
                    + "which then has to come up here; or leave out `gap` and whatever else tells of that")
        }
        if manner.overlap.greatest > .zero, let old {
            // Wi-Fi is let go only by a system that no longer thinks well of it.
            if old == .wifi { emit(event, .fading(.wifi)) }
            if !isBeside { emit(event, .pathUp(target, manner.attachment)) }
            emit(event, .pathDown(old, manner.oldPath), after: manner.overlap)
        } else {
            if let old { emit(event, .pathDown(old, manner.oldPath)) }
            if !isBeside { emit(event, .pathUp(target, manner.attachment), after: manner.gap) }
        }
        if let old { isUp[old.index] = false }
        isUp[target.index] = true
        arrives(event.at + manner.gap.least + manner.attachment.latest, line)
        busyUntil = event.at + max(manner.gap.greatest, manner.overlap.greatest)
    }

    /// A network that is of use when all is over is none.
    private mutating func arrives(_ at: Instant, _ line: Line) {
        guard at >= horizon else { return }
        let text = Measure.span.text(at.nanoseconds)
        note(.lateEvent, line, "the new network would be there at \(text), when the scenario is over")
    }

    /// Everything goes at once, and comes back at once: the cellular network first, as phones find it sooner.
    mutating func fly(_ length: SpanRange, _ manner: OldPath, _ event: Occurrence, _ line: Line) {
        guard current != nil else { return note(.contradiction, line, "the phone has no network to lose") }
        for interface in Interface.allCases where isUp[interface.index] { emit(event, .pathDown(interface, manner)) }
        for interface in Interface.allCases.reversed() where isUp[interface.index] {
            emit(event, .pathUp(interface, .plain), after: length)
        }
        busyUntil = event.at + length.greatest
    }

    mutating func switchRadio(to name: String, _ event: Occurrence, _ line: Line) {
        guard has(.cellular, line) else { return }
        guard !isWeak(event, line) else { return }
        guard let index = technologies.firstIndex(of: name) else {
            return note(
                .contradiction, line, "the phone has no \(name) radio",
                help: "add one beside `cellular` under phone: radios:")
        }
        if index == troubles.technology { return already("the radio is \(name)", event, line) }
        troubles.technology = index
        emit(event, .technology(UInt8(index)))
    }

    func has(radio interface: Interface) -> Bool { radios.contains(interface) }

    mutating func has(_ interface: Interface, _ line: Line) -> Bool {
        if has(radio: interface) { return true }
        note(.contradiction, line, "the phone has no \(interface.name) radio", help: "add one under phone: radios:")
        return false
    }

    mutating func isOn(_ interface: Interface, _ line: Line) -> Bool {
        guard has(interface, line) else { return false }
        if !isUp[interface.index] { note(.contradiction, line, "the phone is not on \(interface.name)") }
        return isUp[interface.index]
    }

    /// The interface that was named, or the one that the phone is on.
    mutating func named(_ interface: Interface?, _ line: Line) -> Interface? {
        guard let interface = interface ?? current else {
            note(.contradiction, line, "the phone has no network to lose")
            return nil
        }
        return has(interface, line) ? interface : nil
    }
}

extension Attachment {
    /// Until it is usable and the app knows.
    fileprivate var latest: TimeSpan { max(usableAfter, announcedAfter ?? .zero) }
}
