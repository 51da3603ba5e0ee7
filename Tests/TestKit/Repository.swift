/// Location of the checkout that the tests were built from.
public enum Repository {
    /// Three levels above this file: Tests/TestKit/Repository.swift.
    public static let root = parent(parent(parent(#filePath)))

    private static func parent(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? path
    }
}
