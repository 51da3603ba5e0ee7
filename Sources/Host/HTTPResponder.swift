import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Sends the response to one request: at once, or in pieces while it is computed. The end of the connection ends the
/// response.
package final class HTTPResponder: Sendable {
    /// Fields of every response. The policy allows a page only its own files and requests; no page may embed it, and no
    /// cache may keep it.
    private static let usualFields = [
        "Cache-Control: no-store", "Connection: close",
        "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
            + "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "Cross-Origin-Opener-Policy: same-origin", "Cross-Origin-Resource-Policy: same-origin",
        "Referrer-Policy: no-referrer", "X-Content-Type-Options: nosniff", "X-Frame-Options: DENY",
    ]

    /// The socket; `nil` keeps the bytes in memory, for tests.
    private let descriptor: Int32?
    private let gone = Atomic(false)
    /// The bytes in memory. Locked during every write, because threads of one request report progress at the same time.
    private let memory = Mutex<[UInt8]>([])

    init(_ descriptor: Int32?) { self.descriptor = descriptor }

    package static func memory() -> HTTPResponder { HTTPResponder(nil) }

    /// The bytes that were sent to memory.
    package var sentBytes: [UInt8] { memory.withLock { $0 } }

    /// `true` if the client has closed the connection, or if the server ends. Work for the response can then stop.
    package var isGone: Bool { gone.load(ordering: .relaxed) }

    func markGone() { gone.store(true, ordering: .relaxed) }

    package func send(_ status: HTTPStatus, type: String = "text/plain; charset=utf-8", _ body: [UInt8]) {
        write(Self.head(status, type, length: body.count) + body)
    }

    package func send(_ status: HTTPStatus, type: String = "text/plain; charset=utf-8", _ body: String) {
        send(status, type: type, Array(body.utf8))
    }

    /// Begins a response of unknown length; `write` sends its body.
    package func begin(type: String) { write(Self.head(.ok, type, length: nil)) }

    package func write(_ bytes: [UInt8]) {
        memory.withLock { memory in
            if let descriptor { writeAll(bytes, to: descriptor) } else { memory += bytes }
        }
    }

    private func writeAll(_ bytes: [UInt8], to descriptor: Int32) {
        var sent = 0
        while sent < bytes.count, !isGone {
            let count = bytes.withUnsafeBytes { all in
                Self.send(descriptor, UnsafeRawBufferPointer(rebasing: all[sent...]))
            }
            if count < 0 {
                if errno == EINTR { continue }
                // Also after the time limit of the socket: the client does not read.
                return markGone()
            }
            sent += count
        }
    }

    private static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
            return Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0)
        #else
            return Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #endif
    }

    private static func head(_ status: HTTPStatus, _ type: String, length: Int?) -> [UInt8] {
        let fields =
            ["HTTP/1.1 \(status.rawValue) \(status.reason)", "Content-Type: \(type)"]
            + (length.map { ["Content-Length: \($0)"] } ?? []) + usualFields
        return Array((fields.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }
}
