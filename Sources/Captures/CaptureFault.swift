/// An error that ends the reading of a capture file: its position and its reason.
package struct CaptureFault: Error, Equatable, Sendable {
    /// Byte offset from the start of the input; in a compressed file, from the start of the unpacked data.
    package let offset: UInt64
    package let message: String
    /// Suggested fix for the user.
    package let help: String?

    package init(at offset: UInt64, _ message: String, help: String? = nil) {
        self.offset = offset
        self.message = message
        self.help = help
    }

    package var text: String { "\(message), at byte \(offset)" }
}

/// Reads the next bytes of a capture into the buffer and returns how many were read.
///
/// Fills as much of the buffer as is available, at least one byte; returns 0 at the end of the input. Throws the
/// operating system's error.
package typealias ByteSource = (UnsafeMutableRawBufferPointer) throws(SourceFailure) -> Int

/// A read error of the operating system that ends the input early.
package struct SourceFailure: Error, Equatable, Sendable {
    package let message: String

    package init(_ message: String) { self.message = message }
}
