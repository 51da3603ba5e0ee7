/// Paths from one folder to a file, so that a scenario can extend a file of another folder.
enum RelativePath {
    /// The path of a file as seen from a folder.
    /// - Parameter current: The current folder, needed if the names of folders above it matter; `nil` if it is unknown.
    static func from(_ folder: String, to file: String, inside current: String?) -> String {
        var (from, to) = (parts(folder), parts(file))
        if folder.hasPrefix("/") != file.hasPrefix("/") || from.first == ".." {
            guard let current else { return file }
            from = parts(folder.hasPrefix("/") ? folder : current + "/" + folder)
            to = parts(file.hasPrefix("/") ? file : current + "/" + file)
        }
        while let first = from.first, first == to.first, to.count > 1 {
            from.removeFirst()
            to.removeFirst()
        }
        return (from.map { _ in ".." } + to).joined(separator: "/")
    }

    private static func parts(_ path: String) -> [String] {
        path.split(separator: "/").reduce(into: []) { parts, part in
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else if part != "." {
                parts.append(String(part))
            }
        }
    }
}
