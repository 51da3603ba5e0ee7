import DeadzoneBase
import DeadzoneHost
import DeadzoneTestKit
import Foundation
import Synchronization
import Testing

struct LoopbackServerTests {
    /// Answers with the path and the body. `/wait` begins an answer and ends it when the client has gone.
    private final class Echo: HTTPHandler {
        let isWaiting = Atomic(false)
        let sawEnd = Atomic(false)

        func refusal(_ head: HTTPRequest, bodyLength: Int) -> HTTPStatus? {
            bodyLength > 1_000 ? .contentTooLarge : head.path == "/forbidden" ? .forbidden : nil
        }

        func answer(_ request: HTTPRequest, _ responder: HTTPResponder) {
            guard request.path == "/wait" else {
                return responder.send(.ok, request.path + " " + String(decoding: request.body, as: UTF8.self))
            }
            responder.begin(type: "text/plain")
            isWaiting.store(true, ordering: .relaxed)
            while !responder.isGone { RawSocket.pause() }
            sawEnd.store(true, ordering: .relaxed)
        }
    }

    /// Serves on a thread of its own while the body runs.
    private func withServer(
        _ limit: TimeSpan = .seconds(10), _ body: (Int, Echo) throws -> Void
    ) throws {
        let (server, echo) = (try LoopbackServer(port: 0, requestLimit: limit), Echo())
        let isStopped = Stop()
        let ended = DispatchSemaphore(value: 0)
        Foundation.Thread.detachNewThread {
            server.serve(echo, isStopped: { isStopped.flag.load(ordering: .relaxed) })
            ended.signal()
        }
        defer {
            isStopped.flag.store(true, ordering: .relaxed)
            ended.wait()
        }
        try body(server.port, echo)
    }

    private final class Stop: Sendable { let flag = Atomic(false) }

    private static let get = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test func answersManyClients() throws {
        // Broken: an answer is cut or mixed with another, a field of the security rules is missing, or ten tabs block
        // each other.
        try withServer { port, _ in
            let clients = try (0..<40).map { _ in try RawSocket(port) }
            for (number, client) in clients.enumerated() {
                client.send("POST /p\(number) HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc")
                guard number >= 20 else { continue }
                #expect(clients[number - 20].readAll().hasSuffix("\r\n\r\n/p\(number - 20) abc"))
            }
            for client in clients[20...] { #expect(client.readAll().hasPrefix("HTTP/1.1 200 OK\r\n")) }
            let client = try RawSocket(port)
            client.send(Self.get)
            let answer = client.readAll()
            for field in [
                "Content-Security-Policy: default-src 'none'; ", "X-Frame-Options: DENY", "Cache-Control: no-store",
                "Referrer-Policy: no-referrer", "X-Content-Type-Options: nosniff", "Connection: close",
                "frame-ancestors 'none'",
            ] { #expect(answer.contains(field), "\(field)") }
            #expect(!answer.lowercased().contains("access-control"))
        }
    }

    @Test func slowAndOversizedRequestsEnd() throws {
        // Broken: a client that sends nothing, half a head, or too much holds a connection for ever.
        try withServer(.milliseconds(50)) { port, _ in
            for start in ["", "GET / HT", "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nab"] {
                let client = try RawSocket(port)
                client.send(start)
                #expect(client.readAll().hasPrefix("HTTP/1.1 408 Request Timeout\r\n"), "\(start)")
            }
            let large = try RawSocket(port)
            large.send("POST / HTTP/1.1\r\nContent-Length: 1001\r\n\r\n")
            #expect(large.readAll().hasPrefix("HTTP/1.1 413 "))
            let forbidden = try RawSocket(port)
            forbidden.send("GET /forbidden HTTP/1.1\r\n\r\n")
            #expect(forbidden.readAll().hasPrefix("HTTP/1.1 403 "))
        }
    }

    @Test func workEndsWithItsClient() throws {
        // Broken: after a closed tab or a killed browser the program goes on computing.
        try withServer { port, echo in
            let client = try RawSocket(port)
            client.send("GET /wait HTTP/1.1\r\n\r\n")
            while !echo.isWaiting.load(ordering: .relaxed) { RawSocket.pause() }
            client.hangUp()
            while !echo.sawEnd.load(ordering: .relaxed) { RawSocket.pause() }
        }
    }

    @Test func workEndsWithTheServer() throws {
        // Broken: Ctrl-C waits for the answer to an open page.
        let seen = Mutex<Echo?>(nil)
        var open: RawSocket?
        try withServer { port, echo in
            open = try RawSocket(port)
            open?.send("GET /wait HTTP/1.1\r\n\r\n")
            while !echo.isWaiting.load(ordering: .relaxed) { RawSocket.pause() }
            seen.withLock { $0 = echo }
        }
        #expect(seen.withLock { $0?.sawEnd.load(ordering: .relaxed) } == true)
        open?.hangUp()
    }

    @Test func aPortHasOneServer() throws {
        // Broken: a taken port is not reported, and the page of another program opens.
        let first = try LoopbackServer(port: 0)
        #expect(throws: SystemFault.self) { try LoopbackServer(port: first.port) }
    }
}
