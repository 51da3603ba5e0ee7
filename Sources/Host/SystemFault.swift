#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The operating system refused something.
public struct SystemFault: Error, Hashable, Sendable {
    /// What was tried: "cannot read".
    public let action: String
    public let path: String
    /// `errno`, or 0 where the refusal is our own.
    public let code: Int32
    public let reason: String

    /// Our own refusal.
    public init(_ action: String, _ path: String, because reason: String) {
        self.action = action
        self.path = path
        self.reason = reason
        code = 0
    }

    /// Reads `errno`: make it before anything else can set it.
    init(_ action: String, _ path: String) {
        code = errno
        self.action = action
        self.path = path
        reason = SystemFault.words(code)
    }

    public var message: String { "\(action) \(path): \(reason)" }

    private static func words(_ code: Int32) -> String {
        var text = [CChar](repeating: 0, count: 256)
        strerror_r(code, &text, text.count)
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
