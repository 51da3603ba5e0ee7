import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The files and folders that a command has read, and what they were like. It tells when to run the command again.
package final class ReadLog: Sendable {
    /// The properties that change with the contents of a file, or with the names in a folder.
    private struct FileState: Hashable {
        var size: Int64 = -1
        var inode: UInt64 = 0
        var changedAt = 0
        var names: [String] = []

        init(_ path: String, isFolder: Bool) {
            if isFolder {
                names = (try? Files.names(in: path)) ?? []
                return
            }
            var info = stat()
            guard stat(path, &info) == 0 else { return }
            #if canImport(Darwin)
                let changed = info.st_mtimespec
            #else
                let changed = info.st_mtim
            #endif
            (size, inode) = (Int64(info.st_size), UInt64(info.st_ino))
            changedAt = changed.tv_sec * 1_000_000_000 + changed.tv_nsec
        }
    }

    private struct LoggedFile: Hashable {
        let path: String
        let isFolder: Bool
    }

    private static let interval: UInt32 = 100_000

    private let states = Mutex<[LoggedFile: FileState]>([:])

    package init() {}

    /// Number of files, without folders.
    package var fileCount: Int { states.withLock { $0.keys.count { !$0.isFolder } } }

    /// Notes the state of a file or folder that is about to be read. The first state counts.
    func note(_ path: String, isFolder: Bool) {
        // The state of a folder is read with the same function.
        let state = Files.$log.withValue(nil) { FileState(path, isFolder: isFolder) }
        states.withLock { states in
            let file = LoggedFile(path: path, isFolder: isFolder)
            if states[file] == nil { states[file] = state }
        }
    }

    /// Waits until a file or folder differs from what was read, and no longer changes. Returns `false` after a stop.
    package func waitForChange(isStopped: () -> Bool) -> Bool {
        let read = states.withLock { $0 }
        var last = read
        while !isStopped() {
            usleep(Self.interval)
            let now = Files.$log.withValue(nil) {
                read.reduce(into: [LoggedFile: FileState]()) {
                    $0[$1.key] = FileState($1.key.path, isFolder: $1.key.isFolder)
                }
            }
            // An editor may write in several steps.
            if now != read, now == last { return true }
            last = now
        }
        return false
    }
}

extension Files {
    /// Notes all files and folders that this thread reads; `nil` notes none.
    @TaskLocal package static var log: ReadLog?
}
