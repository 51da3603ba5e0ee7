import DeadzoneBase
import Testing

@testable import DeadzoneClient

/// The transport of an attempt, by the settings and by the connections before it.
@Suite struct TransportSettingsTests {
    private typealias Ladder = TransportLadder
    private static let kinds = Transport.TransportKind.allCases

    /// The handshake of the first connection: there is no session to resume.
    private func full(_ mode: Transport.TLSMode) -> Transport.TLSMode {
        switch mode {
        case .none: .none
        case .tls12, .tls12Resumed: .tls12
        case .tls13, .tls13Resumed, .tls13Early: .tls13
        }
    }

    /// Broken: the first connection of a process resumes a session that does not exist, or a later one does not resume.
    @Test func theFirstHandshakeIsFull() {
        for kind in Self.kinds {
            for mode in Transport.TLSMode.allCases {
                let transport = Transport(kind, security: mode)
                let settings = TransportSettings(transport)
                #expect(settings.transport(hasBeenOpen: true, Ladder.State()) == transport)
                let first = settings.transport(hasBeenOpen: false, Ladder.State())
                #expect(first == Transport(kind, security: full(mode)), "\(kind) \(mode)")
                #expect(transport.handshake(isFirst: true) == first && transport.handshake(isFirst: false) == transport)
            }
        }
    }

    /// Broken: a QUIC client with 0-RTT waits for the server's answer before it counts as open, or another client does
    /// not wait.
    @Test(arguments: [false, true])
    func onlyQUICWithEarlyDataOpensEarly(hasBeenOpen: Bool) {
        var early = 0
        for kind in Self.kinds {
            for mode in Transport.TLSMode.allCases {
                let settings = TransportSettings(Transport(kind, security: mode))
                let expected = hasBeenOpen && kind == .quic && mode == .tls13Early
                #expect(settings.opensEarly(hasBeenOpen: hasBeenOpen, Ladder.State()) == expected, "\(kind) \(mode)")
                early += expected ? 1 : 0
            }
        }
        #expect(early == (hasBeenOpen ? 1 : 0))
    }

    /// Broken: a client with a ladder uses early data over a transport that has not answered, or migrates a connection
    /// over TCP.
    @Test func aLadderCountsItsOwnTransport() {
        let transports = [Transport.TransportKind.quic, .http2].map { Transport($0, security: .tls13Early) }
        var settings = TransportSettings(transports[0])
        #expect(settings.usesQUIC && settings.canMigrate(Ladder.State()))
        settings.ladder = Ladder(transports)
        for index in 0..<2 {
            var state = Ladder.State()
            state.index = index
            #expect(settings.transport(hasBeenOpen: true, state) == Transport(transports[index].kind, security: .tls13))
            #expect(!settings.opensEarly(hasBeenOpen: true, state))
            #expect(settings.canMigrate(state) == (index == 0))
        }
        #expect(settings.usesQUIC)
        settings.ladder = Ladder([transports[1]])
        #expect(!settings.usesQUIC && !settings.canMigrate(Ladder.State()))
        settings.ladder = nil
        settings.transport = transports[1]
        #expect(!settings.usesQUIC && settings.canMigrate(Ladder.State()))
    }
}
