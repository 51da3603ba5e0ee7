#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The environment variables of the process, or a fixed set of variables for a test.
package struct Environment: Sendable {
    private let lookup: @Sendable (String) -> String?

    package static let process = Environment { name in getenv(name).map { String(cString: $0) } }

    package init(_ values: [String: String]) { lookup = { values[$0] } }

    private init(_ lookup: @escaping @Sendable (String) -> String?) { self.lookup = lookup }

    package subscript(name: String) -> String? { lookup(name) }
}
