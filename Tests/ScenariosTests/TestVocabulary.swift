import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
@testable import DeadzoneScenarios
import DeadzoneSimulator

/// A vocabulary for tests, which does not change when the project's own names do.
let testVocabulary = Vocabulary(
    strategies: [.of(Calm.self), .of(Hasty.self)],
    metrics: ["battery.joules", "delivery.down.lost", "zombie.max"].map { name in
        MetricKind(name: name, check: checkBound)
    },
    profiles: [
        ProfileText(name: "test-lte", text: "technology: lte\npromotion: 260ms\npower: 1200mW\ncost: 438.39mW/Mbps\n"),
        ProfileText(name: "test-wifi", text: "technology: wifi\npromotion: 10ms\n"),
        ProfileText(name: "test-bluetooth", text: "technology: bluetooth\n"),
        ProfileText(name: "test-cable", text: "technology: wired\n"),
    ],
    readProfile: readTestProfile)

struct Calm: Strategy {
    static let name = "calm"
    static let about = "waits"
    let ping: TimeSpan

    init(_ settings: inout SettingsReader) {
        ping = settings.span(
            "ping", default: .seconds(45), in: .milliseconds(1) ... .longest, "from one ping to the next")
        _ = settings.group("backoff", "the wait between attempts") { settings in
            (
                settings.span("base", default: .milliseconds(500)),
                settings.ratio("multiplier", default: 2_000_000, in: 1_000_000...9_000_000),
                settings.word("jitter", of: [("none", 0), ("full", 1)], default: 1)
            )
        }
    }

    func initialState() -> UInt8 { 0 }
    func handle(_ event: Event, _ state: inout UInt8, _ session: inout Session, _ out: inout Outbox) {}
}

struct Hasty: Strategy {
    static let name = "hasty"
    static let about = "does not wait"

    init(_ settings: inout SettingsReader) {
        _ = settings.count("tries", default: 3, in: 1...100, "attempts in a row")
        _ = settings.flag("resume", default: false, "whether it asks for what it missed")
        _ = settings.probability("drop", default: .zero, "how often it gives up")
        _ = settings.size("buffer", default: 65_536, "what it keeps")
    }

    func initialState() -> UInt8 { 0 }
    func handle(_ event: Event, _ state: inout UInt8, _ session: inout Session, _ out: inout Outbox) {}
}

/// Checks a bound. `at most 60% of NAME`, `under 15s` and plain numbers are enough for a test.
private func checkBound(_ bound: String) -> Result<ParsedBound, BoundError> {
    let words = bound.split(separator: " ").map(String.init)
    if words.count >= 2, words[words.count - 2] == "of" { return .success(ParsedBound(reference: words.last)) }
    let isNumber = words.last?.utf8.first.map { 48...57 ~= $0 } ?? false
    return isNumber ? .success(ParsedBound()) : .failure(BoundError("no number", help: "write under 15s"))
}

private func readTestProfile(_ settings: inout SettingsReader) -> ParsedProfile? {
    let technology = settings.required(
        "technology", .word(Technology.allCases.map { ("\($0.name)", $0) }), standIn: .lte)
    let promotion = settings.span("promotion", default: .milliseconds(100), in: .zero ... .seconds(60))
    let power = settings.value("power", .quantity(.power), default: 0)
    let cost = settings.value("cost", .cost, default: .zero)
    var powers = PowerTable()
    powers[.activeDown] = .microwatts(power)
    let profile = RadioProfile(
        technology: technology, powers: powers, costUp: cost, costDown: cost,
        machine: .wifi(WiFiTimers(promotion: promotion, tail: .zero, beacon: .none)), handover: .none,
        search: SearchTimers(scan: .seconds(1), firstPause: .seconds(1), longestPause: .seconds(1)))
    return ParsedProfile(profile: profile, sheet: ProfileSource(name: "", about: "", numbers: []))
}

/// Loads a scenario that may extend or name these files.
func load(_ text: String, files: [String: String] = [:]) -> LoadedScenarios {
    ScenarioLoader(testVocabulary) { path in
        files[path].map { .success(Array($0.utf8)) } ?? .failure(FileError("no such file"))
    }.load(Array(text.utf8), name: "dir/test.yaml")
}

/// All faults, as printed for a user.
func faultTexts(_ loaded: LoadedScenarios) -> String {
    loaded.faults.sorted.map { faultText($0, files: loaded.files) }.joined(separator: "\n")
}

/// A scenario that uses every key.
let everyKey = """
    version: 1
    name: Every key
    about: Nothing is left to a default.
    duration: 45m
    replicas: 3
    seed: 7
    phones: 2
    x-note: {anything: [goes, here]}
    phone:
      battery: {charge: 4300mAh, voltage: 3.7V}
      tail-attribution: equal-shares
      radios:
        wifi: test-wifi
        cellular: {profile: test-lte, promotion: 300ms, cost: 20mW/Mbps}
    links:
      wifi: {preset: wifi, delay: 20ms, jitter: 5ms, floor: 1ms, rate: 30Mbps, loss: 1%}
      cellular:
        delay: {normal: {mean: 50ms, deviation: 5ms}}
        up: {delay: {uniform: [30ms, 50ms]}, floor: 30ms, rate: 2Mbps, loss: 0.5%}
        down: {rate: 10Mbps, loss: {gilbert-elliott: {good: 20s, bad: 500ms, loss-in-good: 0.1%, loss-in-bad: 50%}}}
    timeline:
      - {at: 0s, wifi: home, app: foreground}
      - {at: 6m, handoff: cellular, gap: 400ms, old-path: silent, name: street}
      - {at: 12m, dead-zone: 90s, interface: cellular, repeat: {every: 6m, times: 4}}
      - {at: 20m, app: background}
      - {at: 36m, cell-handover: true}
      - {at: 38m, handoff: wifi, overlap: 5s}
      - {at: 40m, wifi: off, old-path: silent}
    traffic:
      down: {every: 20s, arrivals: poisson, size: 300B, from: 1s, until: 40m}
      up: {every: 1m, arrivals: periodic, jitter: 10%, size: {lognormal: {median: 1KiB, sigma: 0.5}}}
      probe: {every: {table: [[0, 1s], [0.5, 5s], [1, 20s]]}, size: {pareto: {scale: 100B, shape: 1.5}}}
    server: {accepts-per-second: 100}
    strategies:
      slow: {strategy: calm, ping: 30s, backoff: {base: 1s, multiplier: 200%, jitter: none}}
      fast: {preset: hasty, tries: 5, resume: true, drop: 0.1, buffer: 1MiB}
    expect:
      slow: {zombie.max: under 15s, battery.joules: at most 60% of fast}
      fast: {delivery.down.lost: 3}

    """
