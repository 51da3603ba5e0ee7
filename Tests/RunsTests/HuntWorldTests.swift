import DeadzoneBase
import DeadzoneLaws
import DeadzoneMetrics
import DeadzoneScenarios
import DeadzoneSimulator
import Testing

@testable import DeadzoneRuns

/// The worlds of a hunt as parts of a scenario, the facts of a scenario that decide which worlds are possible, and the
/// judgement of one world.
struct HuntWorldTests {
    private static func plan(
        _ scenario: String, _ demand: String = "zombie.max: under 60s", strategy: String? = nil,
        _ change: (inout HuntRequest) -> Void = { _ in }
    ) throws -> HuntPlan {
        let text = "version: 1\nname: A chat\nduration: 30m\n" + scenario + "\n"
        let loaded = ScenarioLoader(.standard, read: ScenarioFiles.read).load(Array(text.utf8), name: "chat.yaml")
        #expect(loaded.faults.isEmpty, "\(loaded.faults.sorted.map(\.message))")
        var request = HuntRequest(file: "chat.yaml", loaded, demands: [demand])
        request.strategy = strategy
        change(&request)
        return try HuntPlan(request, .standard)
    }

    private static let cellular = "phone: {radios: {cellular: lte-verizon-2021}}\n"
    private static let both = "phone: {radios: {wifi: wifi-oneplus-8, cellular: lte-verizon-2021}}\n"
    private static let own = "strategies: {ours: {strategy: patient}}"

    // MARK: The ground

    @Test func theScenarioDecidesWhatCanHappen() throws {
        // Broken: a world has a disturbance that the scenario cannot have, or begins on another network than the
        // scenario.
        func facts(_ scenario: String) throws -> String {
            let ground = try Self.plan(scenario + Self.own).worlds.ground
            var words = ground.radios.map(\.name) + ["start " + ground.start.name] + ground.streams.map(\.rawValue)
            words += ground.mappings.map { "nat " + $0.name }
            if ground.hasPlatform { words.append(ground.canLosePlatform ? "platform or none" : "platform") }
            if ground.hasResolver { words.append("resolver") }
            if !ground.startsInFront { words.append("background") }
            if !ground.startsWithScreenOn { words.append("dark") }
            return words.joined(separator: ", ")
        }
        let rows: [(scenario: String, facts: String)] = [
            (Self.cellular, "cellular, start cellular, down, up"), (Self.both, "wifi, cellular, start wifi, down, up"),
            ("phone: {radios: {wifi: wifi-oneplus-8}}\n", "wifi, start wifi, down, up"),
            (Self.both + "traffic: {up: {every: 1m, size: 9B}}\n", "wifi, cellular, start wifi, up"),
            (
                Self.both + "traffic: {calls: {every: 1m, size: 9B, answer: 9B}, down: {every: 1m, size: 9B}}\n",
                "wifi, cellular, start wifi, down, calls"
            ),
            (Self.both + "timeline: [{at: 0s, wifi: off, cellular: on}]\n", "wifi, cellular, start cellular, down, up"),
            (Self.both + "timeline: [{at: 0s, wifi: home}]\n", "wifi, cellular, start wifi, down, up"),
            (Self.both + "timeline: [{at: 0s, cellular: street}]\n", "wifi, cellular, start cellular, down, up"),
            (Self.both + "timeline: [{at: 1m, wifi: off}]\n", "wifi, cellular, start wifi, down, up"),
            (Self.cellular + "resolver: {}\n", "cellular, start cellular, down, up, resolver"),
            (
                Self.both + "middleboxes: {cellular: [carrier-nat-300]}\n",
                "wifi, cellular, start wifi, down, up, nat cellular"
            ),
            (
                "phone: {platform: android-15, radios: {cellular: lte-verizon-2021}}\n"
                    + "timeline: [{at: 0s, app: background, screen: off}]\n",
                "cellular, start cellular, down, up, platform, background, dark"
            ),
            (
                "phone: {platform: android-15, radios: {cellular: lte-verizon-2021}}\n",
                "cellular, start cellular, down, up, platform or none"
            ),
        ]
        for row in rows {
            let found = try facts(row.scenario)
            #expect(found == row.facts, "\(row.scenario)\(found)")
        }
    }

