import DeadzoneHost
import DeadzoneReports
import DeadzoneTestKit
import Foundation
import Synchronization
import Testing

@testable import DeadzoneCommand

/// Requests that no page of the studio sends, and pages that vanish.
struct StudioFuzzTests {
    private static let token = "0123456789abcdef0123456789abcdef"
    private static let port = 4_000
    private static let calls = ["start", "schema", "scenarios", "open", "sliders", "run", "export", "save", "drop"]
    /// Pieces that decide how a request, a body or a scenario is read.
    private static let pieces = [
        "\r\n", "\n", "\0", "\"", "\\u0000", "\\ud800", "{", "}", "[[[[", "null", "-1", "9e999", "1e308",
        "99999999999999999999", "../", "/etc/passwd", "<script>", "é", "\u{202E}", "extends: ../x\n", "*a", "&a ",
        "Host: evil.example\r\n", "Origin: null\r\n", "Transfer-Encoding: chunked\r\n", "X-Deadzone: x\r\n", "text",
        "format", "name", "html",
    ].map { Array($0.utf8) }
    private static let statuses: Set<Int> = [200, 400, 403, 404, 409, 411, 413, 415, 431, 503]

    private static func request(_ call: String, _ dice: inout SplitMix) -> [UInt8] {
        guard call != "" else {
            let name = ["", "studio.js", "report.css"][dice.below(3)]
            return Array("GET /\(name) HTTP/1.1\r\nHost: 127.0.0.1:4000\r\n\r\n".utf8)
        }
        let wish: [String: JSON] = [
            "text": .string(dice.below(4) == 0 ? "version: 1" : TestWorkspace.scenario),
            "name": .string(["handoff/elevator", "mine.yaml", "other.yaml"][dice.below(3)]),
            "format": .string(["json", "csv", "html", "none"][dice.below(4)]), "whole": .bool(dice.below(2) == 0),
            "cell": .integer(Int128(dice.below(3))), "known": .string(TestWorkspace.scenario),
            "force": .bool(dice.below(2) == 0), "detail": .bool(dice.below(2) == 0),
        ]
        var body = Array(JSON.object(wish).text(.line).utf8)
        if dice.below(2) == 0 { change(&body, &dice) }
        let host = ["127.0.0.1", "localhost"][dice.below(2)] + ":\(port)"
        let head =
            "POST /api/\(call) HTTP/1.1\r\nHost: \(host)\r\nOrigin: http://\(host)\r\nX-Deadzone: \(token)\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
        return Array(head.utf8) + body
    }

    private static func change(_ bytes: inout [UInt8], _ dice: inout SplitMix) {
        for _ in 0...dice.below(3) {
            let at = dice.below(bytes.count + 1)
            switch dice.below(4) {
            case 0 where at < bytes.count: bytes[at] = UInt8(truncatingIfNeeded: dice.next())
            case 1: bytes.removeSubrange(at..<min(bytes.count, at + 1 + dice.below(20)))
            case 2: bytes = Array(bytes[..<at])
            default: bytes.insert(contentsOf: pieces[dice.below(pieces.count)], at: at)
            }
        }
    }

    /// `DEADZONE_SEEDS=1000` sends 100,000 requests.
    @Test func changedRequestsDoNoHarm() throws {
        // Broken: some request ends the program, is answered without the token, or writes a file that it must not write.
        let workspace = try TestWorkspace()
        try workspace.write("mine.yaml", TestWorkspace.scenario)
        var context = CommandContext.memory()
        // A run would end as soon as it begins: this is about reading, not about simulating.
        context.isInterrupted = { true }
        let site = StudioSite(
            try StudioFiles(workspace.file("mine.yaml")),
            LoopbackGuard(port: Self.port, token: Self.token, launchKey: "fedcba9876543210fedcba9876543210"), context)
        let answered = Mutex<[Int: Int]>([:])
        seedSweep(20) { seed in
            var dice = SplitMix(seed: seed)
            for _ in 0..<100 {
                var bytes = Self.request(([""] + Self.calls)[dice.below(Self.calls.count + 1)], &dice)
                if dice.below(3) == 0 { Self.change(&bytes, &dice) }
                let responder = HTTPResponder.memory()
                var parser = HTTPRequestParser { site.refusal($0, bodyLength: $1) }
                var status = 0
                switch parser.feed(bytes) {
                case .needsMore: continue
                case .refused(let refused): status = refused.rawValue
                case .complete(let request):
                    site.answer(request, responder)
                    let line = String(decoding: responder.sentBytes.prefix(12), as: UTF8.self)
                    status = Int(line.suffix(3)) ?? 0
                    if request.method == .post {
                        #expect(request.fields["x-deadzone"] == Self.token)
                        #expect(["127.0.0.1:4000", "localhost:4000"].contains(request.fields["host"]))
                    }
                }
                #expect(Self.statuses.contains(status), "\(status): \(String(decoding: bytes, as: UTF8.self))")
                answered.withLock { $0[status, default: 0] += 1 }
            }
        }
        // Save writes the named file, and no other.
        let names = try FileManager.default.contentsOfDirectory(atPath: workspace.path)
        #expect(names == ["mine.yaml"])
        let counts = answered.withLock { $0 }
        guard counts.values.reduce(0, +) > 1_000 else { return }
        #expect([200, 400, 403, 404].allSatisfy { counts[$0, default: 0] > 10 }, "\(counts)")
    }

    @Test func tenTabsAndAKilledBrowserLeaveNothingRunning() throws {
        // Broken: runs of closed pages go on. Each would take its minute, and the last call would wait for all of them.
        let workspace = try TestWorkspace()
        try workspace.write("mine.yaml", TestWorkspace.scenario)
        let isStopped = StopFlag()
        var context = CommandContext.memory()
        context.isInterrupted = { isStopped.flag.load(ordering: .relaxed) }
        let (output, ended) = (context.output, DispatchSemaphore(value: 0))
        let path = workspace.file("mine.yaml")
        Foundation.Thread.detachNewThread { [context] in
            _ = DeadzoneCommand.run(["studio", path, "--no-open"], in: context)
            ended.signal()
        }
        defer {
            isStopped.flag.store(true, ordering: .relaxed)
            ended.wait()
        }
        while !output.text.hasSuffix("\n") { RawSocket.pause() }
        let found = try #require(output.text.firstMatch(of: /:(\d+)\/#token=([0-9a-f]+)/))
        func post(_ text: String) throws -> RawSocket {
            let body = JSON.object(["text": .string(text), "whole": .bool(true)]).text(.line)
            let client = try RawSocket(try #require(Int(found.1)))
            client.send(
                "POST /api/run HTTP/1.1\r\nHost: 127.0.0.1:\(found.1)\r\nX-Deadzone: \(found.2)\r\n"
                    + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            return client
        }
        let long = TestWorkspace.scenario.replacing("replicas: 3", with: "replicas: 100000")
            .replacing("duration: 3m", with: "duration: 24h")
        let tabs = try (0..<10).map { _ in try post(long) }
        for tab in tabs { #expect(tab.readSome() > 0) }
        for tab in tabs { tab.hangUp() }
        #expect(try post(TestWorkspace.scenario).readAll().firstMatch(of: /"kind": ?"results"/) != nil)
    }

    private final class StopFlag: Sendable { let flag = Atomic(false) }
}
