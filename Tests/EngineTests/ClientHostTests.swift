import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import Testing

@testable import DeadzoneSimulator

/// The app's process and its operating system, without a phone around them.
@Suite struct ClientHostTests {
    /// The part alone, with its clock, its effects and the memory of the strategy.
    private final class Bench {
        private let platform: UnsafeMutablePointer<Platform>?
        private let state = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
        var host: ClientHost
        var client: ClientResources
        var now = Instant.zero
        private var effects = EffectQueue<SystemEffect>()
        private(set) var notes: [JournalEntry] = []
        private(set) var events: [Event] = []
        /// The other effects, in order.
        private(set) var others: [String] = []

        /// - Parameter name: The platform; `nil` for a phone without an operating system.
        init(_ name: String? = nil) throws {
            platform = try name.map {
                let place = UnsafeMutablePointer<Platform>.allocate(capacity: 1)
                place.initialize(to: try #require(Platform.named($0)))
                return place
            }
            let dice = Dice(seed: 1, phone: PhoneID(0), purpose: .strategy)
            host = ClientHost(
                platform.map { UnsafePointer($0) }, privileges: AppPrivileges(), dice: dice, doze: dice,
                canBePushed: false, in: nil)
            client = ClientResources(AnyStrategy(Counting()), state: state)
            client.strategy.initialize(state)
        }

        deinit {
            platform?.deinitialize(count: 1).deallocate()
            state.deallocate()
        }

        /// Calls the part, and applies its effects as the phone simulation does.
        @discardableResult
        func call<Result>(
            _ body: (inout ClientHost, Instant, inout EffectQueue<SystemEffect>) -> Result
        ) -> Result {
            host.session.now = now
            let result = body(&host, now, &effects)
            host.systemWasCalled = true
            let batch = effects.begin()
            for index in batch {
                switch effects[index] {
                case .note(let note): notes.append(note)
                case .notifyApp(let event): events.append(event)
                case .processEnded:
                    _ = host.endProcess(&client)
                    others.append("ended")
                case .processStarted:
                    host.startProcess(&client)
                    others.append("started")
                case .visibilityChanged: call { $0.followSystem(&$2) }
                default: others.append("\(effects[index])")
                }
            }
            effects.end(batch)
            return result
        }

        func apply(_ change: ConditionChange) -> Bool { call { $0.apply(change, isMetered: false, at: $1, &$2) } }

        /// Instant at which the first timer fires; `nil` if none does.
        var alarm: Instant? {
            _ = host.updateTimers(at: now)
            return host.firstTimer.at == .never ? nil : host.firstTimer.at
        }

        var appRuns: Bool { host.appRuns }
        var isInFront: Bool { host.session.isForeground }

        /// Number of events that the strategy has handled in its present process.
        var handled: UInt64 { state.load(as: UInt64.self) }
    }

    /// Counts its events.
    private struct Counting: Strategy {
        static let name = "counting"
        static let about = "counts its events"
        init() {}
        init(_ settings: inout SettingsReader) {}
        func initialState() -> UInt64 { 0 }
        func handle(_ event: Event, _ state: inout UInt64, _ session: inout Session, _ out: inout Outbox) {
            state += 1
            out.append(.wrote(pending: UInt32(state)))
        }
    }

    /// Broken: without an operating system a crashed app does not start again, or its new process goes on with the
    /// state or the events of the old one.
    @Test func aCrashedAppStartsAgainWithoutItsState() throws {
        let bench = try Bench()
        bench.host.handle(.started, &bench.client)
        bench.client.events.append(.fired(TimerSlot(1)))
        #expect(bench.handled == 1 && bench.client.outbox.count == 1)
        bench.call { $0.kill(.crashed, at: $1, &$2) }
        #expect(bench.others == ["ended", "started"])
        #expect(bench.handled == 0 && bench.host.nextEvent(&bench.client) == nil)
    }

