#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Writes a file in pieces, so that a file under its final name is always complete. The file appears under its name
/// when `finish` succeeds. A file that is not finished leaves nothing behind.
package final class FileStream {
    private let path: String
    private let temporary: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var fault: SystemFault?
    private var isFinished = false

    package init(_ path: String) throws(SystemFault) {
        self.path = path
        (temporary, descriptor) = try Files.openTemporary(for: path)
    }

    deinit {
        guard !isFinished else { return }
        close(descriptor)
        unlink(temporary)
    }

    package func write(_ text: String) {
        guard fault == nil else { return }
        buffer.append(contentsOf: text.utf8)
        if buffer.count > 65_536 { drain() }
    }

    package func write(_ bytes: [UInt8]) {
        guard fault == nil else { return }
        buffer.append(contentsOf: bytes)
        if buffer.count > 65_536 { drain() }
    }

    /// Publishes the file. Throws the first error of any earlier write.
    package func finish() throws(SystemFault) {
        drain()
        isFinished = true
        try Files.closeTemporary(descriptor, temporary, path, fault)
    }

    private func drain() {
        if fault == nil { fault = writeAll(buffer, to: descriptor, named: path) }
        buffer.removeAll(keepingCapacity: true)
    }
}