    @Test func kindsAreChosenByTheUser() throws {
        // Broken: a kind that the user forbids is tried, or only the last of two allowed ones is.
        func kinds(_ allowed: [String], _ forbidden: [String]) throws -> [String] {
            let ground = try Self.plan(Self.both + Self.own) {
                ($0.allowed, $0.forbidden, $0.grace, $0.trouble) = (allowed, forbidden, .minutes(3), .minutes(7))
            }.worlds.ground
            #expect(ground.grace == .minutes(3) && ground.trouble == .minutes(7))
            return ground.kinds(withPlatform: false).map(\.rawValue)
        }
        #expect(try kinds(["roam", "handoff"], []) == ["handoff", "roam"])
        #expect(try kinds(["roam", "handoff"], ["handoff"]) == ["roam"])
        let most = try kinds([], ["dead-zone"])
        #expect(!most.contains("dead-zone") && most.contains("handoff") && most.count > 10)
        #expect(throws: ToolFault.self) { try kinds(["roam"], ["roam"]) }
        #expect(throws: ToolFault.self) { try kinds(["kill"], []) }
        #expect(throws: ToolFault.self) { try kinds(["roams"], []) }
    }

    @Test func durationsOfTheScenarioAreTried() throws {
        // Broken: a duration at which the client, the server or a NAT changes its behaviour is never tried.
        let scenario =
            Self.both + "middleboxes: {cellular: [{udp: 30s, tcp: 7m}]}\n"
            + "server: {rate-limit: {every: 100ms, burst: 10}}\n"
            + "strategies: {ours: {strategy: composed, keepalive: {interval: 21600s, timeout: 1s}, backoff: {cap: 40s}}, "
            + "theirs: {strategy: composed, keepalive: {interval: 77s}}}"
        let constants = try Self.plan(scenario, strategy: "ours").worlds.ground.constants
        #expect(constants == constants.sorted() && Set(constants).count == constants.count)
        let expected = [TimeSpan.seconds(1), .seconds(30), .seconds(40), .minutes(7), .hours(6)]
        #expect(Set(expected).isSubset(of: constants), "\(constants)")
        #expect(!constants.contains(.seconds(77)) && !constants.contains(.milliseconds(100)))
        #expect(constants.allSatisfy { $0 >= .seconds(1) && $0 <= .hours(6) })
    }

    // MARK: Worlds

    private static func world(
        _ plan: HuntPlan, _ entries: [TimedDisturbance] = [], _ streams: [WorldGenome.MessageGene]? = nil,
        hasPlatform: Bool = true, seed: UInt64? = nil
    ) -> WorldGenome {
        let silent = plan.worlds.ground.streams.map { _ in WorldGenome.MessageGene.none }
        return WorldGenome(entries: entries, streams: streams ?? silent, hasPlatform: hasPlatform, seed: seed)
    }

    private static func text(
        _ plan: HuntPlan, _ genome: WorldGenome, _ demand: (String, String) = ("zombie.max", "under 60s")
    ) -> [String] {
        plan.worlds.text(genome, extending: "../chat.yaml", title: "a find", demand).split(separator: "\n").map(
            String.init)
    }

