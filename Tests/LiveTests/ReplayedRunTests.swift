import DeadzoneBase
import DeadzoneDevice
import DeadzoneMetrics
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSimulator
import Foundation
import Testing

@testable import DeadzoneCommand
@testable import DeadzoneLive

/// Replaying the capture of a live run with its radio profile gives the run's own energy, to the digit.
struct ReplayedRunTests {
    private static let profiles = [
        "lte-verizon-2021", "lte-tmobile-2021", "lte-att-2012-mobisys", "nr-nsa-low-verizon-2021",
        "nr-nsa-mmwave-verizon-2021", "nr-sa-low-tmobile-2021", "umts-teliasonera", "umts-2012-mobisys",
        "wifi-galaxy-s2",
        "wifi-oneplus-8", "wifi-2012-mobisys",
    ]

    /// A random history of a live path over two minutes, drawn from a seed: packets both ways, single and in bursts,
    /// dead zones, handovers, and networks that disappear while packets wait.
    private static func live(_ profile: String, seed: UInt64) throws -> (
        scenario: Scenario, run: LiveMaker.FinishedLiveRun
    ) {
        let interface: Interface = profile.hasPrefix("wifi") ? .wifi : .cellular
        let scenario = try scenario("phone: {radios: {\(interface.name): \(profile)}}")
        var road = LivePath(scenario.world.ofFirstPhone, seed: seed, phone: PhoneID(0))
        var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
        road.begin(interface)
        while road.now < .zero + .seconds(100) {
            let spans: [Int64] = [0, 0, 1, 3, 40, 200, 700, 3_000, 17_000]
            road.advance(
                to: road.now + .milliseconds(spans[Int.random(in: 0..<spans.count, using: &dice)])
                    + .nanoseconds(Int64(Int.random(in: 0..<999, using: &dice))))
            switch Int.random(in: 0..<20, using: &dice) {
            case 0:
                _ = road.changeCoverage(interface, false)
                road.send(TestEndpoints.udp())
                road.advance(to: road.now + .milliseconds(Int64.random(in: 0..<3_000, using: &dice)))
                _ = road.changeCoverage(interface, true)
            case 1: _ = road.changeCell()
            case 2:
                _ = road.takeDown(interface)
                road.advance(to: road.now + .milliseconds(Int64(Int.random(in: 0..<400, using: &dice))))
                road.begin(interface)
            case 3...9:
                road.sendFromServer(
                    TestEndpoints.segment(
                        .down, [.ack], payload: Array(repeating: 0, count: Int.random(in: 0..<1_400, using: &dice))))
            default:
                for _ in 0...Int.random(in: 0..<5, using: &dice) {
                    road.send(TestEndpoints.udp(bytes: 60 + Int.random(in: 0..<1_300, using: &dice)))
                }
            }
            _ = road.takeArrived()
        }
        road.finish(at: .zero + .seconds(120))
        var outcome = LiveOutcome()
        outcome.packets = road.observer.packets
        outcome.radioCalls = road.radioCalls
        outcome.length = .seconds(120)
        return (scenario, (outcome, road.observer.records))
    }

    private static func scenario(_ yaml: String) throws -> Scenario {
        let text = "version: 1\nname: test\nduration: 120s\n\(yaml)\nstrategies: {a: {strategy: patient}}\n"
        let loaded = ScenarioLoader(.standard) { _ in .failure(FileError("nothing else is read")) }
            .load(Array(text.utf8), name: "test")
        return try #require(loaded.scenarios.first, "\(loaded.faults)")
    }

    /// Nanoseconds in each state, and billionths of a joule.
    private struct Spent: Equatable {
        var states: [String: Int64] = [:]
        var billionths: Int64 = 0
    }

