#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// An open file or standard input, read in pieces from beginning to end.
package final class ByteFile: Sendable {
    private let descriptor: Int32
    private let path: String
    private let isOurs: Bool

    package init(_ path: String) throws(SystemFault) {
        descriptor = InputWait.open(path)
        guard descriptor >= 0 else { throw SystemFault("cannot read", path) }
        self.path = path
        isOurs = true
    }

    private init(standardInput: Void) {
        descriptor = STDIN_FILENO
        path = "standard input"
        isOurs = false
    }

    package static func standardInput() -> ByteFile { ByteFile(standardInput: ()) }

    deinit { if isOurs { close(descriptor) } }

    /// Reads at least one byte, and as many as are available and fit. Returns the number of bytes; 0 at the end. Throws
    /// after a stop request if it would have to wait.
    package func read(_ buffer: UnsafeMutableRawBufferPointer) throws(SystemFault) -> Int {
        let count = InputWait.read(descriptor, buffer.baseAddress, buffer.count)
        guard count >= 0 else { throw SystemFault("cannot read", path) }
        return count
    }
}
