import DeadzoneEngine
import DeadzonePrimitives
import DeadzoneSettings

extension SettingsReader {
    /// `chaos: {disconnect: {uniform: [5s, 30s]}, handoff: {uniform: [40s, 80s]}, for: 10m, seed: 7}`
    mutating func chaos() -> Chaos? {
        let gaps = Form<Distribution>.distribution(.span, in: 1_000_000...TimeSpan.hours(24).nanoseconds)
        return section("chaos", "trouble at random moments, the same for every client and in every replica") {
            settings in
            Chaos(
                disconnect: settings.value("disconnect", gaps, "from one end of the connections to the next"),
                handoff: settings.value("handoff", gaps, "from one change to the other radio to the next"),
                kill: settings.value("kill", gaps, "from one end of the process to the next; the user comes back"),
                length: settings.span("for", default: .minutes(10), in: TimelineLine.anySpan, "how long"),
                seed: UInt64(settings.count("seed", default: 1, "where its own dice begin")))
        }
    }
}

extension TimelineCompiler {
    mutating func rage(_ chaos: Chaos, _ event: Occurrence, _ line: Line) {
        guard chaos.disconnect != nil || chaos.handoff != nil || chaos.kill != nil else {
            return note(.timeline, line, "chaos without any trouble", help: "name disconnect, handoff or kill")
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
