extension Entry {
    /// How to write a strategy, for who has the program and not the repository at hand.
    static let strategyGuide = Entry(
        topic: .guides, name: "strategy", summary: "how to have one of your own",
        page: """
            Three ways, from the shortest to the longest.

            1. Settings beside a preset. In a scenario:

                strategies:
                  mine: {strategy: grpc-java, keepalive: {interval: 5m}, on-path-change: reconnect}

               `deadzone list strategies` names the presets, `deadzone explain NAME` shows their numbers,
               `deadzone explain composed` every setting that there is.

            2. A preset in a file of your own, named by its path beside the scenario:

                # my-client.yaml                      # in a scenario: {strategy: ./my-client.yaml}
                strategy: composed                    # or a preset that it is laid over
                about: what our app does today
                source: ["our repository, Net/Socket.swift"]
                backoff:
                  base: 1s                            # explain shows what stands here
                  cap: 30s
                  jitter: full

            3. A type of your own, in a package that depends on this one. `import DeadzoneKit` has all that is
               needed; a strategy is told events and answers with actions, and never learns whether time is real:

                import DeadzoneCommand
                import DeadzoneKit

                struct Mine: Strategy {
                    static let name = "mine"
                    static let about = "connects, and connects again after a second"
                    private static let line = ConnectionSlot(0), retry = TimerSlot(0)
                    let wait: TimeSpan

                    init(_ settings: inout SettingsReader) {
                        wait = settings.span("wait", default: .seconds(1), "from a loss to the next attempt")
                    }

                    func initialState() -> UInt8 { 0 }

                    func handle(_ event: Event, _ state: inout UInt8, _ session: inout Session, _ out: inout Outbox) {
                        switch event {
                        case .started, .fired(Self.retry):
                            out.append(.connect(Self.line, .webSocket, resuming: .from(session.cursor)))
                        case .received(_, let cursor, _): out.append(.deliver(cursor))
                        case .closed, .failed: session.arm(Self.retry, after: wait)
                        default: break
                        }
                    }
                }

                DeadzoneCommand.run(adding: [.of(Mine.self)])

               The package's own command then does all that `deadzone` does, and knows `strategy: mine`.
               Tests/ExamplePackage is one to copy; Sources/Strategies/README.md has the events, the actions, the
               facets and the rules.

            """)
}
