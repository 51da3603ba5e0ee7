#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A file that is written piece by piece and appears under its name when it is finished, whole. One that is never finished
/// leaves nothing behind.
public final class FileStream {
    private let path: String
    private let temporary: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var fault: SystemFault?
    private var isFinished = false

    public init(_ path: String) throws(SystemFault) {
        self.path = path
        (temporary, descriptor) = try Files.openTemporary(for: path)
    }

    deinit {
        guard !isFinished else { return }
        close(descriptor)
        unlink(temporary)
    }

    public func write(_ text: String) {
        guard fault == nil else { return }
        buffer.append(contentsOf: text.utf8)
        if buffer.count > 65_536 { drain() }
    }

    public func write(_ bytes: [UInt8]) {
        guard fault == nil else { return }
        buffer.append(contentsOf: bytes)
        if buffer.count > 65_536 { drain() }
    }

    /// The first fault of any write is reported here.
    public func finish() throws(SystemFault) {
        drain()
        isFinished = true
        try Files.closeTemporary(descriptor, temporary, path, fault)
    }

    private func drain() {
        if fault == nil { fault = writeAll(buffer, to: descriptor, named: path) }
        buffer.removeAll(keepingCapacity: true)
    }
}
