import DeadzonePrimitives
import DeadzoneSettings
import DeadzoneSystem
import DeadzoneWorld

extension SettingsReader {
    /// `chaos: {disconnect: {uniform: [5s, 30s]}, handoff: {uniform: [40s, 80s]}, for: 10m, seed: 7}`
    mutating func chaos() -> Chaos? {
        let gaps = Form<Distribution>.distribution(.span, in: 1_000_000...TimeSpan.hours(24).nanoseconds)
        return section("chaos", "trouble at random moments, the same for every client and in every replica") {
            settings in
            var chaos = Chaos(
                disconnect: settings.value("disconnect", gaps, "from one end of the connections to the next"),
                handoff: settings.value("handoff", gaps, "from one change to the other radio to the next"),
                kill: settings.value("kill", gaps, "from one end of the process to the next; the user comes back"),
                length: settings.span("for", default: .minutes(10), in: TimelineLine.anySpan, "how long"),
                seed: UInt64(settings.count("seed", default: 1, "where its own dice begin")))
            let zones = settings.section("dead-zone", "no signal where the phone is, now and then") { settings in
                (
                    settings.required("every", gaps, standIn: .constant(1), "from the end of one to the next"),
                    settings.required("for", gaps, standIn: .constant(1), "how long each lasts")
                )
            }
            if let zones { (chaos.deadZone, chaos.darkness) = zones }
            chaos.ends = settings.word(
                "ends", of: OldPath.words,
                "how disconnects and handoffs end connections; by default each time in one of these ways")
            if chaos.ends != nil && chaos.disconnect == nil && chaos.handoff == nil && !settings.isDescribing {
                settings.note(
                    Fault(
                        .contradiction, at: settings.mark(of: "ends"), width: 4, "`ends` where nothing ends",
                        label: "it is of disconnect and handoff"))
            }
            return chaos
        }
    }
}

extension TimelineCompiler {
    mutating func rage(_ chaos: Chaos, _ event: Occurrence, _ line: Line) {
        guard chaos.disconnect != nil || chaos.handoff != nil || chaos.kill != nil || chaos.deadZone != nil else {
            return note(.timeline, line, "chaos without any trouble", help: "name disconnect, handoff, dead-zone, kill")
        }
        if chaos.deadZone != nil {
            for radio in radios where event.at < troubles.darkUntil[radio.index] {
                return note(.contradiction, line, "a dead zone before it is still going on")
            }
            for radio in radios { troubles.darkUntil[radio.index] = event.at + chaos.length }
        }
        if chaos.handoff != nil && radios.count < 2 {
            return note(.contradiction, line, "a handoff needs two radios")
        }
        let changes = chaos.changes(of: radios, &isUp)
        guard !changes.isEmpty, changes.count <= Self.mostChanges / 2 else {
            return note(.timeline, line, "\(changes.count) troubles", help: "at least one, and no more than 32,767")
        }
        for change in changes { emit(event, change.change, after: change.after) }
        busyUntil = event.at + chaos.length
    }
}
