#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Functions to read and write whole files.
package enum Files {
    package enum FileKind: Sendable { case file, folder, other, missing }

    /// Returns the type of file at the path, after following symbolic links.
    package static func kind(of path: String) -> FileKind {
        var info = stat()
        guard stat(path, &info) == 0 else { return .missing }
        switch info.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .other
        }
    }

    /// Reads a file or pipe. Throws if it is larger than `limit`; it is never truncated.
    package static func read(_ path: String, limit: Int) throws(SystemFault) -> [UInt8] {
        log?.note(path, isFolder: false)
        let descriptor = InputWait.open(path)
        guard descriptor >= 0 else { throw SystemFault("cannot read", path) }
        defer { close(descriptor) }
        return try read(descriptor, named: path, limit: limit)
    }

    /// Reads the first bytes of a file, at most `count`.
    package static func prefix(of path: String, count: Int) throws(SystemFault) -> [UInt8] {
        let descriptor = InputWait.open(path)
        guard descriptor >= 0 else { throw SystemFault("cannot read", path) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count)
        let read = bytes.withUnsafeMutableBytes { InputWait.read(descriptor, $0.baseAddress, $0.count) }
        guard read >= 0 else { throw SystemFault("cannot read", path) }
        bytes.removeLast(count - read)
        return bytes
    }

    package static func readStandardInput(limit: Int) throws(SystemFault) -> [UInt8] {
        try read(STDIN_FILENO, named: "standard input", limit: limit)
    }

    private static func read(_ descriptor: Int32, named path: String, limit: Int) throws(SystemFault) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = chunk.withUnsafeMutableBytes { buffer in
                InputWait.read(descriptor, buffer.baseAddress, buffer.count)
            }
            guard count >= 0 else { throw SystemFault("cannot read", path) }
            if count == 0 { return bytes }
            guard bytes.count + count <= limit else {
                throw SystemFault("cannot read", path, because: "it is larger than \(limit) bytes")
            }
            bytes.append(contentsOf: chunk[..<count])
        }
    }

    /// Removes a file. A missing file is not an error.
    package static func remove(_ path: String) { unlink(path) }

    /// The current folder; `nil` if it no longer exists.
    package static var currentFolder: String? {
        guard let path = realpath(".", nil) else { return nil }
        defer { free(path) }
        return String(validatingCString: path)
    }

    /// Writes a file atomically: into a temporary file in the same folder, flushed to disk, then renamed. Only a
    /// plain file is replaced. A link would lead elsewhere, and renaming over a device would destroy it.
    package static func write(_ bytes: [UInt8], to path: String) throws(SystemFault) {
        let (temporary, descriptor) = try openTemporary(for: path)
        try closeTemporary(descriptor, temporary, path, writeAll(bytes, to: descriptor, named: path))
    }

    /// Creates a temporary file beside the path, to be renamed to it later.
    static func openTemporary(for path: String) throws(SystemFault) -> (path: String, descriptor: Int32) {
        var info = stat()
        if lstat(path, &info) == 0 {
            switch info.st_mode & S_IFMT {
            case S_IFREG: break
            case S_IFDIR: throw SystemFault("cannot write", path, because: "it is a folder")
            case S_IFLNK: throw SystemFault("cannot write", path, because: "it is a symbolic link")
            default: throw SystemFault("cannot write", path, because: "it is not a plain file")
            }
        }
        // O_EXCL rejects any existing file, including a planted link.
        for attempt in 0..<temporaryNames {
            let temporary = temporaryName(path, attempt)
            let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
            if descriptor >= 0 { return (temporary, descriptor) }
            guard errno == EEXIST else { throw SystemFault("cannot write", path) }
        }
        throw SystemFault(
            "cannot write", path, because: "\(temporaryNames) temporary files are beside it; remove \(path).*.tmp")
    }

    /// Number of temporary names to try. Names can be taken by another process with the same id (two containers) or
    /// by a process that was killed.
    static let temporaryNames = 100

    /// The process id separates two processes of one machine.
    static func temporaryName(_ name: String, _ attempt: Int) -> String { "\(name).\(getpid())-\(attempt).tmp" }

    /// Renames the temporary file to its final path if nothing has failed. Otherwise removes it and throws.
    static func closeTemporary(
        _ descriptor: Int32, _ temporary: String, _ path: String, _ earlier: SystemFault?
    ) throws(SystemFault) {
        var fault = earlier
        if fault == nil, fsync(descriptor) != 0 { fault = SystemFault("cannot write", path) }
        close(descriptor)
        if fault == nil, rename(temporary, path) != 0 { fault = SystemFault("cannot write", path) }
        guard let fault else { return }
        unlink(temporary)
        throw fault
    }

    /// Lists the names in a folder, sorted by UTF-8 bytes so that the locale has no effect. A name that is not UTF-8
    /// cannot be opened by its Swift string. It is an error if it belongs to a folder or satisfies `isWanted`,
    /// otherwise it is skipped.
    package static func names(
        in folder: String, isWanted: (String) -> Bool = { _ in true }
    ) throws(SystemFault) -> [String] {
        log?.note(folder, isFolder: true)
        guard let directory = opendir(folder) else { throw SystemFault("cannot list", folder) }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let (name, shown) = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
                    (String(validatingCString: $0), printableName($0))
                }
            }
            guard let name else {
                guard isWanted(shown) || entry.pointee.d_type == UInt8(DT_DIR) else { continue }
                throw SystemFault("cannot read", folder + "/" + shown, because: notUTF8Reason)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}

/// Reason in the error for a file name that is not UTF-8.
let notUTF8Reason = "its name is not UTF-8; rename it"

/// Returns a file name in printable form, with invalid UTF-8 bytes as `\xFF`.
func printableName(_ name: UnsafePointer<CChar>) -> String {
    var bytes = UnsafeBufferPointer(start: name, count: strlen(name)).map(UInt8.init(bitPattern:))[...]
    var out = ""
    while let first = bytes.first {
        let scalar = (1...4).lazy.compactMap { String(validating: bytes.prefix($0), as: UTF8.self) }.first
        out += scalar ?? "\\x" + String(first, radix: 16, uppercase: true)
        bytes = bytes.dropFirst(scalar?.utf8.count ?? 1)
    }
    return out
}

/// Calls libc's `read` where a method of the same name hides it.
func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}

/// Writes all bytes. Returns the error that truncated the write, or `nil`.
func writeAll(_ bytes: [UInt8], to descriptor: Int32, named path: String) -> SystemFault? {
    var done = 0
    while done < bytes.count {
        let count = bytes.withUnsafeBytes { buffer in
            retryingOnEINTR { write(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done) }
        }
        guard count >= 0 else { return SystemFault("cannot write", path) }
        done += count
    }
    return nil
}

/// Repeats a system call while a signal interrupts it (EINTR).
func retryingOnEINTR(_ call: () -> Int) -> Int {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}
