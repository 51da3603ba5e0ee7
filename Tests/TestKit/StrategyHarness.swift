public import DeadzoneBase
public import DeadzoneClient

/// Test harness that drives one strategy by hand: the test plays the network, the server and the clock.
public struct StrategyHarness<S: Strategy> {
    public let strategy: S
    public private(set) var state: S.State
    public var session: Session

    /// Creates the strategy with its default settings, on Wi-Fi.
    public init(_ type: S.Type, seed: UInt64 = 1) {
        var settings = SettingsReader.describing(S.name)
        self.init(S(&settings), seed: seed)
    }

    public init(_ strategy: S, seed: UInt64 = 1) {
        self.strategy = strategy
        state = strategy.initialState()
        session = Session(random: Dice(seed: seed, phone: PhoneID(0), purpose: .strategy))
        session.network.path = .wifi
    }

    /// Sends an event to the strategy and returns the actions that it requests.
    public mutating func send(_ event: Event) -> [Action] {
        var outbox = Outbox()
        strategy.handle(event, &state, &session, &outbox)
        precondition(outbox.overflow == 0, "\(S.name) asks for more than \(Outbox.capacity) actions on \(event)")
        return (0..<outbox.count).map { outbox[$0] }
    }

    /// Advances the clock by `span` and fires every timer that becomes due. Returns the actions that the strategy
    /// requests.
    public mutating func advance(by span: TimeSpan) -> [Action] {
        let end = session.now + span
        var actions: [Action] = []
        while case let (at, slot) = session.timers.earliest, at <= end {
            session.now = at
            session.disarm(slot)
            actions += send(.fired(slot))
        }
        session.now = end
        return actions
    }
}
