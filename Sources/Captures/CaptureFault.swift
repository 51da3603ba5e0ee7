/// An error that ends the reading of a capture file: its position and its reason.
public struct CaptureFault: Error, Equatable, Sendable {
    /// Byte offset from the start of the input; in a compressed file, from the start of the unpacked data.
    public let offset: UInt64
    public let message: String
    /// Suggested fix for the user.
    public let help: String?

    public init(at offset: UInt64, _ message: String, help: String? = nil) {
        self.offset = offset
        self.message = message
        self.help = help
    }

    public var text: String { "\(message), at byte \(offset)" }
}

/// Reads the next bytes of a capture into the buffer and returns how many were read.
///
/// Fills as much of the buffer as is available, at least one byte; returns 0 at the end of the input. Throws the
/// operating system's error.
public typealias ByteSource = (UnsafeMutableRawBufferPointer) throws(SourceFailure) -> Int

/// A read error of the operating system that ends the input early.
public struct SourceFailure: Error, Equatable, Sendable {
    public let message: String

    public init(_ message: String) { self.message = message }
}
