#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Writes several files into a folder such that either all of them appear or none. The folder stays open as a
/// descriptor. If it is moved or replaced by a link meanwhile, no file goes elsewhere.
package final class OutputFolder {
    private let path: String
    private let descriptor: Int32
    private var staged: [(temporary: String, name: String, isWrittenExternally: Bool)] = []

    /// Creates the folder if it does not exist, with missing folders above it. Throws if the path is a symbolic link.
    package init(_ path: String) throws(SystemFault) {
        // With a trailing slash, the path of a link would mean the link's target.
        var name = path
        while name.utf8.count > 1, name.hasSuffix("/") { name.removeLast() }
        if let slash = name.lastIndex(of: "/"), slash > name.startIndex {
            let parent = String(name[..<slash])
            if Files.kind(of: parent) == .missing { _ = try OutputFolder(parent) }
        }
        if mkdir(name, 0o755) != 0, errno != EEXIST { throw SystemFault("cannot make the folder", path) }
        var info = stat()
        if lstat(name, &info) == 0, info.st_mode & S_IFMT == S_IFLNK {
            throw SystemFault("cannot write into", path, because: "it is a symbolic link")
        }
        descriptor = open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemFault("cannot write into", path) }
        self.path = name
    }

    private init(_ path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    /// Opens a folder, which may be a symbolic link. A missing folder is made, with the folders above it.
    package static func made(_ path: String) throws(SystemFault) -> OutputFolder {
        Files.kind(of: path) == .missing ? try OutputFolder(path) : try existing(path)
    }

    /// Opens a folder that must exist. It may be a symbolic link.
    package static func existing(_ path: String) throws(SystemFault) -> OutputFolder {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemFault("cannot write into", path) }
        return OutputFolder(path, descriptor: descriptor)
    }

    /// Removes staged files that were not published.
    deinit {
        for (temporary, _, _) in staged { unlinkat(descriptor, temporary, 0) }
        close(descriptor)
    }

    /// Writes a file under a temporary name in the folder and flushes it to disk. Only a plain file is replaced at
    /// publication.
    package func stage(_ bytes: [UInt8], as name: String) throws(SystemFault) {
        let (temporary, file, place) = try openStagedFile(name)
        var fault = writeAll(bytes, to: file, named: place)
        if fault == nil, fsync(file) != 0 { fault = SystemFault("cannot write", place) }
        close(file)
        if let fault {
            unlinkat(descriptor, temporary, 0)
            throw fault
        }
        staged.append((temporary, name, false))
    }

    /// Creates an empty temporary file for a writer that opens it by path. Returns that path. The writer must finish
    /// before `publish`.
    package func stageForExternalWriter(as name: String) throws(SystemFault) -> String {
        let (temporary, file, _) = try openStagedFile(name)
        close(file)
        staged.append((temporary, name, true))
        return path + "/" + temporary
    }

    private func openStagedFile(_ name: String) throws(SystemFault) -> (temporary: String, file: Int32, place: String) {
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

    /// Renames all staged files to their final names. A file lock makes concurrent publications to one folder wait,
    /// so the result is all of one set or all of the other. The system releases the lock if the process is killed.
    package func publish() throws(SystemFault) {
        _ = retryingOnEINTR { Int(flock(descriptor, LOCK_EX)) }
        defer { flock(descriptor, LOCK_UN) }
        while let (temporary, name, isWrittenExternally) = staged.first {
            if isWrittenExternally { try flush(temporary, name) }
            guard renameat(descriptor, temporary, descriptor, name) == 0 else {
                throw SystemFault("cannot write", path + "/" + name)
            }
            staged.removeFirst()
        }
    }

    /// Flushes a file that was written by path. If the folder was moved meanwhile, the writer wrote elsewhere and the
    /// file here is still empty: this throws.
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
        for attempt in 0..<Files.temporaryNames {
            let temporary = Files.temporaryName(name, attempt)
            let file = openat(descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
            if file >= 0 { return (temporary, file) }
            guard errno == EEXIST else { break }
        }
        throw SystemFault("cannot write", place)
    }
}
