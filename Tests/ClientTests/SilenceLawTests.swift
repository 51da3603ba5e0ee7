import DeadzoneBase
import DeadzoneClient
import DeadzoneLaws
import Testing

/// The laws about a silent server, and the words in which all laws of strategies are reported.
@Suite struct SilenceLawTests {
    /// Pings every 30 s and connects again after 1 s. Each fault leaves out one reaction.
    private struct PingingStrategy: Strategy {
        enum InjectedFault: String, CaseIterable {
            case none, ignoresMissingPongs, waitsForConnection, pingsClosed, confirmsAhead
        }

        static let name = "pinging"
        static let about = "pings"
        let fault: InjectedFault
        init(_ fault: InjectedFault) { self.fault = fault }
        init(_ settings: inout SettingsReader) { fault = .none }
        func initialState() -> UInt8 { 0 }

        func handle(_ event: Event, _ state: inout UInt8, _ session: inout Session, _ out: inout Outbox) {
            let connection = ConnectionSlot(0)
            let (retry, beat, pong, attempt) = (TimerSlot(0), TimerSlot(1), TimerSlot(2), TimerSlot(3))
            switch event {
            case .started, .fired(retry):
                out.append(.connect(connection, .webSocket, resuming: .fresh))
                if fault != .waitsForConnection { session.arm(attempt, after: .seconds(20)) }
            case .opened:
                session.disarm(attempt)
                session.arm(beat, after: .seconds(30))
            case .fired(beat):
                out.append(.ping(connection))
                session.arm(beat, after: .seconds(30))
                if fault != .ignoresMissingPongs { session.arm(pong, after: .seconds(10)) }
            case .pong: session.disarm(pong)
            case .fired(pong), .fired(attempt):
                out.append(.close(connection))
                session.disarmAll()
                session.arm(retry, after: .seconds(1))
                if fault == .pingsClosed { out.append(.ping(connection)) }
            case .received where fault == .confirmsAhead: out.append(.acknowledge(connection, Cursor(99)))
            case .closed, .failed:
                session.disarmAll()
                session.arm(retry, after: .seconds(1))
            default: break
            }
        }
    }

    private func counterexample(_ fault: PingingStrategy.InjectedFault) -> StrategyLaws.Counterexample? {
        let laws = StrategyLaws(AnyStrategy(PingingStrategy(fault)))
        return laws.checkAllHistories(1).counterexample ?? laws.checkSilence().counterexample
    }

    @Test func aClientMustNotWaitForASilentServer() throws {
        // Broken: a client without a pong deadline or without a limit for attempts passes every law.
        #expect(counterexample(.none)?.description == nil)
        let pong = try #require(counterexample(.ignoresMissingPongs))
        #expect(
            pong.broken == ["at 331 s a ping on connection 0 had no answer for 300 s, and the strategy still waits"])
        let attempt = try #require(counterexample(.waitsForConnection))
        #expect(
            attempt.broken == [
                "at 301 s an attempt on connection 0 had no answer for 300 s, and the strategy still waits"
            ])
        // Both bounds can be switched off, each for itself.
        var laws = StrategyLaws(AnyStrategy(PingingStrategy(.ignoresMissingPongs)))
        laws.attemptTimeout = nil
        #expect(laws.checkSilence().counterexample != nil)
        laws.pingTimeout = nil
        #expect(laws.checkSilence().counterexample == nil)
    }

    @Test func composedFollowsItsSettings() {
        // Broken: the law does not see the deadlines that a client really has.
        func isLawful(_ setting: Setting) -> Bool {
            var reader = SettingsReader(setting.node, of: "composed")
            return StrategyLaws(AnyStrategy(Composed(&reader))).checkSilence().counterexample == nil
        }
        #expect(isLawful(["keepalive": "20s"]))
        #expect(isLawful(["keepalive": ["interval": "4m", "timeout": "10s"]]))
        #expect(!isLawful(["keepalive": ["interval": "20s", "verdict": "none"]]))
        #expect(isLawful(["connect": ["timeout": "60s"]]) && !isLawful(["connect": ["timeout": "10m"]]))
    }

    @Test func aReportIsASentenceWithUnits() throws {
        // Broken: a report quotes values of the program instead of words.
        let closed = try #require(
            StrategyLaws(AnyStrategy(PingingStrategy(.pingsClosed))).checkSilence().counterexample)
        #expect(
            closed.broken.first == "at 20 s the strategy pinged connection 0, which it had closed, when timer 3 fired")
        let ahead = try #require(
            (1...40).lazy.compactMap { seed in
                StrategyLaws(AnyStrategy(PingingStrategy(.confirmsAhead))).checkRandomHistory(seed)
            }.first)
        #expect(
            ahead.broken.first?.hasSuffix(
                "the strategy confirmed 99 messages, but 1 have arrived, when messages arrived on connection 0") == true
        )
        #expect(ahead.description.contains("before: the connection opens, a message arrives"))
        for text in [closed.description, ahead.description] {
            #expect(!text.contains("(") && !text.contains("Slot") && !text.contains("Deadzone"), "\(text)")
        }
    }
}
