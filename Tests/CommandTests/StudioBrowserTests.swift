import DeadzoneCommand
import DeadzoneHost
import DeadzoneReports
import DeadzoneTestKit
import Foundation
import Synchronization
import Testing

/// The studio in a real browser, used like a person would.
struct StudioBrowserTests {
    private struct Use: Decodable {
        struct Look: Decodable {
            let lanes, tables, overflow, inline, nameless, sliders: Int
            let charts: [String]
            let energy: [String: String]
        }
        struct PageError: Decodable {}
        let first, moved, narrow: Look
        let address, message, caret, offers, text, recording: String
        let isMended, linked: Bool
        let copied: [String: String]
        let recordingLanes: Int
        let requests: [String]
        let errors: [PageError]
    }

    private struct Edits: Decodable {
        let ends: [Double]
        let opened, asked, overflow, errors: Int
        let keys, hint, wide, narrow, before, changes, intervals, offer, mended, removed, hits: String
        let refusal, name, proposed: String
        let isDragged, isOneStep, isRedone, isRefused, isBack, isBackAgain, isKept, isUndone: Bool
    }

    private struct Timeline: Decodable {
        let picture, typed, zoomed, hovered: Int
        let view, hash: String
        let isFocused, isHidden, isOpen, isDragKept: Bool
        let errors: Int
    }

    private static let scenario = TestWorkspace.scenario.replacing(
        "patient: {strategy: patient}", with: "patient: {strategy: patient, ping: 4s}   # every 4 s")

    /// Serves the studio on a thread of its own while the body runs.
    private func withStudio(_ path: String, _ body: (_ address: String) throws -> Void) throws {
        let (isStopped, ended) = (StopFlag(), DispatchSemaphore(value: 0))
        var context = CommandContext.memory()
        context.isInterrupted = { isStopped.flag.load(ordering: .relaxed) }
        let (output, errors) = (context.output, context.errors)
        Thread.detachNewThread { [context] in
            _ = run(["studio", path, "--no-open"], in: context)
            ended.signal()
        }
        defer {
            isStopped.flag.store(true, ordering: .relaxed)
            ended.wait()
        }
        while !output.text.hasSuffix("\n"), errors.text.isEmpty { Thread.sleep(forTimeInterval: 0.01) }
        try body(output.text.trimmingCharacters(in: .newlines))
    }

    @Test(.enabled(if: Oracle.isEnabled && Browser.isWanted, "\(Oracle.advice), or there is no Chromium"))
    func aWatchedPageReloadsItself() throws {
        // Broken: the content policy stops the script or its picture, the page reloads all the time, or never.
        let workspace = try TestWorkspace()
        for (folder, name) in [("out", "Before"), ("next", "After")] {
            let page = "<h1>\(name)</h1>"
            let watched = WatchedPage(ReportPage.html([]).replacing("<h1>No run</h1>", with: page), fileName: "a.html")
            try workspace.write(folder + "/a.html", watched.html)
            try workspace.write(folder + "/" + watched.pictureName, watched.picture)
        }
        let wish = ["page": workspace.file("out/a.html"), "next": workspace.file("next/a.html")]
        let answer = try Oracle.run(script: "watched_page.py", input: JSONSerialization.data(withJSONObject: wish))
        let found = try #require(try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any])
        #expect(found["first"] as? String == "Before" && found["second"] as? String == "After", "\(answer)")
        #expect(found["stayed"] as? Bool == true && found["errors"] as? Int == 0, "\(answer)")
    }

    private final class StopFlag: Sendable { let flag = Atomic(false) }

