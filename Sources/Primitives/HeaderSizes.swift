/// What stands before the content of an HTTP/1.1 request and of its answer, in bytes: first line, fields, and the empty line
/// (RFC 9112 §2.1). HTTP/1.1 says all of it again each time; what compresses them (HPACK, QPACK) has sizes of its own.
public struct HeaderSizes: Hashable, Sendable, BitwiseCopyable {
    public var request: UInt32
    public var answer: UInt32

    /// By default few fields and a token: 300 and 150 bytes are assumed. Requests of the web have 200 bytes to over 2 KB, with
    /// 700 to 800 the most common (Chromium's SPDY whitepaper, chromium.org/spdy/spdy-whitepaper).
    public init(request: UInt32 = 300, answer: UInt32 = 150) {
        self.request = request
        self.answer = answer
    }

    public func bytes(_ direction: Direction) -> UInt32 { direction == .up ? request : answer }
}
