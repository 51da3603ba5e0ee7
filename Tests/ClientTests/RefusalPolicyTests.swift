import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneClient

/// The reaction to refused messages and to visits that meet no server.
@Suite struct RefusalPolicyTests {
    private static func session() -> Session { Session(random: Dice(seed: 1, phone: PhoneID(0), purpose: .test)) }

    /// Broken: a wait does not double, exceeds its cap, or differs from WorkManager's defaults.
    @Test func waitsAreThoseOfWorkManager() {
        let policy = RefusalPolicy(backoff: .workManager, slot: TimerSlot(11))
        var waits: [Int64] = []
        for failed in 0...11 as ClosedRange<UInt8> {
            var session = Self.session()
            policy.startWait(after: failed, &session)
            waits.append((session.timers[TimerSlot(11)].at - Instant.zero).nanoseconds / 1_000_000_000)
        }
        #expect(waits == [30, 60, 120, 240, 480, 960, 1_920, 3_840, 7_680, 15_360, 18_000, 18_000])
        var session = Self.session()
        RefusalPolicy(backoff: nil, triggers: .path, slot: TimerSlot(11)).startWait(after: 0, &session)
        #expect(!session.isArmed(TimerSlot(11)))
    }

    /// Broken: the wrong refusal or the wrong number of refusals drops a message.
    @Test func dropsByKindAndNumber() {
        var policy = RefusalPolicy(backoff: .workManager, limit: 2, slot: TimerSlot(11))
        #expect([0, 1, 2, 3].map { policy.drops(.transient, after: $0) } == [false, false, true, true])
        #expect(policy.drops(.permanent, after: 0) && !policy.drops(.locked, after: 1))
        policy.retriesPermanent = true
        #expect(!policy.drops(.permanent, after: 1) && policy.drops(.permanent, after: 2))
        policy.limit = nil
        #expect(!policy.drops(.permanent, after: .max))
    }

    /// Broken: the count of refusals ends the program at its largest number, begins again there, or is kept for the
    /// next message. The wait grows by a second with each refusal.
    @Test func anyNumberOfRefusalsIsCounted() {
        let slot = TimerSlot(11)
        var queue = MessageQueue(.stored)
        queue.onRefusal = RefusalPolicy(
            backoff: Backoff(base: .seconds(1), growth: .step(.seconds(1)), cap: .hours(1)), slot: slot)
        var (state, session) = (MessageQueue.State(), Self.session())
        var out = Outbox()
        session.produced = Cursor(2)
        func refuse() -> Int64 {
            queue.refused(Cursor(0), .transient, over: ConnectionSlot(0), isOpen: true, &state, &session, &out)
            return (session.timers[slot].at - session.now).nanoseconds / 1_000_000_000
        }
        for failed in 0..<600 as Range<Int64> {
            #expect(refuse() == min(failed, 255) + 1, "after \(failed)")
            #expect(state.refusals == UInt8(clamping: failed + 1) && queue.isAwaitingRetry(state))
        }
        session.acknowledged = Cursor(1)
        queue.confirmed(ConnectionSlot(0), &state, session, &out)
        #expect(state.refusals == 0)
    }

    /// Broken: parts have a size although none of them is used, or the size is ignored in silence.
    @Test func partsOfAnUploadThatStartsAnewHaveNoSize() {
        func faults(_ entries: [(String, String)]) -> [String] {
            var reader = SettingsReader(
                .map([Node.MapEntry(key: "chunks", value: .map(entries.map { .init(key: $0.0, value: .text($0.1)) }))]),
                of: "queue")
            _ = reader.chunks()
            reader.finish()
            return reader.faults.sorted.map { $0.message }
        }
        #expect(faults([("size", "1MiB"), ("resume", "start")]) == ["`size` beside `resume: start`"])
        #expect(faults([("resume", "start")]).isEmpty && faults([("size", "1MiB"), ("resume", "offset")]).isEmpty)
    }

    /// Broken: `on-refusal: {retry: {jitter: decorrelated}}` is accepted, though the client does not keep the wait
    /// before, or a description of the settings contains a fault.
    @Test func retriesHaveNoHistory() {
        func faults(_ jitter: String) -> [String] {
            var reader = SettingsReader(
                .map([Node.MapEntry(key: "jitter", value: .text(jitter))]), of: "`retry`")
            _ = reader.backoffWithoutHistory()
            reader.finish()
            return reader.faults.sorted.map { "\($0.message) | \($0.label)" }
        }
        #expect(
            faults("decorrelated")
                == ["`jitter` that depends on earlier waits | only the number of failures is kept here"])
        for jitter in ["none", "full", "equal", "20%"] { #expect(faults(jitter).isEmpty, "\(jitter)") }
        var describing = SettingsReader.describing("`retry`")
        _ = describing.backoffWithoutHistory()
        #expect(describing.faults.isEmpty)
    }

