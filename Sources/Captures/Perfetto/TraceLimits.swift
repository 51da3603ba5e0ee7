/// Limits of what a Perfetto trace can make the reader store or do. Traces are untrusted input.
enum TraceLimits {
    /// Longest record in bytes. Perfetto writes compressed records of at most 512 KB.
    static let record = ReadWindow.capacity - 16
    /// Unpacked bytes of one compressed record. zlib packs 1,000 equal bytes into one; a trace has about 10 to 1.
    static let unpacked = 1 << 26
    /// Bytes from which a trace is recognised.
    static let recognition = 4_096
    /// Field numbers of records are below this, with all extensions of `TracePacket`.
    static let fields: UInt64 = 2_000

    /// Packets that are held back to be sorted. A poll has at most about 800: the kernel's ring buffer has 32 KiB
    /// (PACKET_TRACE_BUF_SIZE in Connectivity's netd.h).
    static let held = 16_384
    /// Packets of a bundle with totals only.
    static let summarised: UInt64 = 16_384
    /// Shortest IP packet in bytes.
    static let shortest: UInt64 = 20

    /// Maximum number of writers with state. A trace of one phone has a few hundred; one of them writes packets.
    static let sequences = 4_096
    /// Interned contexts of all writers. Android's `intern_limit` is a few thousand.
    static let contexts = 1 << 16

    /// Rails of a power trace. A Pixel has about 30.
    static let rails = 1_024
    /// Readings of all rails that are kept, in 64 MiB. 30 rails at 4 Hz fill this in 9 hours.
    static let readings = 1 << 22
}
