#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The error that is thrown if the operating system or this module refuses an operation.
public struct SystemFault: Error, Hashable, Sendable {
    /// The attempted operation: "cannot read".
    public let action: String
    public let path: String
    /// `errno`, or 0 if this module itself refused.
    public let code: Int32
    public let reason: String

    /// Makes a fault that this module raises itself, without `errno`.
    public init(_ action: String, _ path: String, because reason: String) {
        self.action = action
        self.path = path
        self.reason = reason
        code = 0
    }

    /// Makes a fault from `errno`. Create it before another call can overwrite `errno`.
    init(_ action: String, _ path: String) {
        code = errno
        self.action = action
        self.path = path
        reason = SystemFault.words(code)
    }

    /// `true` if a stop request ended the operation.
    public var isInterruption: Bool { code == EINTR }

    public var message: String { "\(action) \(path): \(reason)" }

    private static func words(_ code: Int32) -> String {
        if code == EINTR { return "stopped by a signal" }
        var text = [CChar](repeating: 0, count: 256)
        strerror_r(code, &text, text.count)
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
