#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension HostMachine {
    /// Peak resident memory of this process in bytes. It never decreases.
    package static var peakMemory: Int64 {
        var usage = rusage()
        #if canImport(Darwin)
            let (who, unit) = (RUSAGE_SELF, Int64(1))
        #else
            // getrusage(2) reports kilobytes on Linux, bytes on Darwin.
            let (who, unit) = (__rusage_who_t(RUSAGE_SELF.rawValue), Int64(1_024))
        #endif
        return getrusage(who, &usage) == 0 ? Int64(usage.ru_maxrss) * unit : 0
    }
}