    @Test(.enabled(if: Oracle.isEnabled && Browser.isWanted, "\(Oracle.advice), or there is no Chromium"))
    func aPersonCanUseIt() throws {
        // Broken: an error is not shown, a suggestion is not applied, a slider shows other numbers than `run`, an export or
        // a link loses something, a capture is not read, or the page requests anything from elsewhere.
        let workspace = try TestWorkspace()
        try workspace.write("mine.yaml", Self.scenario)
        try ReplayReportTests.capture(seconds: 600).write(to: URL(filePath: workspace.file("phone.pcap")))
        try workspace.write("downloads/empty", "")
        var answer = ""
        try withStudio(workspace.file("mine.yaml")) { address in
            let wish: [String: Any] = [
                "address": address, "capture": workspace.file("phone.pcap"), "downloads": workspace.file("downloads"),
                "name": "mine.yaml",
                "wrong": ["ping", "pnig"], "slider": "ping", "added": "timeout",
            ]
            answer = try Oracle.run(script: "studio_page.py", input: JSONSerialization.data(withJSONObject: wish))
        }
        let use = try JSONDecoder().decode(Use.self, from: Data(answer.utf8))
        #expect(use.requests == [] && use.errors.isEmpty, "\(use.requests)")
        #expect(!use.address.contains("token"))
        #expect(use.first.lanes == 14 && use.first.tables >= 3 && use.first.charts == ["Joules by cause"])
        #expect(use.first.sliders > 1 && use.first.inline == 0 && use.first.nameless == 0)
        #expect(use.first.overflow <= 0 && use.narrow.overflow <= 0 && use.narrow.lanes == 14)
        // The error and its suggestion.
        #expect(use.message == "unknown setting `pnig`" && use.isMended)
        #expect(use.caret.contains("^^^^ did you mean `ping`?"), "\(use.caret)")
        #expect(use.offers.contains("ping"), "\(use.offers)")
        // The slider rewrote its number alone, and the page shows what `run` prints for it.
        #expect(use.text != Self.scenario && use.text.contains("s}   # every 4 s"))
        // Another slider added the number of its preset.
        #expect(
            use.text.firstMatch(of: /patient: \{strategy: patient, timeout: [\d.]+m?s, ping: \S+s\}/) != nil,
            "\(use.text)")
        try workspace.write("moved.yaml", use.text)
        let result = try JSONSerialization.jsonObject(with: Data(workspace.run("run @moved.yaml --json").output.utf8))
        let strategies = try #require((result as? [String: Any])?["strategies"] as? [[String: Any]])
        for strategy in strategies {
            let joules = (strategy["metrics"] as? [String: Any])?["battery.joules"] as? Double
            let name = try #require(strategy["name"] as? String)
            #expect(joules != nil && use.moved.energy[name].flatMap { Double($0) } == joules, "\(name)")
        }
        #expect(use.moved.energy["patient"] != use.first.energy["patient"])
        // Files, the link, the copy, the recording.
        #expect(try workspace.text("downloads/mine.yaml") == use.text && use.linked)
        #expect(workspace.run("run @moved.yaml -q --exit-zero --format html,json --out @out").code == .ok)
        for name in ["report.html", "results.json"] {
            #expect(try workspace.text("downloads/" + name) == workspace.text("out/" + name), "\(name)")
        }
        #expect(use.copied["patient-what-if"] == use.moved.energy["patient"])
        #expect(use.recordingLanes == 4 && use.recording.contains("traffic:"))
        #expect(try workspace.text("mine.yaml") == Self.scenario, "nothing was saved")
    }

    @Test(.enabled(if: Oracle.isEnabled && Browser.isWanted, "\(Oracle.advice), or there is no Chromium"))
    func aCloserLookGetsTheDetails() throws {
        // Broken: a zoomed timeline stays coarse, or its new drawing loses the zoom, the focus, a drag, or what is hidden or open.
        let workspace = try TestWorkspace()
        try workspace.write("mine.yaml", StudioTimelineTests.day)
        var answer = ""
        try withStudio(workspace.file("mine.yaml")) { address in
            answer = try Oracle.run(
                script: "studio_timeline.py", input: JSONSerialization.data(withJSONObject: ["address": address]))
        }
        let use = try JSONDecoder().decode(Timeline.self, from: Data(answer.utf8))
        #expect(use.picture == 0 && use.typed == 0 && use.zoomed > 1 && use.hovered > 1, "\(answer)")
        #expect(use.hash.contains("lanes-0=") && !use.view.hasPrefix("0 0 "), "\(answer)")
        #expect(use.isFocused && use.isHidden && use.isOpen && use.isDragKept && use.errors == 0, "\(answer)")
    }

    @Test(.enabled(if: Oracle.isEnabled && Browser.isWanted, "\(Oracle.advice), or there is no Chromium"))
    func editsCanBeSeenAndTakenBack() throws {
        // Broken: the numbers of lines shift at the end, a drag is a hundred steps of undo, a change is not named, a deleted
        // client leaves errors that no click removes, edits are dropped without a question, or figures are out of view.
        let workspace = try TestWorkspace()
        let clients = (0..<6).map {
            "  c\($0): {strategy: patient, ping: \($0 + 20)s}   # \(String(repeating: "x", count: 90))"
        }
        let lines = String(repeating: "# A line.\n", count: 30)
        let text = (lines + TestWorkspace.scenario).replacing("replicas: 3", with: "replicas: 8")
            .replacing("about: One handoff.", with: "about: >-\n  Two parts: one handoff.")
            .replacing("  down:", with: "  up: {every: 15s, size: 100B}\n  down:")
            .replacing("patient: {strategy: patient}", with: "patient: {strategy: patient, ping: 20s}")
            .replacing("strategies:", with: "strategies:\n" + clients.joined(separator: "\n"))
        try workspace.write("mine.yaml", text)
        var answer = ""
        try withStudio(workspace.file("mine.yaml")) { address in
            let wish = ["address": address, "slider": "ping", "client": "patient", "search": "chat"]
            answer = try Oracle.run(script: "studio_edits.py", input: JSONSerialization.data(withJSONObject: wish))
        }
        let use = try JSONDecoder().decode(Edits.self, from: Data(answer.utf8))
        #expect(use.ends[0] == use.ends[1] && use.ends[0] == use.ends[2] && use.ends[3] == use.ends[4], "\(use.ends)")
        let keys = use.keys.split(separator: "|")
        #expect(keys.contains("duration") && keys.contains("ping") && !use.keys.contains("parts"), "\(use.keys)")
        #expect(use.ends[0] > 0 && use.ends[3] > 0 && use.opened == 1 && use.hint.contains("8 clients"))
        let primary = [
            "Lost to app", "Lost to server", "Pending to app", "Pending to server", "Latency to app",
            "Latency to server",
            "Zombie time", "Recovery time", "Energy above idle",
        ]
        for label in primary {
            #expect(use.wide.contains(label), "\(label): \(use.wide)")
            #expect(use.narrow.contains(label), "\(label): \(use.narrow)")
        }
        #expect(use.isDragged && use.isOneStep && use.isRedone)
        #expect(use.isRefused && use.refusal == "mend the errors first", "\(use.refusal)")
        #expect(use.before.hasPrefix("vs. last change") && use.changes.contains("%"), "\(use.changes)")
        #expect(use.intervals.contains("paired difference") && use.intervals.contains("% interval"), "\(use.intervals)")
        #expect(use.offer == "Remove the expectations of patient" && use.mended == use.removed)
        #expect(
            !use.removed.contains("expect:") && !use.removed.contains("patient: {") && use.isBack && use.isBackAgain)
        #expect(use.hits.split(separator: "|").count > 3)
        #expect(
            use.hits.split(separator: "|").allSatisfy { $0.contains("client") && $0.contains(" · ") }, "\(use.hits)")
        #expect(use.isKept && use.asked == 2 && use.isUndone)
        #expect(use.name.hasSuffix(".yaml") && use.name != "mine.yaml" && use.proposed == use.name, "\(use.name)")
        #expect(use.overflow <= 0 && use.errors == 0, "\(use.overflow) \(use.errors)")
    }
}
