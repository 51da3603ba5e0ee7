/// Where a capture could not be read any further, and why.
public struct CaptureFault: Error, Equatable, Sendable {
    /// From the beginning of what was read; of a compressed file, of its contents.
    public let offset: UInt64
    public let message: String
    /// What the user can do about it.
    public let help: String?

    public init(at offset: UInt64, _ message: String, help: String? = nil) {
        self.offset = offset
        self.message = message
        self.help = help
    }

    public var text: String { "\(message), at byte \(offset)" }
}

/// Where the bytes of a capture come from.
///
/// Fills as much of the buffer as there is, at least a byte; 0 is the end. Throws what the system says.
public typealias ByteSource = (UnsafeMutableRawBufferPointer) throws(SourceFailure) -> Int

/// The bytes end before their end.
public struct SourceFailure: Error, Equatable, Sendable {
    public let message: String

    public init(_ message: String) { self.message = message }
}
