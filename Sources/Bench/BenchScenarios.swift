import DeadzoneBase
import DeadzoneClient
import DeadzoneMetrics
import DeadzoneScenarios
import DeadzoneShipped

/// The simulation scenarios that the benchmarks run, read by the same reader as users' scenarios.
enum BenchScenarios {
    /// The vocabulary of Deadzone. Bounds of metrics are not checked, because no benchmark evaluates expectations.
    private static let vocabulary: Vocabulary = {
        let profiles = shippedProfiles.map { ProfileText(name: $0.name, text: $0.text) }
        let reader = ProfileReader(inheritingFrom: profiles)
        let metrics = Catalogue.all.map { metric in
            MetricKind(name: metric.name) { _ in .success(ParsedBound()) }
        }
        return Vocabulary(
            strategies: StrategyCatalog.strategies, metrics: metrics, profiles: profiles,
            readProfile: { reader.read(&$0) })
    }()

    /// A shipped radio profile.
    static func profile(_ name: String) -> ParsedProfile {
        let text = shippedProfiles.first { $0.name == name }?.text ?? ""
        var settings = SettingsReader(
            compose(Array(text.utf8)).node ?? Node(.map([])), of: "profile \(name)")
        guard let reading = vocabulary.readProfile(&settings) else { preconditionFailure("\(name) does not load") }
        return reading
    }

    static func load(_ bytes: [UInt8], name: String) -> LoadedScenarios {
        ScenarioLoader(vocabulary) { .failure(FileError("benchmarks extend nothing: \($0)")) }.load(bytes, name: name)
    }

    static func scenario(_ text: String) -> Scenario {
        let loaded = load(Array(text.utf8), name: "a benchmark")
        guard let scenario = loaded.scenarios.first else {
            preconditionFailure(
                "a benchmark's scenario: \(loaded.faults.sorted.map { faultText($0, files: loaded.files) })")
        }
        return scenario
    }

    private static let start = """
        version: 1
        phone:
          battery: 15.4Wh
          radios: {wifi: wifi-galaxy-s2, cellular: lte-verizon-2021}

        """

    /// One chat app for a day: at home, on the way, at work and back, with a message every two minutes.
    static let day =
        start + """
            name: A day of chat
            duration: 24h
            replicas: 1
            timeline:
              - {at: 0s, wifi: home, app: foreground}
              - {at: 8h, handoff: cellular, gap: 400ms, old-path: silent}
              - {at: 490m, dead-zone: 90s, repeat: {every: 6m, times: 4}}
              - {at: 9h, handoff: wifi, name: office}
              - {at: 17h, handoff: cellular, gap: 400ms, old-path: silent}
              - {at: 1030m, dead-zone: 90s, repeat: {every: 6m, times: 4}}
              - {at: 18h, handoff: wifi, name: home}
            traffic:
              down: {every: 120s, arrivals: poisson, size: 300B}
              up: {every: 240s, arrivals: poisson, size: 200B}
            strategies:
              patient: {strategy: patient, ping: 5m, timeout: 10s}
            """

    /// Phones that do not interact: LTE, a ping every five minutes, a message every ten.
    static func hour(phones: Int) -> String {
        start + """
            name: An hour of a large fleet
            duration: 1h
            phones: \(phones)
            replicas: 1
            timeline:
              - {at: 0s, cellular: street, app: foreground}
            traffic:
              down: {every: 600s, arrivals: poisson, size: 300B}
            strategies:
              patient: {strategy: patient, ping: 5m, timeout: 10s}
            """
    }

    /// Phones that lose one network at the same time and reconnect to one server, which accepts all of them within ten
    /// seconds.
    static func storm(phones: Int) -> String {
        start + """
            name: A reconnect storm
            duration: 3m
            phones: \(phones)
            replicas: 1
            server: {accepts-per-second: \(phones / 10)}
            timeline:
              - {at: 0s, wifi: office, app: foreground}
              - {at: 1m, handoff: cellular, gap: 1s, old-path: error}
            traffic:
              down: {every: 60s, arrivals: poisson, size: 300B}
            strategies:
              patient: {strategy: patient, ping: 1m, timeout: 10s, connect-timeout: 30s}
            """
    }
}