    /// Broken: the end of a wait sends a message although all are confirmed, or the queue then waits for a
    /// confirmation.
    @Test(arguments: [1, 2, 5] as [UInt32])
    func nothingIsSentIfAllIsConfirmed(produced: UInt32) {
        var queue = MessageQueue(.stored)
        queue.onRefusal = RefusalPolicy(backoff: .workManager, triggers: .path, slot: TimerSlot(11))
        let connection = ConnectionSlot(0)
        for confirmed in 0...produced {
            var (state, session) = (MessageQueue.State(), Self.session())
            var out = Outbox()
            session.produced = Cursor(produced)
            queue.refused(Cursor(0), .transient, over: connection, isOpen: true, &state, &session, &out)
            #expect(queue.isAwaitingRetry(state) && out.count == 0)
            session.acknowledged = Cursor(confirmed)
            queue.triggered(.path, over: connection, &state, &session, &out)
            let actions = (0..<out.count).map { out[$0] }
            let next = Cursor(min(confirmed + 1, produced))
            let again = [Action.sendAgain(connection, from: Cursor(confirmed), upTo: next)]
            let isLeft = confirmed < produced
            #expect(actions == again + (isLeft ? [.send(connection, from: Cursor(confirmed), upTo: next)] : []))
            #expect((state.hold == .retrying) == isLeft && !queue.isAwaitingRetry(state))
        }
    }

    /// Broken: a refused message may be left without a retry and without an event that sends it again, a message with
    /// one of them is refused, or a description of the settings contains a fault.
    @Test func aRefusedMessageHasARetryOrAnEvent() {
        func faults(_ entries: [(String, Setting)]) -> [String] {
            var reader = SettingsReader(Setting.map([("on-refusal", .map(entries))]).node, of: "queue")
            _ = reader.refusalPolicy(slot: TimerSlot(11))
            reader.finish()
            return reader.faults.sorted.map(\.message)
        }
        let fault = ["a refused message that is never sent again"]
        #expect(faults([("retries", "5")]) == fault && faults([("permanent", "retry")]) == fault)
        #expect(faults([("retry", ["base": "5s"])]).isEmpty && faults([("also", ["path"])]).isEmpty)
        var describing = SettingsReader.describing("queue")
        _ = describing.refusalPolicy(slot: TimerSlot(11))
        #expect(describing.faults.isEmpty)
    }

    /// Broken: `explain` describes a backoff with the text of another setting, or without a text.
    @Test func aBackoffHasItsOwnText() {
        var reader = SettingsReader.describing("`composed`")
        _ = reader.backoff("wait", default: .workManager, "the waits after a refusal")
        _ = reader.backoff("plain", default: .workManager)
        var texts: [String] = []
        if case .map(let map) = reader.shape { texts = map.fields.map { "\($0.key): \($0.help)" } }
        #expect(texts == ["wait: the waits after a refusal", "plain: "])
    }

    /// Broken: a visit that met no server does not lengthen the next wait, a visit that did keeps it long, or the usual
    /// interval counts although there is a backoff.
    @Test func visitsWithoutServerBackOff() {
        var life = LifeCyclePolicy(slot: TimerSlot(7), stay: TimerSlot(8))
        life.onBackground = .close
        life.pollInterval = .minutes(15)
        life.pollBackoff = .workManager
        var state = LifeCyclePolicy.State()
        var session = Self.session()
        session.isForeground = false
        life.parked(&state, &session)
        func wait() -> Int64 { (session.timers[TimerSlot(7)].at - session.now).nanoseconds / 1_000_000_000 }
        #expect(wait() == 900)
        func visit(meets: Bool) -> Int64 {
            session.now = session.timers[TimerSlot(7)].at
            _ = life.pollTimerFired(&state, &session)
            if meets { life.serverResponded(&state) }
            life.parked(&state, &session)
            return wait()
        }
        #expect([visit(meets: false), visit(meets: false), visit(meets: false)] == [30, 60, 120])
        #expect(visit(meets: true) == 900 && visit(meets: false) == 30)
        // A server that states what it has sent was met.
        session.now = session.timers[TimerSlot(7)].at
        _ = life.pollTimerFired(&state, &session)
        life.resumeResponded(ResumeResponse(sent: .start, received: .start, next: .start), &state, session)
        life.parked(&state, &session)
        #expect(wait() == 900)
        life.pollBackoff = nil
        #expect(visit(meets: false) == 900)
    }
}
