import DeadzoneBase
import DeadzoneSimulator

/// Changes of networks: join, leave, move.
extension TimelineCompiler {
    typealias SourceLine = TimelineLine

    /// The default network: Wi-Fi before cellular, as operating systems prefer.
    var current: Interface? { isUp[0] ? .wifi : isUp[1] ? .cellular : nil }

    mutating func joinNetwork(_ interface: Interface, _ attachment: Attachment, _ event: Occurrence, _ line: SourceLine)
    {
        guard has(interface, line) else { return }
        if isUp[interface.index] {
            let hasJoined = emitted.contains {
                if case .pathUp(interface, _) = $0.change { true } else { false }
            }
            return note(
                .contradiction, line,
                "\(interface.name) is up already"
                    + (event.at > .zero ? " at \(QuantityKind.span.text(event.at.nanoseconds))" : ""),
                help: hasJoined
                    ? "leave it before it is joined again, with `\(interface.name): off` or a `handoff`"
                    : "a phone starts on its first radio; to start without it, begin the timeline with `{at: 0s, \(interface.name): off}`"
            )
        }
        isUp[interface.index] = true
        isMetered[interface.index] = attachment.isMetered
        checkArrival(event.at + attachment.latest, line)
        emit(event, .pathUp(interface, attachment))
    }

    mutating func leaveNetwork(
        _ interface: Interface, _ manner: PathLossSignal, _ event: Occurrence, _ line: SourceLine
    ) {
        guard isUp[interface.index] else {
            if event.at > .zero { note(.contradiction, line, "\(interface.name) is not up") }
            return
        }
        isUp[interface.index] = false
        emit(event, .pathDown(interface, manner))
    }

    mutating func handOff(to target: Interface, _ manner: TimelineModifiers, _ event: Occurrence, _ line: SourceLine) {
        guard has(target, line) else { return }
        let old = current
        if old == target, manner.network == nil {
            return note(
                .contradiction, line, "the phone is on \(target.name) already",
                help: "name the network that the phone moves to")
        }
        if old == target, manner.overlap.greatest > .zero {
            return note(.contradiction, line, "one radio is on one network at a time, so there is no overlap")
        }
        let isBeside = isUp[target.index] && old != target
        if isBeside, manner.gap.greatest > .zero || manner.attachment != .plain {
            let other = target == .wifi ? Interface.cellular : .wifi
            return note(
                .contradiction, line, "\(target.name) is up already, so there is nothing to join",
                help:
                    "`\(other.name):` joins beside \(target.name); a `handoff: \(other.name)` there leaves \(target.name), "
                    + "which must then be joined again here; or remove `gap` and the other keys of a join")
        }
        if manner.overlap.greatest > .zero, let old {
            // A system leaves Wi-Fi only after the Wi-Fi's quality has dropped.
            if old == .wifi { emit(event, .fading(.wifi)) }
            if !isBeside { emit(event, .pathUp(target, manner.attachment)) }
            emit(event, .pathDown(old, manner.oldPath), after: manner.overlap)
        } else {
            if let old { emit(event, .pathDown(old, manner.oldPath)) }
            if !isBeside { emit(event, .pathUp(target, manner.attachment), after: manner.gap) }
        }
        if let old { isUp[old.index] = false }
        isUp[target.index] = true
        if !isBeside { isMetered[target.index] = manner.attachment.isMetered }
        checkArrival(event.at + manner.gap.least + manner.attachment.latest, line)
        busyUntil = event.at + max(manner.gap.greatest, manner.overlap.greatest)
    }

    /// Notes a fault if the network becomes usable only after the end of the scenario.
    private mutating func checkArrival(_ at: Instant, _ line: SourceLine) {
        guard at >= horizon else { return }
        let text = QuantityKind.span.text(at.nanoseconds)
        note(.lateEvent, line, "the new network would be there at \(text), when the scenario is over")
    }

    /// Airplane mode: all networks go at once and return at once. Cellular returns first, because phones find it
    /// sooner.
    mutating func useAirplaneMode(
        _ length: SpanRange, _ manner: PathLossSignal, _ event: Occurrence, _ line: SourceLine
    ) {
        guard current != nil else { return note(.contradiction, line, "the phone has no network to lose") }
        for interface in Interface.allCases where isUp[interface.index] { emit(event, .pathDown(interface, manner)) }
        for interface in Interface.allCases.reversed() where isUp[interface.index] {
            let same = Attachment(isMetered: isMetered[interface.index])
            emit(event, .pathUp(interface, same), after: length)
        }
        busyUntil = event.at + length.greatest
    }

    mutating func switchRadio(to name: String, _ event: Occurrence, _ line: SourceLine) {
        guard has(.cellular, line) else { return }
        guard !isWeak(event, line) else { return }
        guard let index = technologies.firstIndex(of: name) else {
            return note(
                .contradiction, line, "the phone has no \(name) radio",
                help: "add one beside `cellular` under phone: radios:")
        }
        if index == activeState.technology { return noteRedundant("the radio is \(name)", event, line) }
        activeState.technology = index
        emit(event, .technology(UInt8(index)))
    }

    /// Notes a fault for a `metered` that no data saver reads.
    mutating func checkMetered(_ lines: [SourceLine]) {
        guard !clientsAvoidMetered, !emitted.contains(where: { $0.change == .dataSaver(true) }) else { return }
        for one in emitted {
            guard case .pathUp(_, let attachment) = one.change, attachment.isMetered != nil, one.line >= 0 else {
                continue
            }
            return note(
                .contradiction, lines[one.line], "`metered` without `data-saver: on`",
                help:
                    "only data saver, and a client with `connect: {when: unmetered}`, tell metered networks from others"
            )
        }
    }

    func has(radio interface: Interface) -> Bool { radios.contains(interface) }

    mutating func has(_ interface: Interface, _ line: SourceLine) -> Bool {
        if has(radio: interface) { return true }
        note(.contradiction, line, "the phone has no \(interface.name) radio", help: "add one under phone: radios:")
        return false
    }

    mutating func isOn(_ interface: Interface, _ line: SourceLine) -> Bool {
        guard has(interface, line) else { return false }
        if !isUp[interface.index] { note(.contradiction, line, "the phone is not on \(interface.name)") }
        return isUp[interface.index]
    }

    /// The named interface, or the phone's current one.
    mutating func namedInterface(_ interface: Interface?, _ line: SourceLine) -> Interface? {
        guard let interface = interface ?? current else {
            note(.contradiction, line, "the phone has no network to lose")
            return nil
        }
        return has(interface, line) ? interface : nil
    }
}

extension Attachment {
    /// Time until the network is usable and the app is notified of it.
    fileprivate var latest: TimeSpan { max(usableAfter, announcedAfter ?? .zero) }
}
