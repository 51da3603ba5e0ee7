import DeadzoneBase
import DeadzoneCaptures

/// Converts timestamps to time as the tool ARO has it: seconds since the beginning of the trace, as doubles.
///
/// It is the difference of two doubles of seconds since 1970 with microseconds (`Packet.getTimeStamp`,
/// `TraceDataReaderImpl`). With present-day timestamps this rounds to a quarter of a microsecond, which can decide
/// whether a timer expires.
enum AROTime {
    static func seconds(_ stamp: Timestamp) -> Double {
        let (whole, rest) = floored(stamp.nanoseconds, 1_000_000_000)
        return Double(whole) + Double(rest / 1_000) / 1_000_000.0 + Double(rest % 1_000) / 1e9
    }

    private static func floored(_ value: Int128, _ divisor: Int128) -> (Int128, Int128) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

/// The packet fields that the energy models of the tool ARO use.
struct AROPacket: Sendable, BitwiseCopyable {
    var at: Double
    var bytes: UInt32
    var direction: PacketDirection
}
