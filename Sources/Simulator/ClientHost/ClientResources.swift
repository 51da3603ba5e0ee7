import DeadzoneClient

/// The data of one worker that the app of its active phone uses: the strategy, the memory of its state, the events that
/// wait for it, and the actions that it requests.
struct ClientResources: ~Copyable {
    let strategy: AnyStrategy
    /// Memory of the strategy's state on the active phone.
    var state: UnsafeMutableRawPointer
    /// Events that the strategy has not received yet. Empty between two events of the phone: those that must wait until
    /// the app runs are in the inbox of the operating system.
    var events = StrategyEventQueue(atMost: 64)
    var outbox = Outbox()

    init(_ strategy: AnyStrategy, state: UnsafeMutableRawPointer) {
        self.strategy = strategy
        self.state = state
    }
}
