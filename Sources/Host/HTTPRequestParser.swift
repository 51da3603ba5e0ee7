/// Parses one HTTP/1.1 request from pieces of any size. It refuses everything that a browser's `fetch` does not send:
/// queries, escapes, repeated or folded fields, chunked bodies, line ends without a carriage return. Two programs that
/// read a request differently are how requests are smuggled, so nothing is repaired.
package struct HTTPRequestParser: Sendable {
    package enum Step: Hashable, Sendable {
        case needsMore
        case complete(HTTPRequest)
        case refused(HTTPStatus)
    }

    private enum State: Sendable {
        case head
        case body(HTTPRequest, length: Int)
        case ended(Step)
    }

    /// Maximum size of the request line and the fields, in bytes.
    package static let maximumHead = 16 << 10
    private static let maximumPath = 256
    private static let maximumFields = 64

    private var state = State.head
    private var buffer: [UInt8] = []
    private let admit: @Sendable (HTTPRequest, _ bodyLength: Int) -> HTTPStatus?

    /// - Parameter admit: checks the head before the body is read. Returns the status of a refusal, or `nil`.
    package init(admit: @escaping @Sendable (HTTPRequest, _ bodyLength: Int) -> HTTPStatus?) { self.admit = admit }

    /// `true` after a head that was admitted.
    var hasHead: Bool { if case .body = state { true } else { false } }

    /// Reads the next bytes. After the request is complete or refused, the answer stays the same.
    package mutating func feed(_ bytes: some Collection<UInt8>) -> Step {
        if case .ended(let step) = state { return step }
        let searched = max(0, buffer.count - 3)
        buffer.append(contentsOf: bytes)
        if case .head = state {
            guard let end = Self.headEnd(buffer, from: searched) else {
                return buffer.count >= Self.maximumHead ? ended(.refused(.headTooLarge)) : .needsMore
            }
            guard end <= Self.maximumHead else { return ended(.refused(.headTooLarge)) }
            guard let (request, length) = Self.head(buffer[..<(end - 2)]) else { return ended(.refused(.badRequest)) }
            if let refusal = Self.refusal(request, length) ?? admit(request, length ?? 0) {
                return ended(.refused(refusal))
            }
            buffer.removeFirst(end)
            state = .body(request, length: length ?? 0)
        }
        guard case .body(var request, let length) = state else { return .needsMore }
        // A second request on the same connection is never answered.
        if buffer.count > length { return ended(.refused(.badRequest)) }
        guard buffer.count == length else { return .needsMore }
        request.body = buffer
        buffer = []
        return ended(.complete(request))
    }

    private mutating func ended(_ step: Step) -> Step {
        state = .ended(step)
        buffer = []
        return step
    }

    /// Position after the empty line that ends the head.
    private static func headEnd(_ bytes: [UInt8], from start: Int) -> Int? {
        var index = start
        while index + 3 < bytes.count {
            if bytes[index] == 13, bytes[index + 1] == 10, bytes[index + 2] == 13, bytes[index + 3] == 10 {
                return index + 4
            }
            index += 1
        }
        return nil
    }

    private static func refusal(_ request: HTTPRequest, _ length: Int?) -> HTTPStatus? {
        if request.fields["transfer-encoding"] != nil || request.fields["expect"] != nil { return .badRequest }
        switch request.method {
        case .get: return length ?? 0 > 0 ? .badRequest : nil
        case .post: return length == nil ? .lengthRequired : nil
        }
    }

    /// - Parameter bytes: the request line and the fields, each with its line end.
    private static func head(_ bytes: ArraySlice<UInt8>) -> (HTTPRequest, length: Int?)? {
        var lines: [ArraySlice<UInt8>] = []
        var start = bytes.startIndex
        while start < bytes.endIndex {
            guard let end = bytes[start...].firstIndex(of: 13), end + 1 < bytes.endIndex, bytes[end + 1] == 10 else {
                return nil
            }
            lines.append(bytes[start..<end])
            start = end + 2
        }
        guard let first = lines.first, lines.count <= maximumFields + 1, lines.allSatisfy(isPlain),
            let (method, path) = requestLine(first)
        else { return nil }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let (name, value) = field(line), fields.updateValue(value, forKey: name) == nil else { return nil }
        }
        var length: Int?
        if let text = fields["content-length"] {
            guard (1...15).contains(text.utf8.count), text.utf8.allSatisfy(isDigit), let number = Int(text) else {
                return nil
            }
            length = number
        }
        return (HTTPRequest(method: method, path: path, fields: fields), length)
    }

    private static func requestLine(_ line: ArraySlice<UInt8>) -> (HTTPRequest.Method, path: String)? {
        let words = line.split(separator: 32, omittingEmptySubsequences: false)
        guard words.count == 3, words[2].elementsEqual("HTTP/1.1".utf8),
            let method = HTTPRequest.Method(rawValue: text(words[0])), words[1].first == slash,
            words[1].count <= maximumPath
        else { return nil }
        let segments = words[1].dropFirst().split(separator: slash, omittingEmptySubsequences: false)
        let isRoot = words[1].count == 1
        guard
            isRoot
                || segments.allSatisfy({ segment in
                    guard let first = segment.first else { return false }
                    return first != dot && segment.allSatisfy(isOfSegment)
                })
        else { return nil }
        return (method, text(words[1]))
    }

    private static func field(_ line: ArraySlice<UInt8>) -> (name: String, value: String)? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            line[..<colon].allSatisfy(isOfName)
        else { return nil }
        var value = line[(colon + 1)...]
        while value.first == 32 || value.first == 9 { value.removeFirst() }
        while value.last == 32 || value.last == 9 { value.removeLast() }
        return (text(line[..<colon]).lowercased(), text(value))
    }

    private static let slash = UInt8(ascii: "/")
    private static let dot = UInt8(ascii: ".")

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Visible ASCII, spaces and tabs.
    private static func isPlain(_ line: ArraySlice<UInt8>) -> Bool { line.allSatisfy { 32...126 ~= $0 || $0 == 9 } }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
    }

    private static func isOfSegment(_ byte: UInt8) -> Bool { isLetterOrDigit(byte) || "-._".utf8.contains(byte) }

    private static func isOfName(_ byte: UInt8) -> Bool { isLetterOrDigit(byte) || "-_".utf8.contains(byte) }
}
