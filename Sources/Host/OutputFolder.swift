#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A folder that files are written into, all of them or none, and nowhere else. It is held open: whoever moves it, or puts a link in its place,
/// after it was opened leads no file astray.
public final class OutputFolder {
    /// Two processes that share an id (two containers do) and one that was killed leave names behind; more are not tried.
    private static let attempts = 100

    private let path: String
    private let descriptor: Int32
    private var staged: [(temporary: String, name: String, isFilledElsewhere: Bool)] = []

    /// Makes the folder unless it is there; its parent must exist. A symbolic link is refused, whatever it leads to.
    public init(_ path: String) throws(SystemFault) {
        // With a slash at its end the name of a link means what the link leads to.
        var name = path
        while name.utf8.count > 1, name.hasSuffix("/") { name.removeLast() }
        if mkdir(name, 0o755) != 0, errno != EEXIST { throw SystemFault("cannot make the folder", path) }
        var info = stat()
        if lstat(name, &info) == 0, info.st_mode & S_IFMT == S_IFLNK {
            throw SystemFault("cannot write into", path, because: "it is a symbolic link")
        }
        descriptor = open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemFault("cannot write into", path) }
        self.path = name
    }

    /// What was staged and never published leaves nothing behind.
    deinit {
        for (temporary, _, _) in staged { unlinkat(descriptor, temporary, 0) }
        close(descriptor)
    }

    /// Writes a whole file beside the place that it is to take, flushed to the disk. Only a plain file will ever be replaced.
    public func stage(_ bytes: [UInt8], as name: String) throws(SystemFault) {
        let (temporary, file, place) = try opened(name)
        var fault = writeAll(bytes, to: file, named: place)
        if fault == nil, fsync(file) != 0 { fault = SystemFault("cannot write", place) }
        close(file)
        if let fault {
            unlinkat(descriptor, temporary, 0)
            throw fault
        }
        staged.append((temporary, name, false))
    }

    /// An empty file beside the place that it is to take, for somebody who writes by its path until all is published.
    public func stageEmpty(as name: String) throws(SystemFault) -> String {
        let (temporary, file, _) = try opened(name)
        close(file)
        staged.append((temporary, name, true))
        return path + "/" + temporary
    }

    private func opened(_ name: String) throws(SystemFault) -> (temporary: String, file: Int32, place: String) {
        let place = path + "/" + name
        let isPlain = !name.isEmpty && name != "." && name != ".." && !name.utf8.contains { $0 == 0x2F || $0 == 0 }
        guard isPlain else { throw SystemFault("cannot write", place, because: "it is no name of a file") }
        var info = stat()
        if fstatat(descriptor, name, &info, AT_SYMLINK_NOFOLLOW) == 0, info.st_mode & S_IFMT != S_IFREG {
            let isLink = info.st_mode & S_IFMT == S_IFLNK
            throw SystemFault(
                "cannot write", place, because: isLink ? "it is a symbolic link" : "it is not a plain file")
        }
        let (temporary, file) = try openTemporary(for: name, place)
        return (temporary, file, place)
    }

    /// Puts everything staged in its place. Whoever else does so in the same folder waits: what stands there is all of one or
    /// all of the other. The system releases the lock of a process that is killed.
    public func publish() throws(SystemFault) {
        _ = uninterrupted { Int(flock(descriptor, LOCK_EX)) }
        defer { flock(descriptor, LOCK_UN) }
        while let (temporary, name, isFilledElsewhere) = staged.first {
            if isFilledElsewhere { try flush(temporary, name) }
            guard renameat(descriptor, temporary, descriptor, name) == 0 else {
                throw SystemFault("cannot write", path + "/" + name)
            }
            staged.removeFirst()
        }
    }

    /// Whoever moved the folder meanwhile has led astray who wrote by its path: what is here is then still empty.
    private func flush(_ temporary: String, _ name: String) throws(SystemFault) {
        let file = openat(descriptor, temporary, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { throw SystemFault("cannot write", path + "/" + name) }
        defer { close(file) }
        var info = stat()
        guard fstat(file, &info) == 0, info.st_size > 0 else {
            throw SystemFault("cannot write", path + "/" + name, because: "the folder was moved")
        }
        guard fsync(file) == 0 else { throw SystemFault("cannot write", path + "/" + name) }
    }

    private func openTemporary(for name: String, _ place: String) throws(SystemFault) -> (String, Int32) {
        for attempt in 0..<Self.attempts {
            let temporary = "\(name).\(getpid())-\(attempt).tmp"
            let file = openat(descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
            if file >= 0 { return (temporary, file) }
            guard errno == EEXIST else { break }
        }
        throw SystemFault("cannot write", place)
    }
}
