import DeadzoneBase
import DeadzoneSimulator

/// An airplane mode of a timeline. The user can turn Wi-Fi on while it lasts, and Wi-Fi keeps its state at the end
/// (Android's `WifiSettingsStore`: WIFI_ENABLED_APM_OVERRIDE becomes WIFI_ENABLED; iOS does the same).
struct AirplaneMode {
    /// Earliest end.
    var until: Instant
    /// `true` if it affects every phone.
    var affectsAll: Bool
    /// Index of the emitted change that brings Wi-Fi back at the end; `nil` if there is none.
    var returnOfWiFi: Int?
    /// `true` while Wi-Fi is on in this airplane mode.
    var hasWiFi = false
}

/// Changes of networks: join, leave, move.
extension TimelineCompiler {
    /// The default network: the first one that is up, in the system's order of preference.
    var current: Interface? { radios.first { isUp[$0.index] } }

    mutating func joinNetwork(
        _ interface: Interface, _ attachment: Attachment, _ event: Occurrence, _ line: TimelineLine
    ) {
        guard has(interface, line) else { return }
        if event.at < busyUntil { return turnOnWiFi(attachment, event, line) }
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
        reach[interface.index] = attachment.reach
        checkArrival(event.at + attachment.latest, line)
        emit(event, .pathUp(interface, attachment))
    }

    mutating func leaveNetwork(
        _ interface: Interface, _ lossSignal: PathLossSignal, _ event: Occurrence, _ line: TimelineLine
    ) {
        let isInAirplaneMode = event.at < busyUntil
        guard isInAirplaneMode ? airplaneMode?.hasWiFi == true : isUp[interface.index] else {
            if event.at > .zero { note(.contradiction, line, "\(interface.name) is not up") }
            return
        }
        if isInAirplaneMode { airplaneMode?.hasWiFi = false }
        isUp[interface.index] = false
        emit(event, .pathDown(interface, lossSignal))
    }

    mutating func handOff(
        to target: Interface, _ modifiers: TimelineModifiers, _ event: Occurrence, _ line: TimelineLine
    ) {
        guard has(target, line) else { return }
        let old = current
        if old == target, modifiers.network == nil {
            return note(
                .contradiction, line, "the phone is on \(target.name) already",
                help: "name the network that the phone moves to")
        }
        if old == target, modifiers.overlap.greatest > .zero {
            return note(.contradiction, line, "one radio is on one network at a time, so there is no overlap")
        }
        let isBeside = isUp[target.index] && old != target
        if isBeside, modifiers.gap.greatest > .zero || modifiers.attachment != .plain {
            let other = old ?? (target == .wifi ? .cellular : .wifi)
            return note(
                .contradiction, line, "\(target.name) is up already, so there is nothing to join",
                help:
                    "`\(other.name):` joins beside \(target.name); a `handoff: \(other.name)` there leaves \(target.name), "
                    + "which must then be joined again here; or remove `gap` and the other keys of a join")
        }
        if modifiers.overlap.greatest > .zero, let old {
            // A system leaves a network that it prefers only after its quality has dropped.
            if isPreferred(old, to: target) { emit(event, .fading(old)) }
            if !isBeside { emit(event, .pathUp(target, modifiers.attachment)) }
            emit(event, .pathDown(old, modifiers.lossSignal), after: modifiers.overlap)
        } else {
            if let old { emit(event, .pathDown(old, modifiers.lossSignal)) }
            if !isBeside { emit(event, .pathUp(target, modifiers.attachment), after: modifiers.gap) }
        }
        if let old { isUp[old.index] = false }
        isUp[target.index] = true
        if !isBeside {
            isMetered[target.index] = modifiers.attachment.isMetered
            reach[target.index] = modifiers.attachment.reach
        }
        checkArrival(event.at + modifiers.gap.least + modifiers.attachment.latest, line)
        busyUntil = event.at + max(modifiers.gap.greatest, modifiers.overlap.greatest)
    }

    /// Notes a fault if the network becomes usable only after the end of the scenario.
    private mutating func checkArrival(_ at: Instant, _ line: TimelineLine) {
        guard at >= horizon else { return }
        let text = QuantityKind.span.text(at.nanoseconds)
        note(.lateEvent, line, "the new network would be there at \(text), when the scenario is over")
    }

    /// Airplane mode: all networks go at once and return at once. Cellular returns first, because phones find it
    /// sooner. If the user turns Wi-Fi on or off meanwhile, Wi-Fi stays so at the end.
    mutating func useAirplaneMode(
        _ length: SpanRange, _ lossSignal: PathLossSignal, _ event: Occurrence, _ line: TimelineLine
    ) {
        guard current != nil else { return note(.contradiction, line, "the phone has no network to lose") }
        for interface in Interface.allCases where isUp[interface.index] {
            emit(event, .pathDown(interface, lossSignal))
        }
        for interface in Interface.allCases.reversed() where isUp[interface.index] {
            let same = Attachment(isMetered: isMetered[interface.index], reach: reach[interface.index])
            emit(event, .pathUp(interface, same), after: length)
        }
        airplaneMode = AirplaneMode(
            until: event.at + length.least, affectsAll: !event.affectsSubset,
            returnOfWiFi: isUp[Interface.wifi.index] ? emitted.count - 1 : nil)
        busyUntil = event.at + length.greatest
    }

    /// `true` if the occurrence joins or leaves Wi-Fi during an airplane mode. No other change of network may occur
    /// before the mode ends.
    func togglesWiFiInAirplaneMode(_ event: Occurrence) -> Bool {
        guard let airplaneMode else { return false }
        return event.action.word == Interface.wifi.name && event.at < airplaneMode.until
    }

    /// Joins a Wi-Fi network during an airplane mode.
    private mutating func turnOnWiFi(_ attachment: Attachment, _ event: Occurrence, _ line: TimelineLine) {
        guard let mode = airplaneMode, !mode.hasWiFi else { return note(.contradiction, line, "wifi is up already") }
        guard mode.affectsAll else {
            return note(.contradiction, line, "not every phone is in airplane mode at this time")
        }
        if let index = mode.returnOfWiFi { cancel(index) }
        airplaneMode?.returnOfWiFi = nil
        airplaneMode?.hasWiFi = true
        isUp[Interface.wifi.index] = true
        isMetered[Interface.wifi.index] = attachment.isMetered
        checkArrival(event.at + attachment.latest, line)
        emit(event, .pathUp(.wifi, attachment))
    }

    mutating func switchRadio(to name: String, _ event: Occurrence, _ line: TimelineLine) {
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
    mutating func checkMetered(_ lines: [TimelineLine]) {
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

    private func isPreferred(_ one: Interface, to other: Interface) -> Bool {
        radios.first { $0 == one || $0 == other } == one
    }

    func has(radio interface: Interface) -> Bool { radios.contains(interface) }

    mutating func has(_ interface: Interface, _ line: TimelineLine) -> Bool {
        if has(radio: interface) { return true }
        note(.contradiction, line, "the phone has no \(interface.name) radio", help: "add one under phone: radios:")
        return false
    }

    mutating func isOn(_ interface: Interface, _ line: TimelineLine) -> Bool {
        guard has(interface, line) else { return false }
        if !isUp[interface.index] { note(.contradiction, line, "the phone is not on \(interface.name)") }
        return isUp[interface.index]
    }

    /// The named interface, or the phone's current one.
    mutating func namedInterface(_ interface: Interface?, _ line: TimelineLine) -> Interface? {
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
