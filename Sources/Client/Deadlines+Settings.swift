import DeadzonePrimitives
public import DeadzoneSettings

extension SettingsReader {
    /// `calls: {deadline: 15s, reconnect-after: 3}`
    public mutating func deadlines(_ key: String, slot: TimerSlot, _ help: String = "") -> Deadlines {
        group(key, help) { settings in
            var facet = Deadlines(slot: slot)
            facet.limit = settings.span(
                "deadline", in: .milliseconds(1) ... .longest, "a call without an answer for so long fails")
            facet.backgroundLimit = settings.span(
                "in-background", in: .milliseconds(1) ... .longest, "the deadline of calls asked in the background")
            facet.timing = settings.timing("the deadline")
            facet.asksAgain = settings.flag(
                "retry", default: true, "asks again on the next connection what the last one left unanswered")
            facet.waitsForReady = settings.word(
                "unready", of: [("wait", true), ("fail", false)], default: true,
                "what a call does while there is neither connection nor attempt")
            facet.failsOffline = settings.word(
                "offline", of: [("wait", false), ("fail", true)], default: false,
                "what calls do when the system names no network")
            facet.probeAfter = UInt8(
                settings.count(
                    "probe-after", default: 0, in: 0...100,
                    "after so many missed deadlines in a row asks for a sign of life; 0 never"))
            facet.reconnectAfter = UInt8(
                settings.count(
                    "reconnect-after", default: 0, in: 0...100,
                    "after so many missed deadlines in a row takes a new connection; 0 never"))
            return facet
        }
    }
}
