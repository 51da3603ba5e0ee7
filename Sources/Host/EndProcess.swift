#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

public func endProcess(_ code: Int32) -> Never { exit(code) }
