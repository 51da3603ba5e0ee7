import DeadzoneBase
import DeadzoneSimulator

extension SettingsReader {
    /// Reads random disturbances:
    /// `chaos: {disconnect: {uniform: [5s, 30s]}, handoff: {uniform: [40s, 80s]}, for: 10m, seed: 7}`
    mutating func chaos() -> Chaos? {
        let gaps = ValueFormat<Distribution>.distribution(.span, in: 1_000_000...TimeSpan.hours(24).nanoseconds)
        return section("chaos", "random disturbances, the same for every strategy and in every replica") {
            settings in
            var chaos = Chaos(
                disconnect: settings.value("disconnect", gaps, "time between two disconnects"),
                handoff: settings.value("handoff", gaps, "time between two changes to the other radio"),
                kill: settings.value(
                    "kill", gaps, "time between two ends of the app's process; the user opens the app again"),
                length: settings.span(
                    "for", default: .minutes(10), in: TimelineLine.anySpan, "duration of the disturbances"),
                seed: UInt64(settings.count("seed", default: 1, "seed of the disturbances")))
            let zones = settings.section("dead-zone", "repeated loss of signal on all radios") { settings in
                (
                    settings.required("every", gaps, standIn: .constant(1), "time from the end of one to the next"),
                    settings.required("for", gaps, standIn: .constant(1), "duration of each")
                )
            }
            if let zones { (chaos.deadZone, chaos.deadZoneLength) = zones }
            chaos.ends = settings.word(
                "ends", of: PathLossSignal.words,
                "the way in which disconnects and handoffs end connections; default: random each time")
            if chaos.ends != nil && chaos.disconnect == nil && chaos.handoff == nil && !settings.isDescribing {
                settings.note(
                    Fault(
                        .contradiction, at: settings.mark(of: "ends"), width: 4, "`ends` without disconnect or handoff",
                        label: "belongs to disconnect and handoff"))
            }
            return chaos
        }
    }
}

extension TimelineCompiler {
    mutating func applyChaos(_ chaos: Chaos, _ event: Occurrence, _ line: TimelineLine) {
        guard chaos.disconnect != nil || chaos.handoff != nil || chaos.kill != nil || chaos.deadZone != nil else {
            return note(
                .timeline, line, "chaos without a disturbance", help: "add disconnect, handoff, dead-zone or kill")
        }
        if chaos.deadZone != nil {
            for radio in radios where event.at < activeState.darkUntil[radio.index] {
                return noteOverlap("dead zone", endsBy: activeState.darkUntil[radio.index], line)
            }
            for radio in radios { activeState.darkUntil[radio.index] = event.at + chaos.length }
        }
        if chaos.handoff != nil && radios.count < 2 {
            return note(.contradiction, line, "a handoff needs two radios")
        }
        let changes = chaos.changes(of: radios, &isUp)
        guard !changes.isEmpty, changes.count <= Self.mostChanges / 2 else {
            return note(.timeline, line, "\(changes.count) disturbances", help: "at least one and at most 32,767")
        }
        for change in changes { emit(event, change.change, after: change.after) }
        busyUntil = event.at + chaos.length
    }
}
