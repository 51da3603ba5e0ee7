import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing

/// Settings as a scenario would write them: `["keepalive": ["interval": "45s"]]`.
indirect enum Setting: Sendable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    case text(String)
    case list([Setting])
    case map([(String, Setting)])

    init(stringLiteral text: String) { self = .text(text) }
    init(arrayLiteral items: Setting...) { self = .list(items) }
    init(dictionaryLiteral entries: (String, Setting)...) { self = .map(entries) }

    var node: Node {
        switch self {
        case .text(let text): .text(text)
        case .list(let items): .list(items.map(\.node))
        case .map(let entries): .map(entries.map { .init(key: $0.0, value: $0.1.node) })
        }
    }
}

extension StrategyHarness where S == Composed {
    /// A client with these settings, which must be valid.
    init(_ settings: Setting, seed: UInt64 = 1) {
        var reader = SettingsReader(settings.node, of: "composed")
        let strategy = Composed(&reader)
        reader.finish()
        #expect(reader.faults.sorted.map(\.message) == [])
        self.init(strategy, seed: seed)
    }

    /// The client with an open connection.
    static func open(_ settings: Setting, seed: UInt64 = 1) -> Self {
        var phone = StrategyHarness(settings, seed: seed)
        _ = phone.send(.started)
        _ = phone.send(.opened(ConnectionSlot(0), resumedAt: .start))
        return phone
    }

    /// Changes the default network, `nil` for none, and reports the change.
    mutating func change(
        to path: Interface?, handle: UInt16 = 0, _ kind: NetworkChange.NetworkEventKind = .available
    ) -> [Action] {
        let before = session.path
        session.network = NetworkView(path: path, handle: handle, isValidated: path != nil)
        return send(
            .network(
                NetworkChange(
                    kind, of: path ?? before ?? .wifi, handle: handle, now: path, replacesDefaultPath: path != nil)))
    }
}
