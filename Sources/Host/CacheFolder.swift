#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A folder of files that may vanish at any time, because their contents can be computed again. Several processes may
/// use it at once. No function fails: what cannot be read is absent, and what cannot be written is not stored.
///
/// Files lie in subfolders by the first two characters of their names. Names are evenly distributed, so each subfolder
/// gets an equal share of the limit. If it is exceeded, the files that were not used for the longest time are removed.
package struct CacheFolder: Sendable {
    package let path: String
    private let limit: Int
    private static let subfolders = 256
    /// Largest file that is read or stored.
    private static let longest = 16 << 20

    /// - Parameter limit: maximum number of bytes of all files. It may be exceeded by some files in each subfolder.
    package init(_ path: String, limit: Int = 512 << 20) {
        self.path = path
        self.limit = limit
    }

    /// The folder in which programs of this platform keep such files. `nil` if the user has no home folder.
    package static func standardPath(_ environment: Environment) -> String? {
        func set(_ name: String) -> String? {
            environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        #if canImport(Darwin)
            let parent = set("HOME").map { $0 + "/Library/Caches" }
        #else
            let parent = set("XDG_CACHE_HOME") ?? set("HOME").map { $0 + "/.cache" }
        #endif
        return parent.map { $0 + "/deadzone" }
    }

    /// The contents of a file; `nil` if there is none. Marks it as used.
    package func read(_ name: String) -> [UInt8]? {
        let file = place(of: name)
        guard let bytes = Files.$log.withValue(nil, operation: { try? Files.read(file, limit: Self.longest) }) else {
            return nil
        }
        utimes(file, nil)
        return bytes
    }

    /// Stores a file under its name, in one step. Files are not flushed to the disk: one that a crash of the machine
    /// damages must be recognised by its contents.
    package func store(_ bytes: [UInt8], as name: String) {
        guard bytes.count <= Self.longest else { return }
        let file = place(of: name)
        if Files.kind(of: subfolder(of: name)) == .missing { makeFolders(subfolder(of: name)) }
        guard let (temporary, descriptor) = try? Files.openTemporary(for: file) else { return }
        let fault = writeAll(bytes, to: descriptor, named: temporary)
        close(descriptor)
        if fault != nil || rename(temporary, file) != 0 { unlink(temporary) }
        // One file in sixteen pays for the removal of old ones.
        if name.hasSuffix("0") { removeOldest(in: subfolder(of: name)) }
    }

    package func remove(_ name: String) { unlink(place(of: name)) }

    /// Number of files and their bytes.
    package var usage: (files: Int, bytes: Int) {
        let files = folders.flatMap(Self.files)
        return (files.count, files.reduce(0) { $0 + $1.bytes })
    }

    /// Removes all files and the folder itself, unless it holds something else.
    package func clear() {
        for folder in folders {
            for file in Self.files(in: folder) { unlink(file.path) }
            rmdir(folder)
        }
        rmdir(path)
    }

    private func subfolder(of name: String) -> String { path + "/" + name.prefix(2) }

    private func place(of name: String) -> String { subfolder(of: name) + "/" + name.dropFirst(2) }

    /// The existing subfolders. Other files and folders are left alone.
    private var folders: [String] {
        let names = (try? Files.names(in: path)) ?? []
        return names.filter { $0.utf8.count == 2 && $0.allSatisfy(\.isHexDigit) }.map { path + "/" + $0 }
    }

    private func makeFolders(_ folder: String) {
        if let slash = folder.lastIndex(of: "/"), slash > folder.startIndex {
            let parent = String(folder[..<slash])
            if Files.kind(of: parent) == .missing { makeFolders(parent) }
        }
        mkdir(folder, 0o700)
    }

    private struct StoredFile {
        let path: String
        let bytes: Int
        let usedAt: Int
    }

    private static func files(in folder: String) -> [StoredFile] {
        ((try? Files.names(in: folder)) ?? []).compactMap { name in
            var info = stat()
            guard lstat(folder + "/" + name, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
            #if canImport(Darwin)
                let usedAt = info.st_mtimespec
            #else
                let usedAt = info.st_mtim
            #endif
            return StoredFile(
                path: folder + "/" + name, bytes: Int(info.st_size),
                usedAt: usedAt.tv_sec * 1_000_000_000 + usedAt.tv_nsec)
        }
    }

    private func removeOldest(in folder: String) {
        let files = Self.files(in: folder)
        var bytes = files.reduce(0) { $0 + $1.bytes }
        for file in files.sorted(by: { $0.usedAt < $1.usedAt }) {
            guard bytes > limit / Self.subfolders else { return }
            unlink(file.path)
            bytes -= file.bytes
        }
    }
}

extension HostMachine {
    /// Identifies the file of this program: another build has another one. `nil` if it is not known.
    package static var programIdentity: String? {
        #if canImport(Darwin)
            var size = UInt32(4_096)
            var name = [CChar](repeating: 0, count: Int(size))
            guard _NSGetExecutablePath(&name, &size) == 0 else { return nil }
        #else
            let name = Array("/proc/self/exe".utf8CString)
        #endif
        var info = stat()
        guard stat(name, &info) == 0 else { return nil }
        #if canImport(Darwin)
            let changed = info.st_mtimespec
        #else
            let changed = info.st_mtim
        #endif
        return "\(info.st_dev) \(info.st_ino) \(info.st_size) \(changed.tv_sec) \(changed.tv_nsec) \(Build.summary)"
    }
}
