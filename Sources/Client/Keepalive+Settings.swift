public import DeadzoneSettings
import DeadzonePrimitives

extension SettingsReader {
    /// `keepalive: 45s`, or `keepalive: {interval: 45s, timeout: 10s, wake: alarm}`; nil where it is left out.
    public mutating func keepalive(
        _ key: String, beat: TimerSlot, reply: TimerSlot, _ help: String = ""
    ) -> Keepalive? {
        let plain = Form.span(in: .milliseconds(1) ... .longest).map {
            Keepalive(interval: $0, beat: beat, reply: reply)
        } back: {
            $0.interval
        }
        return either(key, help, plain: plain) { settings in
            var facet = Keepalive(
                interval: settings.span(
                    "interval", default: .seconds(45), in: .milliseconds(1) ... .longest, "from one beat to the next"),
                beat: beat, reply: reply)
            facet.wifiInterval = settings.span(
                "on-wifi", in: .milliseconds(1) ... .longest, "the interval on Wi-Fi, if it is another")
            facet.cellularInterval = settings.span(
                "on-cellular", in: .milliseconds(1) ... .longest, "the interval on cellular, if it is another")
            settings.readVerdict(&facet)
            facet.timing = settings.timing("the beat")
            facet.decidesBy = settings.word(
                "decides-by", of: Self.clockWords,
                "looks at this clock when the beat fires, and pings only after a whole interval of silence by it")
            return facet
        }
    }

    private mutating func readVerdict(_ facet: inout Keepalive) {
        facet.verdict = word(
            "verdict",
            of: [("timeout", Keepalive.Verdict.replyDeadline), ("next-beat", .nextBeat), ("none", .never)],
            default: .replyDeadline,
            "when silence ends the connection: at the timeout, at the next beat, or never")
        facet.timeout = span(
            "timeout", default: facet.timeout, in: .milliseconds(1) ... .longest,
            "a ping without an answer for so long ends the connection")
        facet.timeoutWake = word(
            "timeout-wake", of: Self.wakeWords, default: .none, "whether the timeout wakes a sleeping phone")
        facet.needsPong = word(
            "answered-by", of: [("anything", false), ("pong", true)], default: false,
            "what answers a ping: any byte, or a pong alone")
        facet.postponement = word(
            "postponed-by",
            of: [("nothing", Keepalive.Postponement.nothing), ("received", .received), ("traffic", .traffic)],
            default: .received,
            "what makes the beat wait a whole interval again: nothing, what arrives, or what is sent as well")
        facet.waitsForWriter = word(
            "queue", of: [("own", false), ("writer", true)], default: false,
            "writer: while the socket takes nothing, neither beat nor timeout is handled")
    }
}
