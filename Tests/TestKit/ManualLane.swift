public import DeadzoneClient
public import DeadzonePrimitives
import DeadzoneSettings

/// A strategy on a phone of its own, driven by hand: the test is the network, the server and the clock.
public struct ManualLane<S: Strategy> {
    public let strategy: S
    public private(set) var state: S.State
    public var session: Session

    /// The strategy with its default settings, on Wi-Fi.
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

    /// Tells the strategy an event; what it does about it.
    public mutating func tell(_ event: Event) -> [Action] {
        var outbox = Outbox()
        strategy.handle(event, &state, &session, &outbox)
        precondition(outbox.overflow == 0, "\(S.name) asks for more than \(Outbox.capacity) actions on \(event)")
        return (0..<outbox.count).map { outbox[$0] }
    }

    /// Lets time go on; every timer that comes due on the way fires.
    public mutating func advance(by span: TimeSpan) -> [Action] {
        let end = session.now + span
        var actions: [Action] = []
        while case let (at, slot) = session.timers.earliest, at <= end {
            session.now = at
            session.disarm(slot)
            actions += tell(.fired(slot))
        }
        session.now = end
        return actions
    }
}