    @Test func findsAreWrittenAsPartsOfTheirScenario() throws {
        // Broken: a find lacks a line of the world, keeps a line that the world does not have, or another expectation.
        let zone = TimedDisturbance(.deadZone, wait: .seconds(20), length: .seconds(50))
        let head = ["version: 1", "extends: {file: \"../chat.yaml\", without: [expect]}", "name: \"a find\""]
        let demand = "expect: {ours: {zombie.max: \"under 60s\"}}"
        let plain = try Self.plan(Self.both + Self.own)
        // The world ends ten minutes after its last disturbance, which begins after 10 s of warm-up.
        #expect(
            Self.text(plain, Self.world(plain, [zone])) == head + [
                "duration: 11m20s", "replicas: 1", "timeline:", "  - {at: 30s, dead-zone: 50s}", demand,
            ])
        #expect(
            Self.text(plain, Self.world(plain, seed: 9))
                == head + ["duration: 10m10s", "replicas: 1", "seed: 9", "timeline: []", demand])
        // Messages without a size in the scenario have 300 bytes. A list replaces the messages of the scenario.
        let messages = Self.world(plain, [], [.every(.seconds(30)), .at([.seconds(5), .seconds(9)])])
        #expect(
            Self.text(plain, messages) == head + [
                "duration: 15m10s", "replicas: 1", "timeline: []",
                "traffic: {down: [{every: 30s, until: 5m10s, size: 300B}], up: [{at: [15s, 19s], size: 300B}]}", demand,
            ])
        let rich = try Self.plan(
            "phones: 3\nphone: {platform: android-15, radios: {wifi: wifi-oneplus-8, cellular: lte-verizon-2021}}\n"
                + "timeline: [{at: 0s, app: foreground, screen: on, wifi: home}, {at: 0s, charging: on}, {at: 5m, push: high}]\n"
                + "traffic: {down: {every: 1m, size: 70B}, calls: [{every: 1m, size: 8B, answer: 9B}]}\n"
                + "strategies: {ours: {strategy: patient}, theirs: {strategy: eager}}\n"
                + "expect: {ours: {zombie.max: under 5s, delivery.down.lost: 0}, theirs: {delivery.down.lost: 0}}",
            strategy: "ours")
        // The usual state at the start is not repeated. Other messages of the scenario are removed. No name of another
        // strategy is written, because the scenario may rename it.
        let start = ["duration: 10m10s", "replicas: 1", "phones: 1"]
        let lines = Self.text(rich, Self.world(rich))
        #expect(lines.prefix(6) == head[...] + start, "\(lines)")
        #expect(
            lines.contains("  - {at: 0s, charging: on}") && lines.contains("traffic: {down: null, calls: null}"),
            "\(lines)")
        #expect(!lines.contains { $0.contains("push") || $0.contains("app:") || $0.contains("strategies") }, "\(lines)")
        #expect(lines.last == demand && !lines.contains { $0.contains("theirs") }, "\(lines)")
        let sent = Self.text(rich, Self.world(rich, [], [.at([.seconds(1)]), .every(.minutes(1))]))
        #expect(
            sent.contains(
                "traffic: {down: [{at: [11s], size: 70B}], calls: [{every: 1m, until: 5m10s, size: 8B, answer: 9B}]}"),
            "\(sent)")
        let bare = Self.text(rich, Self.world(rich, hasPlatform: false))
        #expect(
            bare.contains { $0.hasPrefix("phone: {platform: ") } && !lines.contains { $0.hasPrefix("phone:") },
            "\(bare)")
        // A world without Wi-Fi at the start has none either.
        let outside = try Self.plan(Self.both + "timeline: [{at: 0s, wifi: off, cellular: on}]\n" + Self.own)
        let off = Self.text(outside, Self.world(outside)).first { $0.hasPrefix("  - {at: 0s, ") }
        #expect(off?.contains("wifi: \"off\"") == true && off?.contains("cellular: \"on\"") == true, "\(off ?? "")")
        // In the worlds that the search runs, other strategies and expectations are gone.
        let loaded = rich.worlds.loaded(Self.world(rich))
        let scenario = try #require(loaded.scenarios.first)
        #expect(
            scenario.strategies.map(\.name) == ["ours"] && scenario.expectations.isEmpty && scenario.world.phones == 1)
    }

    @Test func aReferenceIsAddedToTheScenario() throws {
        // Broken: a bound that refers to a shipped strategy has no strategy to refer to, or one of the scenario twice.
        let scenario =
            Self.both + "strategies: {ours: {strategy: patient}, theirs: {strategy: eager}, third: {strategy: eager}}"
        let bound = "battery.joules: at most 150% of "
        let shipped = try Self.plan(scenario, bound + "grpc-core", strategy: "ours") { $0.reference = "grpc-core" }
        #expect(Self.text(shipped, Self.world(shipped)).contains("strategies: {grpc-core: {strategy: grpc-core}}"))
        #expect(
            shipped.worlds.loaded(Self.world(shipped)).scenarios.first?.strategies.map(\.name).sorted() == [
                "grpc-core", "ours",
            ])
        let own = try Self.plan(scenario, bound + "theirs", strategy: "ours")
        #expect(!Self.text(own, Self.world(own)).contains { $0.hasPrefix("strategies:") })
        #expect(
            own.worlds.loaded(Self.world(own)).scenarios.first?.strategies.map(\.name).sorted() == ["ours", "theirs"])
        let percentage = try Self.plan(scenario, "battery.joules: at most 150%", strategy: "ours") {
            $0.reference = "eager"
        }
        #expect(
            percentage.demands[0].threshold.reference == "eager"
                && percentage.demands[0].bound == bound.dropFirst(16) + "eager")
        for wrong in ["ours", "fourth"] {
            #expect(throws: ToolFault.self) { try Self.plan(scenario, bound + wrong, strategy: "ours") }
        }
    }

    @Test func scenariosThatAHuntCannotChangeAreRefused() {
        // Broken: a hunt runs one of many scenarios, or the worlds of one phone of many.
        let two = "strategies: {a: {strategy: patient}, b: {strategy: eager}}"
        let rows: [(scenario: String, strategy: String?, said: String)] = [
            (Self.both + "matrix: {phones: [1, 2]}\n" + Self.own, nil, "has a matrix"),
            (Self.both + two, nil, "`--strategy` is missing: `A chat` has several strategies"),
            (Self.both + two, "c", "unknown strategy `c`"),
            (
                Self.both + "population: {all: {share: 100%}}\n" + Self.own, nil, "has a population"
            ),
        ]
        for row in rows {
            let fault = #expect(throws: ToolFault.self) { try Self.plan(row.scenario, strategy: row.strategy) }
            #expect(fault?.message.contains(row.said) == true, "\(fault?.message ?? "")")
        }
        #expect(throws: Never.self) { try Self.plan(Self.both + two, strategy: "b") }
    }

    @Test func seedsAndCalmDemandsAreThoseOfThePlan() throws {
        // Broken: the worlds of a hunt have another seed than the scenario, or messages are judged before the calm.
        let scenario = Self.both + "seed: 6\n" + Self.own
        #expect(try Self.plan(scenario).seed == 6 && Self.plan(scenario) { $0.seed = 8 }.seed == 8)
        #expect(try Self.plan(Self.both + Self.own).seed == 1)
        for (demand, isCalm) in [
            ("latency.down.max: under 1s", true), ("freshness.p95: under 1s", true), ("zombie.max: under 1s", false),
            ("delivery.down.lost: 0", false),
        ] {
            let plan = try Self.plan(scenario, demand) { $0.seed = 8 }
            #expect(plan.demands.map(\.isCalm) == [isCalm], "\(demand)")
            let task = plan.task([0])
            #expect(task.worlds.ground.isCalm == isCalm && task.seed == 6 && task.demands.count == 1)
        }
    }

    // MARK: Judgement

    @Test func theDistanceToABreachIsAShare() throws {
        // Broken: a world that is nearer to breaking a demand counts as further away, so the search changes the others.
        let rows: [(bound: String, figure: Figure, reference: Figure?, closeness: Double)] = [
            ("under 10", .value(5), nil, 0.5), ("at most 10", .value(20), nil, 1), ("at most 10", .value(0), nil, 0),
            ("10", .value(4), nil, 0.4), ("2 to 8", .value(4), nil, 0.5), ("at least 10", .value(20), nil, 0.5),
            ("over 10", .value(40), nil, 0.25), ("at least 10", .value(5), nil, 1), ("at least 10", .value(0), nil, 0),
            ("0", .value(3), nil, 0), ("under 10", .nothing, nil, 0), ("under 10", .never, nil, 0),
            ("at most 50% of other", .value(4), .value(16), 0.5), ("at most 50% of other", .value(4), nil, 0),
            ("at most 50% of other", .value(4), .nothing, 0),
        ]
        for row in rows {
            let threshold = try Threshold(row.bound, in: .count)
            #expect(HuntEvaluator.closeness(threshold, row.figure, row.reference) == row.closeness, "\(row)")
        }
    }
}

extension Figure {
    fileprivate static func value(_ count: Int) -> Figure { .value(Billionths(count: Int128(count) * 1_000_000_000)) }
}
