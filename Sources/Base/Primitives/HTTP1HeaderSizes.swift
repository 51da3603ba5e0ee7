/// Header sizes of an HTTP/1.1 request and its response in bytes: first line, fields and the empty line (RFC 9112
/// §2.1). HTTP/1.1 sends them in full each time. Header compression (HPACK, QPACK) has its own sizes.
public struct HTTP1HeaderSizes: Hashable, Sendable, BitwiseCopyable {
    public var request: UInt32
    public var answer: UInt32

    /// Creates the header sizes in bytes. The defaults, 300 and 150 bytes, assume few fields and one token. Headers
    /// of web requests have 200 bytes to more than 2 KB, most commonly 700 to 800 (Chromium's SPDY whitepaper,
    /// chromium.org/spdy/spdy-whitepaper).
    public init(request: UInt32 = 300, answer: UInt32 = 150) {
        self.request = request
        self.answer = answer
    }

    package func bytes(_ direction: Direction) -> UInt32 { direction == .up ? request : answer }
}
