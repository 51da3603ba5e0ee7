#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The error that is thrown if the operating system or this module refuses an operation.
package struct SystemFault: Error, Hashable, Sendable {
    /// The attempted operation: "cannot read".
    package let action: String
    package let path: String
    /// `errno`, or 0 if this module itself refused.
    package let code: Int32
    package let reason: String

    /// Makes a fault that this module raises itself, without `errno`.
    package init(_ action: String, _ path: String, because reason: String) {
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
    package var isInterruption: Bool { code == EINTR }

    package var message: String { "\(action) \(path): \(reason)" }

    private static func words(_ code: Int32) -> String {
        if code == EINTR { return "stopped by a signal" }
        var text = [CChar](repeating: 0, count: 256)
        strerror_r(code, &text, text.count)
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// Opens an input, or throws the system's reason. The compiler does not count a type in a closure's `throws` as a use of
/// an import, so other modules name these types instead of the closures.
package typealias InputOpener<Input> = () throws(SystemFault) -> Input

/// Reads an input up to a maximum number of bytes.
package typealias InputReader = (Int) throws(SystemFault) -> [UInt8]
