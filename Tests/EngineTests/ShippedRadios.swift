import DeadzoneClient
import DeadzoneDevice
import DeadzoneLaws
import DeadzoneScenarios
import DeadzoneShipped
import DeadzoneSimulator

/// The radios that come with Deadzone.
enum ShippedRadios {
    static let profiles = ProfileReader.profiles(
        on: shippedProfiles.map { ProfileText(name: $0.name, text: $0.text) })
    static let cellular = profiles.filter { !$0.technology.isLocal }
    static let wifi = profiles.filter { $0.technology == .wifi }
}

/// Clients of every kind, for random worlds.
enum SampleClients {
    static let all = [
        Fixture.strategy(Eager.self), Fixture.strategy(Datagrams.self, [("ping", "13s")]),
        Fixture.strategy(Patient.self, [("ping", "3s"), ("timeout", "500ms")]), Fixture.strategy(Patient.self),
        Fixture.strategy(Composed.self, [("keepalive", "20s"), ("on-path-change", "reconnect")]),
    ]
}

extension RandomWorld {
    /// Draws a world with the shipped radios, and a client in it.
    static func draw(_ seed: UInt64) -> (World, AnyStrategy) {
        var random = RandomWorld(seed: seed, radios: RadioChoices(ShippedRadios.profiles))
        let world = random.world()
        return (world, random.client(of: SampleClients.all))
    }
}
