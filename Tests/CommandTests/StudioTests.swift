import DeadzoneHost
import DeadzoneReports
import DeadzoneTestKit
import Foundation
import Synchronization
import Testing

@testable import DeadzoneCommand

/// The calls of the studio's page, without a socket.
struct StudioTests: StudioCalling {
    private let workspace: TestWorkspace
    let site: StudioSite

    init() throws { (workspace, site) = try StudioCalls.sample() }

    // MARK: Files and calls

    @Test func servesItsPageAndNothingElse() throws {
        // Broken: a file of the page is missing, the page names a file of another host, or any other path is answered.
        let page = try get("/")
        #expect(page.status == 200 && page.body.contains("<textarea") && page.body.contains("h-waste"))
        for found in page.body.matches(of: /(?:src|href)="([^"]*)"/) where found.1 != "data:," {
            let file = try get(String(found.1))
            #expect(file.status == 200 && file.body.count > 500, "\(found.1)")
            #expect(!file.body.contains("http://") || file.body.contains("http://www.w3.org/2000/svg"), "\(found.1)")
        }
        for path in ["/mine.yaml", "/etc/passwd", "/api/start", "/api", "/favicon.ico", "/studio.html"] {
            #expect(try get(path).status == 404, "\(path)")
        }
    }

    @Test func aCallWithoutTheTokenIsRefused() throws {
        // Broken: any page that the user visits can use the studio.
        #expect(try post("start", Array("{}".utf8), type: "application/json", token: "guess").status == 403)
        #expect(try post("start", Array("{}".utf8), type: "text/plain").status == 415)
        #expect(try call("nothing").status == 404)
        #expect(try post("run", Array("{".utf8), type: "application/json").status == 400)
    }

    @Test func aCallHasALargestSize() throws {
        // Broken: a request fills the memory before anything checks it.
        let site = site
        func status(_ call: String, _ length: Int) -> HTTPStatus? {
            var parser = HTTPRequestParser { site.refusal($0, bodyLength: $1) }
            let head =
                "POST /api/\(call) HTTP/1.1\r\nHost: 127.0.0.1:4000\r\nX-Deadzone: \(StudioCalls.token)\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(length)\r\n\r\n"
            if case .refused(let status) = parser.feed(Array(head.utf8)) { return status }
            return nil
        }
        #expect(status("run", 5 << 20) == .contentTooLarge && status("drop", 300 << 20) == .contentTooLarge)
        #expect(status("run", 1 << 20) == nil && status("drop", 200 << 20) == nil)
    }

    @Test func startsWithTheScenarioAndTheLists() throws {
        // Broken: the editor is empty, or a list has no descriptions.
        let start = try JSON(text: Array(try call("start").body.utf8))
        #expect(start["text"]?.string == TestWorkspace.scenario && start["isNamed"]?.bool == true)
        for (list, least) in [("strategies", 50), ("profiles", 20)] {
            let items = start[list]?.items ?? []
            #expect(items.count >= least && items.allSatisfy { ($0["about"]?.string ?? "").count > 5 }, "\(list)")
        }
        #expect(try call("open", ["name": .string("handoff/elevator")]).body.contains("Elevator to the subway"))
        #expect(try call("open", ["name": .string("../Package")]).status == 404)
        #expect(try JSON(text: Array(try call("schema").body.utf8))["definitions"] != nil)
        #expect(throws: (any Error).self) { try StudioFiles(workspace.file("absent.yaml")) }
        #expect(try StudioFiles(nil).text.contains("My first scenario"))
    }

    // MARK: Runs

    @Test func faultsAreThoseOfLint() throws {
        // Broken: the page shows other errors than the command, or a suggestion for another place.
        let wrong = TestWorkspace.scenario.replacing("every: 10s", with: "evry: 10s")
        try workspace.write("mine.yaml", wrong)
        let linted = try JSON(text: Array(workspace.run("lint @mine.yaml --json").output.utf8))
        let answer = try run(wrong)
        #expect(answer.kinds == ["lint"])
        let (shown, expected) = (answer.frame("lint")?.head["faults"]?.items ?? [], linted["errors"]?.items ?? [])
        #expect(shown.count == expected.count && !shown.isEmpty)
        for (a, b) in zip(shown, expected) {
            for key in ["code", "message", "line", "column", "help", "label"] { #expect(a[key] == b[key], "\(key)") }
        }
        #expect(shown.contains { $0["replacement"]?.string == "every" && $0["width"]?.integer == 4 })
        #expect(try run("{").frame("lint")?.head["faults"]?.items?.isEmpty == false)
    }

    @Test func allReplicasAreTheNumbersOfRun() throws {
        // Broken: the page computes something else than `run`.
        let quick = try run(TestWorkspace.scenario)
        #expect(quick.kinds == ["lint", "timeline", "results", "sliders"])
        #expect(quick.frame("timeline")?.content.components(separatedBy: "class=\"strategy\"").count == 3)
        let whole = try run(TestWorkspace.scenario, whole: true)
        #expect(whole.kinds == ["lint", "results"])
        let result = try JSON(text: Array(workspace.run("run @mine.yaml --json").output.utf8))
        let energy = try #require(whole.frame("results")?.head["energy"]?.items)
        let expected = try #require(result["strategies"]?.items)
        #expect(energy.count == 2 && whole.frame("results")?.head["replicas"]?.integer == 3)
        for (a, b) in zip(energy, expected) {
            #expect(a["name"] == b["name"] && a["joules"] == b["metrics"]?["battery.joules"] && a["joules"] != nil)
        }
        for part in ["Joules by cause", "Lost messages and silence", "All numbers", "class=\"cards\""] {
            #expect(whole.frame("results")?.content.contains(part) == true, "\(part)")
        }
    }

    @Test(arguments: ["html", "json", "csv"])
    func exportsAreTheFilesOfRun(_ format: String) throws {
        // Broken: an exported file differs from the file of the command.
        let file = try call("export", ["text": .string(TestWorkspace.scenario), "format": .string(format)])
        #expect(workspace.run("run @mine.yaml -q --exit-zero --out @out --format \(format)").code == .ok)
        let name = ["html": "report.html", "json": "results.json", "csv": "results.csv"][format] ?? ""
        #expect(file.body == (try workspace.text("out/" + name)))
    }

    @Test func badExportsAreRefused() throws {
        // Broken: an export of a broken scenario, or in no format, ends the program or gives an empty file.
        let text = JSON.string(TestWorkspace.scenario)
        for (text, format) in [(text, "none"), (text, ""), (text, "sqlite"), (.string("version: 1"), "html")] {
            #expect(try call("export", ["text": text, "format": .string(format)]).status == 400, "\(format)")
        }
    }

    @Test func aMatrixShowsOneCell() throws {
        // Broken: a matrix shows a mixture of its cells, or a cell that is not there ends the program.
        let text =
            TestWorkspace.scenario.replacing("every: 10s", with: "every: \"${every}\"")
            + "\nmatrix:\n  every: [10s, 30s]\n"
        let (first, second) = (try run(text, whole: true), try run(text, whole: true, cell: 1))
        #expect(first.frame("lint")?.head["cells"]?.items?.count == 2)
        #expect(first.frame("results")?.content != second.frame("results")?.content)
        #expect(try run(text, whole: true, cell: 9).frame("results")?.content == second.frame("results")?.content)
        #expect(try run(text, whole: true, cell: -1).frame("results")?.content == first.frame("results")?.content)
    }

    @Test func manyPhonesShowOne() throws {
        // Broken: the timeline of a fleet waits for phones that it does not show.
        let text = TestWorkspace.scenario.replacing("replicas: 3", with: "replicas: 3\nphones: 40")
        let quick = try run(text)
        #expect(quick.kinds == ["lint", "timeline", "results", "sliders"])
        #expect(quick.frame("timeline")?.content.contains("phone 0 of 40") == true)
    }

    @Test func aStoppedRunSendsNothingHalf() throws {
        // Broken: a run is finished after its client has gone, or its part is shown as the result.
        var context = CommandContext.memory()
        context.isInterrupted = { true }
        let stopped = try StudioCalls.site(workspace.file("mine.yaml"), context)
        let body = JSON.object(["text": .string(TestWorkspace.scenario), "whole": .bool(true)]).text(.line)
        let head =
            "POST /api/run HTTP/1.1\r\nHost: 127.0.0.1:4000\r\nX-Deadzone: \(StudioCalls.token)\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        #expect(try send(Array((head + body).utf8), stopped).kinds == ["lint"])
    }

    @Test func slidersRewriteOneNumber() throws {
        // Broken: a slider moves another number, loses a comment, or offers a value that lint refuses.
        let text = TestWorkspace.scenario.replacing(
            "patient: {strategy: patient}",
            with:
                "patient: {strategy: patient, ping: 45s, timeout: 10s}   # wait: 9s\n  ours:\n    strategy: composed\n"
                + "    keepalive: {interval: 2m, timeout: 5s}\n    backoff: {base: 500ms, cap: 30s, multiplier: 1.5}")
        let items = try #require(try run(text).frame("sliders")?.head["sliders"]?.items)
        let sliders = items.filter { $0["before"] == nil }
        #expect(
            Set(sliders.compactMap { $0["name"]?.string }) == [
                "ping", "timeout", "keepalive.interval", "keepalive.timeout", "backoff.base", "backoff.cap",
                "backoff.multiplier",
            ])
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for slider in sliders {
            let (line, column) = (Int(slider["line"]?.integer ?? 0), Int(slider["column"]?.integer ?? 0))
            let (width, position) = (Int(slider["width"]?.integer ?? 0), Int(slider["position"]?.integer ?? 0))
            let stops = (slider["stops"]?.items ?? []).compactMap(\.string)
            let own = String(lines[line - 1].dropFirst(column - 1).prefix(width))
            #expect(stops.count > 10 && Set(stops).count == stops.count && stops[position] == own, "\(own): \(stops)")
            for stop in [stops[0], stops[stops.count - 1]] {
                var changed = lines
                let parts = [String(changed[line - 1].prefix(column - 1)), stop]
                changed[line - 1] = parts.joined() + String(lines[line - 1].dropFirst(column - 1 + width))
                try workspace.write("slid.yaml", changed.joined(separator: "\n"))
                let outcome = workspace.run("lint @slid.yaml")
                #expect(outcome.code == .ok, "\(slider["name"]?.string ?? ""): \(stop) \(outcome.errors)")
            }
        }
    }

    @Test func slidersOfAPresetAddTheirKey() throws {
        // Broken: a number of a preset has no slider, its key is written into another map or behind a comment, or the
        // text becomes invalid.
        let text = TestWorkspace.scenario.replacing(
            "patient: {strategy: patient}",
            with: """
                patient: {strategy: patient}   # one
                  ours:
                    strategy: deadzone-recommended   # two
                    keepalive:
                      timeout: 5s   # three
                    backoff: {base: 500ms}
                  quoted: {strategy: "patient"}
                """)
        let sliders = try #require(try run(text).frame("sliders")?.head["sliders"]?.items)
        func added(_ strategy: String) -> [String] {
            sliders.filter { $0["strategy"]?.string == strategy && $0["before"] != nil }
                .compactMap { $0["name"]?.string }
        }
        let (patient, ours) = (added("patient"), added("ours"))
        #expect(patient.contains("ping") && patient.contains("timeout"), "\(patient)")
        #expect(Set(ours).isSuperset(of: ["keepalive.interval", "backoff.cap", "connect.at-portal"]), "\(ours)")
        #expect(!ours.contains("keepalive.timeout") && !ours.contains("backoff.base") && added("quoted").isEmpty)
        let names = sliders.map { ($0["strategy"]?.string ?? "") + " " + ($0["name"]?.string ?? "") }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for slider in sliders where slider["before"] != nil {
            let (line, column) = (Int(slider["line"]?.integer ?? 0), Int(slider["column"]?.integer ?? 0))
            let stops = (slider["stops"]?.items ?? []).compactMap(\.string)
            let (name, strategy) = (slider["name"]?.string ?? "", slider["strategy"]?.string ?? "")
            let value = stops[slider["position"]?.integer == 0 ? 1 : 0]
            var changed = lines
            let words = (slider["before"]?.string ?? "") + value + (slider["after"]?.string ?? "")
            changed[line - 1] = changed[line - 1].prefix(column - 1) + words + lines[line - 1].dropFirst(column - 1)
            let now = changed.joined(separator: "\n")
            for (key, comment) in [("strategy: patient", "one"), ("-recommended", "two"), ("timeout: 5s", "three")] {
                let lines = now.split(separator: "\n")
                #expect(lines.contains { $0.contains(key) && $0.hasSuffix("   # \(comment)") }, "\(now)")
            }
            let again = try run(now)
            #expect(again.frame("lint")?.head["faults"]?.items?.isEmpty == true, "\(name): \(words)")
            let after = try #require(again.frame("sliders")?.head["sliders"]?.items, "\(now)")
            #expect(names == after.map { ($0["strategy"]?.string ?? "") + " " + ($0["name"]?.string ?? "") }, "\(name)")
            let own = after.first { $0["name"]?.string == name && $0["strategy"]?.string == strategy }
            #expect(own?["before"] == nil && own?["stops"]?.items?.contains(.string(value)) == true, "\(name)")
        }
    }

    // MARK: Files of the user

    @Test func savesTheNamedFileAlone() throws {
        // Broken: Save writes another file, or overwrites the change of another editor without asking.
        let text = TestWorkspace.scenario + "# saved\n"
        func save(_ wish: [String: JSON]) throws -> Int {
            try call("save", wish.merging(["text": .string(text)]) { $1 }).status
        }
        #expect(try save(["name": .string("other.yaml"), "known": .string(TestWorkspace.scenario)]) == 200)
        #expect(try workspace.text("mine.yaml") == text && !workspace.exists("other.yaml"))
        try workspace.write("mine.yaml", "changed elsewhere")
        #expect(try save(["known": .string(TestWorkspace.scenario)]) == 409)
        #expect(try workspace.text("mine.yaml") == "changed elsewhere")
        #expect(try save(["known": .string(TestWorkspace.scenario), "force": .bool(true)]) == 200)
        #expect(try workspace.text("mine.yaml") == text)
    }

    @Test(arguments: [
        "../a.yaml", "/tmp/a.yaml", "a/b.yaml", "a.txt", ".yaml", ".a.yaml", "a\\b.yaml", "", "a\n.yaml", "é.yaml",
        "a.yaml/",
    ])
    func aNewFileHasAPlainName(_ name: String) throws {
        // Broken: a page writes outside the working folder, or replaces a file that is no scenario.
        #expect(try StudioFiles(nil).target(name) == nil)
        #expect(try StudioFiles(nil).target("a-1_b.yaml") == "a-1_b.yaml" && StudioFiles(nil).target(nil) == nil)
    }

    @Test func aScenarioReadsOnlyItsFolders() throws {
        // Broken: a scenario from a link shows a file of the machine.
        let (none, named) = (try StudioFiles(nil), try StudioFiles(workspace.file("mine.yaml")))
        for path in [
            "/etc/passwd", "../secret", "a/../../secret", "./../x", "..", workspace.file("base.yaml") + "/../../x",
        ] {
            #expect(!none.isAllowed(path) && !named.isAllowed(path), "\(path)")
        }
        for path in ["base.yaml", "a/b.yaml", "a/../b.yaml", "./a.yaml"] { #expect(none.isAllowed(path), "\(path)") }
        #expect(named.isAllowed(workspace.file("base.yaml")) && !none.isAllowed(workspace.file("base.yaml")))
        try workspace.write("base.yaml", TestWorkspace.scenario)
        #expect(try run("extends: base.yaml\nname: Other\n").kinds.last == "sliders")
        let faults = try run("extends: /etc/passwd\n").frame("lint")?.head["faults"]?.items ?? []
        #expect(
            faults.count == 1 && faults[0]["message"]?.string?.contains("only files below its folder") == true,
            "\(faults)")
    }

    @Test func recordingsBecomeAPageAndAScenario() throws {
        // Broken: a dropped capture or history is not recognised, or its scenario is not that of the command.
        let capture = ReplayReportTests.capture(seconds: 600)
        let replay = try post("drop", Array(capture), type: "application/octet-stream")
        #expect(
            replay.kinds == ["page", "scenario"] && replay.frame("page")?.content.contains("class=\"lanes") == true)
        try workspace.write("a.pcap", Array(capture))
        #expect(workspace.run("replay @a.pcap --to-scenario @a.yaml -q").code == .ok)
        #expect(try run(replay.frame("scenario")?.content ?? "").kinds.last == "sliders")
        let day = try Data(contentsOf: URL(filePath: Repository.root + "/Scenarios/days/office.txt"))
        let answer = try post("drop", Array(day), type: "application/octet-stream")
        #expect(answer.kinds == ["page", "scenario"] && answer.frame("page")?.head["verb"]?.string == "day")
        #expect(try run(answer.frame("scenario")?.content ?? "").kinds.last == "sliders")
        for junk in ["", "hello", "\u{1}\u{2}\u{3}"] {
            let answer = try post("drop", Array(junk.utf8), type: "application/octet-stream")
            #expect(answer.kinds == ["failure"] && answer.frame("failure")?.content.isEmpty == false, "\(junk)")
        }
    }

    @Test func theScenarioOfARecordingIsPrintedAlone() throws {
        // Broken: `--to-scenario -` writes a file named -, or mixes the scenario with another result.
        let capture = ReplayReportTests.capture(seconds: 600)
        try workspace.write("a.pcap", Array(capture))
        let office = Repository.root + "/Scenarios/days/office.txt"
        for (command, file) in [("replay @a.pcap", "a.yaml"), ("day \(office)", "b.yaml")] {
            #expect(workspace.run("\(command) --to-scenario @\(file) -q").code == .ok)
            let printed = workspace.run("\(command) --to-scenario - -q")
            #expect(printed.code == .ok && printed.output.hasPrefix("#") || printed.output.hasPrefix("version"))
            try workspace.write("printed.yaml", printed.output)
            #expect(workspace.run("lint @printed.yaml -q").code == .ok)
            #expect(workspace.run("\(command) --to-scenario - --json").code == .usage)
        }
        #expect(!workspace.exists("-"))
    }

    // MARK: The command

    @Test func printsItsAddressAndEndsWithCtrlC() throws {
        // Broken: the address lacks the token, a taken port is used, or Ctrl-C does not end the page.
        let checks = Atomic(0)
        let outcome = workspace.run("studio @mine.yaml --no-open") { surroundings in
            surroundings.isInterrupted = { checks.add(1, ordering: .relaxed).newValue > 1 }
        }
        #expect(outcome.code == .interrupted)
        #expect(outcome.output.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+\/#token=[0-9a-f]{32}\n/) != nil)
        #expect(outcome.errors.contains("Ctrl-C ends"))
        let taken = try LoopbackServer(port: 0)
        let refused = workspace.run("studio @mine.yaml --port \(taken.port) --no-open")
        #expect(refused.code == .runtime && refused.errors.contains("127.0.0.1:\(taken.port)"), "\(refused.errors)")
        #expect(workspace.run("studio @absent.yaml --no-open").code == .runtime)
    }
}
