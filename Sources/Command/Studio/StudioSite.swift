import DeadzoneBase
import DeadzoneHost
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneShipped
import Synchronization

/// Answers the requests of the studio's page: its files, and the calls of its script. A call is a POST with JSON or
/// with the bytes of a dropped file. It keeps no state between calls except the lock of the one run, and two lists.
struct StudioSite: HTTPHandler {
    /// The calls of the page.
    private enum PageCall: String {
        case start, schema, scenarios, open, sliders, run, export, save, drop

        /// Maximum size of the body in bytes. A bug report with all its logs has tens of megabytes.
        var maximumBody: Int { self == .drop ? 256 << 20 : 4 << 20 }
        /// Maximum time of the call in seconds.
        var seconds: Int64 { self == .run ? 60 : 300 }
    }

    private struct PageFile {
        let type: String
        let text: @Sendable () -> String
    }

    private let files: StudioFiles
    private let loopback: LoopbackGuard
    private let context: CommandContext
    private let turnstile = Turnstile()
    /// Lists that are the same for every call. The list of scenarios needs half a second, because it reads all of them.
    private let schemaText = TextOnce()
    private let scenarioList = TextOnce()

    init(_ files: StudioFiles, _ loopback: LoopbackGuard, _ context: CommandContext) {
        self.files = files
        self.loopback = loopback
        self.context = context
    }

    private static let pageFiles: [String: PageFile] = [
        "/": PageFile(type: "text/html") {
            shippedFile("studio.html").replacing("<!-- patterns -->", with: ReportPage.patterns)
        },
        "/report.css": PageFile(type: "text/css") { ReportPage.style },
        "/studio.css": PageFile(type: "text/css") { shippedFile("studio.css") },
        "/report.js": PageFile(type: "text/javascript") { ReportPage.script },
        "/editor.js": PageFile(type: "text/javascript") { shippedFile("editor.js") },
        "/answer.js": PageFile(type: "text/javascript") { shippedFile("answer.js") },
        "/sliders.js": PageFile(type: "text/javascript") { shippedFile("sliders.js") },
        "/studio.js": PageFile(type: "text/javascript") { shippedFile("studio.js") },
    ]

    private static func shippedFile(_ name: String) -> String { shipped("Sources/Command/Studio/\(name)") }

    private static func call(_ path: String) -> PageCall? {
        path.hasPrefix("/api/") ? PageCall(rawValue: String(path.dropFirst("/api/".count))) : nil
    }

    func refusal(_ head: HTTPRequest, bodyLength: Int) -> HTTPStatus? {
        if let refusal = loopback.refusal(head) { return refusal }
        switch head.method {
        case .get: return Self.pageFiles[head.path] == nil ? .notFound : nil
        case .post:
            guard let call = Self.call(head.path) else { return .notFound }
            return bodyLength > call.maximumBody ? .contentTooLarge : nil
        }
    }

    func answer(_ request: HTTPRequest, _ responder: HTTPResponder) {
        guard request.method == .post, let call = Self.call(request.path) else {
            guard let file = Self.pageFiles[request.path] else { return responder.send(.notFound, "") }
            return responder.send(.ok, type: file.type + "; charset=utf-8", file.text())
        }
        let (watch, limit, isInterrupted) = (Stopwatch(), TimeSpan.seconds(call.seconds), context.isInterrupted)
        let isUnwanted = { @Sendable in responder.isGone || isInterrupted() }
        let stop = StudioStop(isStopped: { isUnwanted() || watch.elapsed > limit }, isUnwanted: isUnwanted)
        do {
            try perform(call, request, responder, stop)
        } catch let fault as ToolFault {
            responder.send(.badRequest, Self.text(of: [fault]))
        } catch {
            responder.send(.badRequest, "internal error: \(error)")
        }
    }

    static func text(of faults: [ToolFault]) -> String {
        faults.map { fault in ([fault.message] + fault.help).joined(separator: "\n") }.joined(separator: "\n")
    }

