import DeadzoneBase
import DeadzoneTestKit
import Testing

@testable import DeadzoneCaptures

/// The messages of a WebSocket's handshake, recognised by the first bytes of a segment.
struct WebSocketHandshakeTests {
    private static let request =
        "GET /chat HTTP/1.1\r\nHost: a.example\r\nupgrade: WebSocket\r\nConnection: Upgrade\r\n\r\n"

    private static let messages: [(text: String, kind: WebSocketHandshake?)] = [
        (request, .request),
        ("GET /chat HTTP/1.1\r\nHost: a.example\r\nAccept: text/html\r\n\r\n", nil),
        ("GET /chat HTTP/1.1\r\nHost: a.example\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n", nil),
        ("PUT /chat HTTP/1.1\r\nHost: a.example\r\nUpgrade: websocket\r\n\r\n", nil),
        ("HTTP/1.1 101 Switching Protocols\r\n\r\n", .accepted),
        ("HTTP/1.1 100 Continue\r\n\r\n", nil),
        ("HTTP/1.1 199 Interim\r\n\r\n", nil),
        ("HTTP/1.1 200 OK\r\n\r\n", .refused),
        ("HTTP/1.1 302 Found\r\nLocation: http://portal/\r\n\r\n", .refused),
        ("HTTP/1.0 403 Forbidden\r\n\r\n", .refused),
        ("HTTP/1.1 503\r\n\r\n", .refused),
        ("HTTP/1.1 101 S", nil),
        ("HTTP/2 is a protocol", nil),
        ("HTTP/1.1 many times", nil),
    ]

    @Test func eachMessageHasItsKind() {
        // Broken: an answer that refuses a WebSocket counts as accepted, or other text counts as a handshake.
        for (text, kind) in Self.messages {
            #expect(Array(text.utf8).withUnsafeBytes { WebSocketHandshake($0) } == kind, "\(text)")
        }
        // The field must lie within the bytes that a request may have.
        for (padding, kind) in [(1_900, WebSocketHandshake.request), (2_048, nil)] as [(Int, WebSocketHandshake?)] {
            let text = "GET /" + String(repeating: "a", count: padding) + " HTTP/1.1\r\nUpgrade: websocket\r\n\r\n"
            #expect(Array(text.utf8).withUnsafeBytes { WebSocketHandshake($0) } == kind, "\(padding)")
        }
    }

    @Test func capturedSegmentsHaveTheirKind() throws {
        // Broken: a packet of a capture has no kind, on the fast path or on the slow one, or one from bytes after its end.
        var file = PcapWriter(linkType: 101)
        let texts = Self.messages.map { Array($0.text.utf8) }
        for payload in texts { file.add(PacketBytes.ipv4(PacketBytes.tcp(50_000, 443, payload: payload)), at: 0) }
        // The fast path begins after the first 4,096 packets.
        for _ in 0..<4_200 { file.add(PacketBytes.ipv4(PacketBytes.tcp(50_000, 443, flags: 0x10)), at: 0) }
        for payload in texts { file.add(PacketBytes.ipv4(PacketBytes.tcp(50_000, 443, payload: payload)), at: 1) }
        let found = try Reading(file.bytes).packets.map(\.handshake)
        #expect(found.prefix(texts.count) == Self.messages.map(\.kind)[...])
        #expect(found.suffix(texts.count) == Self.messages.map(\.kind)[...])
        #expect(found.dropFirst(texts.count).dropLast(texts.count).allSatisfy { $0 == nil })
    }
}