    private static func spent(_ run: LiveMaker.FinishedLiveRun, _ scenario: Scenario) throws -> Spent {
        var maker = LiveMaker(scenario, seed: 1, name: "a", like: nil)
        maker.add(run)
        let report = try maker.report([], by: ParallelExecutor(jobs: 1, isStopped: { false }))
        var spent = Spent()
        if let figure = report.measurement.figure("battery.joules"), case .value(let joules) = figure {
            spent.billionths = Int64(joules.count)
        }
        for record in run.records where record.kind == .residency {
            let tag = try #require(RadioTag(bits: record.tag))
            spent.states["\(tag.level.state.name)", default: 0] += record.value
        }
        return spent
    }

    private static func replayed(_ outcome: LiveOutcome, _ profile: String, _ flags: [String]) throws -> Spent {
        let file = FileManager.default.temporaryDirectory.appending(path: "deadzone-\(UUID().uuidString).pcapng")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(PcapngFile(outcome, about: "test").bytes).write(to: file)
        let printed = Live.CommandOutput(["replay", file.path, "--profile", profile, "--json"] + flags)
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(printed.output.utf8)) as? [String: Any], "\(printed.errors)")
        let radio = try #require(document["radio"] as? [String: Any])
        var spent = Spent()
        spent.billionths = Int64((try #require(radio["joules"] as? Double) * 1e9).rounded())
        for state in radio["states"] as? [[String: Any]] ?? [] {
            let (name, seconds) = (state["state"] as? String ?? "", state["seconds"] as? Double ?? 0)
            if seconds > 0 { spent.states[name] = Int64((seconds * 1e9).rounded()) }
        }
        return spent
    }

    @Test(arguments: profiles)
    func replayEqualsTheRun(_ profile: String) throws {
        // Broken: the radio depends on an event that the capture does not contain, or the replay guesses a recorded
        // value.
        for seed in UInt64(1)...6 {
            let (scenario, run) = try Self.live(profile, seed: seed)
            let spent = try Self.spent(run, scenario)
            #expect(
                spent.states.count > 2 && run.outcome.packets.count > 20, "seed \(seed): there is nothing to compare")
            for window in [[], ["--from", "0", "--until", "120"]] {
                let replayed = try Self.replayed(run.outcome, profile, window)
                #expect(replayed.states == spent.states, "seed \(seed)")
                // A result rounds the cost of each state and cause to a billionth of a joule.
                #expect(abs(replayed.billionths - spent.billionths) <= 5, "seed \(seed): \(replayed) \(spent)")
            }
        }
    }

    @Test func packetsAloneAreNotEnough() throws {
        // Broken: the radio call log in a capture is ignored, and the other test compares two guesses.
        var (scenario, run) = try Self.live("lte-verizon-2021", seed: 1)
        run.outcome.radioCalls = []
        let spent = try Self.spent(run, scenario)
        let guessed = try Self.replayed(run.outcome, "lte-verizon-2021", ["--from", "0", "--until", "120"])
        #expect(guessed.states != spent.states && abs(guessed.billionths - spent.billionths) < spent.billionths / 5)
    }

    @Test func aRadioCallLogSurvivesSerialisation() throws {
        // Broken: a number is lost on the way through a file, or a truncated log is accepted as complete.
        let (_, run) = try Self.live("nr-sa-low-tmobile-2021", seed: 3)
        let script = try #require(run.outcome.radioCalls.first?.script)
        for room in [40, 1_000, 60_000] {
            let texts = script.texts(ofBytes: room)
            #expect(texts.allSatisfy { $0.utf8.count <= max(room, 80) } && RadioCallLog(texts) == script)
            #expect(RadioCallLog(Array(texts.dropLast())) == nil && RadioCallLog(Array(texts.dropFirst())) == nil)
            #expect(RadioCallLog(texts + texts) == nil)
        }
        for text in [
            "", "0 begin 1 2 3", "0 begin 1 2 3; 5 up 1; 9 end", "0 begin 1 2 3; 5 up 1 -1; 9 end",
            "9 begin 1 2 3; 1 end",
            "0 begin 1 2 3; 5 up 1 9999999999999; 9 end", "0 begin 1 2 3; 99999999999999999999 end", "a end", ";;",
        ] {
            #expect(RadioCallLog([text]) == nil, "\(text)")
        }
    }
}
