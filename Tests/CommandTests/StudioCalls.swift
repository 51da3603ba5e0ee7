import DeadzoneHost
import DeadzoneReports
import DeadzoneTestKit
import Testing

@testable import DeadzoneCommand

/// One answer: its status, and its body.
struct StudioAnswer {
    let status: Int
    let body: String

    /// The frames of the body, by kind.
    var frames: [(head: JSON, content: String)] {
        var (rest, frames): ([UInt8], [(head: JSON, content: String)]) = (Array(body.utf8), [])
        while let end = rest.firstIndex(of: 10), let head = try? JSON(text: Array(rest[..<end])),
            let size = head["bytes"]?.integer
        {
            let content = rest[(end + 1)..<(end + 1 + Int(size))]
            frames.append((head, String(decoding: content, as: UTF8.self)))
            rest.removeFirst(end + 1 + Int(size))
        }
        #expect(rest.isEmpty)
        return frames
    }

    func frame(_ kind: String) -> (head: JSON, content: String)? {
        frames.first { $0.head["kind"]?.string == kind }
    }
    var kinds: [String] { frames.compactMap { $0.head["kind"]?.string }.filter { $0 != "progress" } }
}

/// A studio without a socket.
enum StudioCalls {
    static let token = "0123456789abcdef0123456789abcdef"

    static func site(_ path: String, _ context: CommandContext = .memory()) throws -> StudioSite {
        StudioSite(
            try StudioFiles(path),
            LoopbackGuard(port: 4_000, token: token, launchKey: "fedcba9876543210fedcba9876543210"), context)
    }

    /// A folder with the sample scenario as mine.yaml, and its studio.
    static func sample() throws -> (workspace: TestWorkspace, site: StudioSite) {
        let workspace = try TestWorkspace()
        try workspace.write("mine.yaml", TestWorkspace.scenario)
        return (workspace, try site(workspace.file("mine.yaml")))
    }
}

/// Tests that call the site as its page does.
protocol StudioCalling {
    var site: StudioSite { get }
}

extension StudioCalling {
    func send(_ text: [UInt8], _ site: StudioSite) throws -> StudioAnswer {
        let responder = HTTPResponder.memory()
        var parser = HTTPRequestParser { site.refusal($0, bodyLength: $1) }
        switch parser.feed(text) {
        case .needsMore: Issue.record("the request is incomplete")
        case .refused(let status): return StudioAnswer(status: status.rawValue, body: "")
        case .complete(let request): site.answer(request, responder)
        }
        let parts = String(decoding: responder.sentBytes, as: UTF8.self).split(
            separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        return StudioAnswer(
            status: Int(parts[0].dropFirst(9).prefix(3)) ?? 0, body: parts.count > 1 ? String(parts[1]) : "")
    }

    func get(_ path: String) throws -> StudioAnswer {
        try send(Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:4000\r\n\r\n".utf8), site)
    }

    func post(_ call: String, _ body: [UInt8], type: String, token: String = StudioCalls.token) throws -> StudioAnswer {
        let head =
            "POST /api/\(call) HTTP/1.1\r\nHost: 127.0.0.1:4000\r\nOrigin: http://127.0.0.1:4000\r\nX-Deadzone: \(token)\r\n"
            + "Content-Type: \(type)\r\nContent-Length: \(body.count)\r\n\r\n"
        return try send(Array(head.utf8) + body, site)
    }

    func call(_ name: String, _ wish: [String: JSON] = [:]) throws -> StudioAnswer {
        try post(name, Array(JSON.object(wish).text(.line).utf8), type: "application/json")
    }

    func run(_ text: String, whole: Bool = false, cell: Int = 0) throws -> StudioAnswer {
        try call("run", ["text": .string(text), "whole": .bool(whole), "cell": .integer(Int128(cell))])
    }
}