    private func perform(_ call: PageCall, _ request: HTTPRequest, _ responder: HTTPResponder, _ stop: StudioStop)
        throws
    {
        if call == .drop {
            let drop = StudioDrop(request.body, context, stop)
            _ = turnstile.pass(unless: stop.isStopped) { drop.answer(StudioFrames(responder)) }
            return
        }
        guard let wish = try? JSON(text: request.body) else { return responder.send(.badRequest, "this is not JSON") }
        let text = wish["text"]?.string ?? ""
        func run() -> StudioRun { StudioRun(wish, files, context, stop) }
        switch call {
        case .start: responder.send(.ok, type: "application/json", try start.text(.line))
        case .schema:
            responder.send(.ok, type: "application/json", schemaText.text { scenarioSchema(context.vocabulary) })
        case .scenarios:
            let list = scenarioList.text { StudioScenarios(context).json.text(.line) }
            responder.send(.ok, type: "application/json", list)
        case .sliders:
            // A text with errors has none, which is no error of the page.
            responder.send(.ok, type: "application/json", (run().sliders ?? .null).text(.line))
        case .open:
            guard let scenario = ShippedScenario.all.first(where: { $0.name == wish["name"]?.string }) else {
                return responder.send(.notFound, "there is no such scenario")
            }
            responder.send(.ok, scenario.text)
        case .run:
            let frames = StudioFrames(responder)
            let isWhole = wish["whole"]?.bool ?? false
            let run = run()
            do {
                let scenario = try turnstile.pass(unless: stop.isStopped) { try run.answer(frames, isWhole: isWhole) }
                if !isWhole, let scenario = scenario ?? nil { run.sendSliders(of: scenario, frames) }
            } catch let fault as ToolFault {
                frames.send("failure", content: Self.text(of: [fault]))
            }
        case .export:
            let name = wish["format"]?.string ?? ""
            let bytes = try turnstile.pass(unless: stop.isStopped) { try run().file(as: name) } ?? nil
            guard let bytes else { return responder.send(.unavailable, "the run was stopped before its end") }
            responder.send(.ok, type: "application/octet-stream", bytes)
        case .save: try save(text, wish, responder)
        case .drop: break
        }
    }

    // MARK: Start

    /// Everything that the page shows before the first run.
    private var start: JSON {
        get throws {
            .object([
                "name": .string(files.name), "isNamed": .bool(files.path != nil), "text": .string(files.text),
                "token": .string(loopback.token),
                "strategies": .array(
                    try ReferenceIndex.entries(.strategies, context).map { Self.item($0.name, $0.summary) }),
                "profiles": .array(
                    try ReferenceIndex.entries(.profiles, context).map { entry in
                        Self.item(entry.name, entry.summary, entry.facts.first?.value)
                    }),
            ])
        }
    }

    private static func item(_ name: String, _ about: String, _ kind: String? = nil) -> JSON {
        .object(
            ["name": .string(name), "about": .string(about)].merging(kind.map { ["kind": .string($0)] } ?? [:]) { $1 })
    }

    // MARK: Save

    private func save(_ text: String, _ wish: JSON, _ responder: HTTPResponder) throws(ToolFault) {
        guard let target = files.target(wish["name"]?.string) else {
            return responder.send(.badRequest, "a file name has letters, digits, `-`, `_` and ends in .yaml")
        }
        let isForced = wish["force"]?.bool ?? false
        guard isForced || !files.hasChanged(target, since: wish["known"]?.string) else {
            return responder.send(.conflict, "\(target) has changed, or exists already")
        }
        do throws(SystemFault) { try Files.write(Array(text.utf8), to: target) } catch { throw .unwritable(error) }
        responder.send(.ok, "saved \(target)")
    }
}

/// A text that is made when it is first requested.
private final class TextOnce: Sendable {
    private let known = Mutex<String?>(nil)

    func text(_ make: () -> String) -> String {
        known.withLock { known in
            let text = known ?? make()
            known = text
            return text
        }
    }
}

/// Ends the work for one call: its client has gone, its time is over, or the user stops the command.
struct StudioStop: Sendable {
    let isStopped: @Sendable () -> Bool
    /// `true` if no page waits for the results any more. A call that runs out of time sends those that it has.
    let isUnwanted: @Sendable () -> Bool
}

/// Sends the results of a call in frames, as soon as each is known. A frame is a line of JSON, which names the kind of
/// frame and the number of bytes of HTML or text that follow it.
struct StudioFrames: Sendable {
    private let responder: HTTPResponder

    init(_ responder: HTTPResponder) {
        self.responder = responder
        responder.begin(type: "application/octet-stream")
    }

    func send(_ kind: String, _ members: [String: JSON] = [:], content: String = "") {
        let bytes = Array(content.utf8)
        let head = members.merging(["kind": .string(kind), "bytes": .integer(Int128(bytes.count))]) { $1 }
        responder.write(Array((JSON.object(head).text(.line) + "\n").utf8) + bytes)
    }
}
