#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

package func endProcess(_ code: Int32) -> Never { exit(code) }
