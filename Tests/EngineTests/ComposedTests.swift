import DeadzoneBase
import DeadzoneClient
import DeadzoneLaws
import DeadzoneSimulator
import DeadzoneTestKit
import DeadzoneTransport
import Testing

@Suite struct ComposedTests {
    /// Broken: facets that together behave differently from the strategy written by hand. Every record of every phone
    /// is the same.
    @Test func equalsPatientWithItsSettings() {
        let settings: [([(String, String)], keepalive: String)] = [([], "45s"), ([("ping", "7s")], "7s")]
        var (opened, compared) = (0, 0)
        seedSweep(100) { seed in
            var (world, _) = RandomWorld.draw(seed)
            // `Patient` reconnects when the system reports the same network again; the facet compares the network
            // handle.
            world.timeline.removeAll { if case .spurious = $0.change { true } else { false } }
            // `Patient` also connects over a network that its system does not let it use.
            world.timeline.removeAll { if case .access = $0.change { true } else { false } }
            // `Patient` sends no new push token, and takes no notice of discarded pushes.
            world.timeline.removeAll { $0.change == .pushTokenVoid }
            world.server.pushQueue = nil
            // `Patient` does not support calls.
            world.traffic.calls = nil
            // `Patient` knows no credentials, and retries for ever without them.
            world.server.credentials = nil
            for (patient, keepalive) in settings {
                let one = Simulation(world: world, strategy: Fixture.strategy(Patient.self, patient), seed: seed)
                let other = Simulation(world: world, strategy: Self.composed(keepalive), seed: seed)
                let records = one.allRecords().records.map(Self.withoutSlot)
                let others = other.allRecords().records.map(Self.withoutSlot)
                if Self.connectsWhileBlocked(records) { continue }
                compared += 1
                #expect(records == others)
                opened += records.count { $0.kind == .opened }
            }
        }
        #expect(opened > 60 && compared > 60, "\(opened) \(compared)")
    }

    /// `true` if a phone makes an attempt while its system blocks the network. `Patient` does so; the facet waits until
    /// the network is released.
    private static func connectsWhileBlocked(_ records: [Record]) -> Bool {
        var blocked: Set<UInt32> = []
        for record in records {
            switch (record.kind, NetworkCode(rawValue: record.tag)) {
            case (.networkTold, .blocked): blocked.insert(record.phone)
            case (.networkTold, .unblocked): blocked.remove(record.phone)
            case (.connecting, _) where blocked.contains(record.phone): return true
            case (.attemptedOffline, _) where blocked.contains(record.phone): return true
            default: break
            }
        }
        return false
    }

    /// `Patient` does not react to a lost network: its sockets report the loss.
    private static func composed(_ keepalive: String) -> AnyStrategy {
        let path = Node.map([.init(key: "available", value: .text("reconnect"))])
        var reader = SettingsReader(
            .map([.init(key: "keepalive", value: .text(keepalive)), .init(key: "on-path-change", value: path)]),
            of: "composed")
        let strategy = Composed(&reader)
        reader.finish()
        precondition(reader.faults.isEmpty)
        return AnyStrategy(strategy)
    }

    /// Removes the timer slot, because each strategy numbers its slots in its own way.
    private static func withoutSlot(_ record: Record) -> Record {
        guard record.kind == .timerFired else { return record }
        return Record(at: record.at, phone: record.phone, kind: .timerFired, tag: 0, value: record.value)
    }

    /// Broken: the engine stops a client made of some facets, because it acts out of order or does not let time
    /// advance.
    @Test func isNeverStopped() {
        let clients: [[(String, String)]] = [
            [], [("keepalive", "1s"), ("resume", "nothing")], [("on-path-change", "hurry"), ("resume", "persisted")],
            [("on-path-change", "probe"), ("probe-timeout", "1ms"), ("write-limit", "1ms")],
            [("transport", "datagram"), ("keepalive", "5s"), ("on-path-change", "reconnect")],
        ]
        var attempts = 0
        seedSweep(60) { seed in
            let (world, _) = RandomWorld.draw(seed)
            for client in clients {
                let run = Simulation(world: world, strategy: Fixture.strategy(Composed.self, client), seed: seed)
                    .allRecords()
                #expect(run.count(.stopped) == 0, "\(client)")
                attempts += run.count(.connecting)
            }
        }
        #expect(attempts > 300)
    }
}