    /// Broken: the messages that an ended process had not sent are not counted.
    @Test func unsentMessagesEndWithTheirProcess() throws {
        let bench = try Bench()
        bench.host.session.produced = Cursor(5)
        bench.host.session.forgotten = Cursor(2)
        #expect(bench.host.endProcess(&bench.client) == 2..<5)
        #expect(bench.host.session.forgotten == Cursor(5))
        #expect(bench.isInFront)
    }

    /// Broken: the app is notified although nothing has changed, or not notified when it is brought to the front.
    @Test func theAppLearnsOnceWhetherItIsInFront() throws {
        let bench = try Bench()
        #expect(!bench.apply(.app(foreground: true)) && bench.apply(.app(foreground: false)))
        #expect(!bench.apply(.app(foreground: false)) && !bench.isInFront)
        #expect(bench.events == [.app(.background)] && bench.others == ["foregroundChanged"])
        // There is no system that a screen or a force stop could concern.
        #expect(!bench.apply(.screen(false)) && !bench.apply(.forceStop) && !bench.apply(.kill))
    }

    /// Broken: a timer fires twice, or another one fires.
    @Test func aTimerFiresOnce() throws {
        let bench = try Bench()
        bench.host.session.arm(TimerSlot(3), after: .seconds(5))
        #expect(bench.alarm == .zero + .seconds(5))
        bench.now = .zero + .seconds(5)
        #expect(bench.call { $0.fireTimer(at: $1, &$2) } == TimerSlot(3))
        #expect(bench.alarm == nil && bench.notes.isEmpty)
    }

    /// Broken: an alarm ends with the process that set it, or it outlives a force stop that found no process.
    @Test func aForceStopEndsAlarmsWithoutAProcess() throws {
        let bench = try Bench("android-15")
        bench.host.session.arm(TimerSlot(0), after: .minutes(10), wake: .alarm)
        bench.host.session.arm(TimerSlot(1), after: .minutes(1))
        #expect(bench.apply(.app(foreground: false)) && bench.apply(.kill))
        #expect(bench.others.contains("ended") && !bench.host.session.isArmed(TimerSlot(1)))
        #expect(bench.alarm != nil, "the system has forgotten the alarm")
        _ = bench.apply(.forceStop)
        #expect(bench.alarm == nil && !bench.host.session.isArmed(TimerSlot(0)))
    }

    /// Broken: an app without a process stays in front, or the app of a new process is not where the user left it.
    @Test func anEndedProcessIsNotInFront() throws {
        let bench = try Bench("android-15")
        #expect(bench.apply(.kill) && bench.others == ["ended"])
        #expect(!bench.isInFront && bench.events.isEmpty)
        bench.host.startProcess(&bench.client)
        #expect(bench.isInFront == (bench.host.system?.pointee.appIsInFront ?? false))
    }

    /// Broken: an app that does not run receives events, or those that waited are lost when it runs again. A timer that
    /// wakes nothing fires meanwhile.
    @Test func eventsWaitForAnAppThatDoesNotRun() throws {
        let bench = try Bench("android-15")
        let connection = ConnectionSlot(1)
        bench.host.session.arm(TimerSlot(7), after: .hours(2))
        #expect(bench.alarm == .zero + .hours(2))
        #expect(bench.apply(.app(foreground: false)) && bench.apply(.screen(false)))
        while bench.host.appRuns, let system = bench.host.system, system.pointee.deviceAt < .zero + .hours(1) {
            bench.now = system.pointee.deviceAt
            bench.call { $0.system?.pointee.advance(at: $1, &$2) }
        }
        #expect(!bench.appRuns && bench.alarm == nil)
        bench.client.events.append(.stalled(connection))
        bench.client.events.append(.fired(TimerSlot(2)))
        #expect(bench.host.nextEvent(&bench.client) == nil && bench.client.events.isEmpty)
        // The slot belongs to another connection by then.
        bench.host.discardEvents(about: connection, &bench.client)
        #expect(bench.apply(.screen(true)) && bench.apply(.app(foreground: true)))
        #expect(bench.appRuns && bench.alarm == .zero + .hours(2))
        #expect(bench.host.nextEvent(&bench.client) == .fired(TimerSlot(2)))
        #expect(bench.host.nextEvent(&bench.client) == nil)
    }
}
