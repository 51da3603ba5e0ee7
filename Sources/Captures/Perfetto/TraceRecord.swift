/// One record of a Perfetto trace (`TracePacket`): the fields that a network or power trace needs. The payloads are
/// still encoded.
///
/// Field numbers: protos/perfetto/trace/trace_packet.proto and interned_data/interned_data.proto of
/// github.com/google/perfetto. The messages of `android.network_packets` have the numbers 88 and 92
/// (android/network_trace.proto there).
struct TraceRecord {
    /// The two bits of `sequence_flags`.
    private enum SequenceFlags {
        static let cleared: UInt64 = 1
        static let needsState: UInt64 = 2
    }

    var timestamp: UInt64 = 0
    /// 0 if the record names no clock.
    var clock: UInt32 = 0
    /// `trusted_packet_sequence_id`: identifies the writer. Interned data is valid for one writer.
    var sequence: UInt32 = 0
    /// The writer forgot all interned data before this record.
    var isStateCleared = false
    /// The record refers to interned data, so it is useless after a loss.
    var needsState = false
    /// The record before this one, of the same writer, is lost.
    var followsLoss = false

    var clockSnapshot: Bytes?
    var interned: Bytes?
    var defaults: Bytes?
    var powerRails: Bytes?
    var packages: Bytes?
    var compressed: Bytes?
    var isZstandard = false
    var networkPacket: Bytes?
    var networkBundle: Bytes?

    /// `nil` if the record is damaged.
    init?(_ bytes: Bytes) {
        var reader = ProtobufReader(bytes)
        while let (field, value) = reader.next() {
            switch (field, value) {
            case (8, .number(let number)): timestamp = number
            case (10, .number(let number)): sequence = UInt32(truncatingIfNeeded: number)
            case (13, .number(let flags)):
                if flags & SequenceFlags.cleared != 0 { isStateCleared = true }
                needsState = flags & SequenceFlags.needsState != 0
            case (41, .number(let number)): if number != 0 { isStateCleared = true }
            case (42, .number(let number)): followsLoss = number != 0
            case (58, .number(let number)): clock = UInt32(truncatingIfNeeded: number)
            case (6, .bytes(let part)): clockSnapshot = part
            case (12, .bytes(let part)): interned = part
            case (40, .bytes(let part)): powerRails = part
            case (47, .bytes(let part)): packages = part
            case (50, .bytes(let part)): compressed = part
            case (59, .bytes(let part)): defaults = part
            case (88, .bytes(let part)): networkPacket = part
            case (92, .bytes(let part)): networkBundle = part
            case (133, .bytes): isZstandard = true
            default: break
            }
        }
        if reader.isDamaged { return nil }
    }
}
