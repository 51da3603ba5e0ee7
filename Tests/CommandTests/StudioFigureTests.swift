import DeadzoneReports
import DeadzoneTestKit
import Testing

@testable import DeadzoneCommand

/// The figures, sliders and lists of the studio's page.
struct StudioFigureTests: StudioCalling {
    private let workspace: TestWorkspace
    let site: StudioSite

    init() throws { (workspace, site) = try StudioCalls.sample() }

    private static let faster = TestWorkspace.scenario.replacing(
        "patient: {strategy: patient}", with: "patient: {strategy: patient, ping: 3s}")

    private func results(_ text: String, before: JSON? = nil) throws -> JSON {
        var wish: [String: JSON] = ["text": .string(text), "whole": .bool(true)]
        if let before { wish["before"] = before }
        return try #require(try call("run", wish).frame("results")?.head)
    }

    @Test func everyPrimaryMetricIsInTheFigures() throws {
        // Broken: a setting that makes sending slow is not seen, because only the energy is beside the sliders.
        let head = try results(TestWorkspace.scenario)
        let names = head["metrics"]?.items?.compactMap { $0["name"]?.string } ?? []
        #expect(
            Set(names).isSuperset(of: [
                "delivery.down.lost", "delivery.down.pending", "latency.down.p95", "zombie.max",
                "battery.above_idle_joules", "battery.joules",
            ]), "\(names)")
        // A scenario without calls has no failed calls.
        #expect(!names.contains("calls.failed"))
        let both = TestWorkspace.scenario.replacing("traffic:", with: "traffic:\n  up: {every: 20s, size: 100B}")
        let directions = try results(both)["metrics"]?.items?.compactMap { $0["name"]?.string } ?? []
        #expect(Set(directions).isSuperset(of: ["delivery.up.lost", "delivery.up.pending", "latency.up.p95"]))
        let run = try JSON(text: Array(workspace.run("run @mine.yaml --json").output.utf8))
        let clients = try #require(head["clients"]?.items)
        for (client, strategy) in zip(clients, run["strategies"]?.items ?? []) {
            #expect(client["name"] == strategy["name"])
            for (name, cell) in zip(names, client["cells"]?.items ?? []) {
                guard let value = cell["value"] else { continue }
                #expect(value == strategy["metrics"]?[name], "\(name)")
            }
        }
    }

    @Test func differencesHaveTheIntervalOfTheirPairs() throws {
        // Broken: a difference is shown with the interval of a value, or the results before are those of other seeds.
        let text = TestWorkspace.scenario.replacing("replicas: 3", with: "replicas: 9")
        let changed = Self.faster.replacing("replicas: 3", with: "replicas: 9")
        let before = try #require(try results(text)["before"])
        func cells(_ head: JSON, _ name: String) -> [JSON] {
            head["clients"]?.items?.first { $0["name"]?.string == name }?["cells"]?.items ?? []
        }
        let head = try results(changed, before: before)
        let names = head["metrics"]?.items?.compactMap { $0["name"]?.string } ?? []
        let place = try #require(names.firstIndex(of: "battery.above_idle_joules"))
        let cell = cells(head, "patient")[place]
        #expect(cell["interval"]?.string?.contains(" to ") == true && cell["isDecided"]?.bool == true, "\(cell)")
        #expect(cell["difference"]?.string?.hasPrefix("paired difference +") == true, "\(cell)")
        // The other client did not change, and a damaged or foreign record of results is no comparison.
        #expect(cells(head, "eager").allSatisfy { $0["interval"] == nil })
        for other in [JSON.string("{"), .string(""), .null] {
            #expect(cells(try results(changed, before: other), "patient").allSatisfy { $0["interval"] == nil })
        }
        let page = try #require(try call("run", ["text": .string(changed), "whole": .bool(true)]).frame("results"))
        #expect(page.content.contains("paired difference") && page.content.contains("% interval"))
    }

    @Test func slidersHaveNoSilentLimit() throws {
        // Broken: with many clients, most have no sliders, and nothing says so.
        let clients = (0..<40).map { "  c\($0): {strategy: patient, ping: \($0 + 5)s, timeout: 3s}" }
        let text = TestWorkspace.scenario.replacing(
            "strategies:", with: "strategies:\n" + clients.joined(separator: "\n")
        )
        .replacing(/(?s)expect:.*/, with: "")
        func opened(_ names: [String]?) throws -> (sliders: Set<String>, opened: [String]) {
            var wish: [String: JSON] = ["text": .string(text)]
            if let names { wish["opened"] = .array(names.map { .string($0) }) }
            let found = try JSON(text: Array(try call("sliders", wish).body.utf8))
            return (
                Set((found["sliders"]?.items ?? []).compactMap { $0["strategy"]?.string }),
                (found["opened"]?.items ?? []).compactMap(\.string)
            )
        }
        let all = (0..<40).map { "c\($0)" }
        #expect(try opened(all).sliders == Set(all))
        #expect(try opened(["c39"]).sliders == ["c39"] && opened(["c39", "nobody"]).opened == ["c39"])
        #expect(try opened([]).sliders.isEmpty)
        // While the page knows no client, the first one is open.
        #expect(try opened(nil).opened.count == 1)
        #expect(try call("sliders", ["text": .string("{")]).body == "null")
    }

    @Test func theListOfScenariosHasFactsAndWords() throws {
        // Broken: a search for a word of the story or for a client finds nothing, or a length is missing.
        let list = try JSON(text: Array(try call("scenarios").body.utf8))["scenarios"]?.items ?? []
        #expect(list.count >= 80)
        for item in list {
            let facts = item["facts"]?.string ?? ""
            #expect(facts.firstMatch(of: /^[1-9]\d* clients? · .*\d (s|min|h|d|ms)$/) != nil, "\(item)")
            #expect(item["title"]?.string?.isEmpty == false && item["about"]?.string?.isEmpty == false)
        }
        let found = list.filter { ($0["words"]?.string ?? "").lowercased().contains("chat") }
        #expect(found.count > 3)
        #expect(list.contains { $0["words"]?.string?.contains("signal-android") == true })
    }
}
