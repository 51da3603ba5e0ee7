/// Converts the timestamps of a pcapng interface to nanoseconds. They are in units of a negative power of 10 or 2, plus
/// an offset in seconds.
struct TimestampScale {
    private enum Conversion {
        /// Nanoseconds = count × factor.
        case times(UInt64)
        /// Nanoseconds = count / divisor.
        case over(UInt64)
        /// Nanoseconds = count × 10^9 / 2^power.
        case shifted(UInt8)
        /// The unit is so small that even the largest count is less than a nanosecond.
        case nothing
    }

    private let kind: Conversion
    private let offset: Int128

    static let microseconds = TimestampScale(resolution: 6, offset: 0)

    /// - Parameter resolution: `if_tsresol`: the negative exponent, of base 2 if the highest bit is set, else of base
    ///   10.
    init(resolution: UInt8, offset seconds: Int64) {
        offset = Int128(seconds) * 1_000_000_000
        if resolution & 0x80 != 0 {
            kind = .shifted(resolution & 0x7f)
        } else if resolution <= 9 {
            kind = .times(Self.tens(9 - Int(resolution)))
        } else if resolution <= 28 {
            kind = .over(Self.tens(Int(resolution) - 9))
        } else {
            kind = .nothing
        }
    }

    private static func tens(_ power: Int) -> UInt64 { (0..<power).reduce(1) { product, _ in product * 10 } }

    @inline(__always) func stamp(_ count: UInt64) -> Timestamp {
        let nanoseconds: Int128 =
            switch kind {
            case .times(let factor): Int128(count) * Int128(factor)
            case .over(let divisor): Int128(count / divisor)
            case .shifted(let power): (Int128(count) * 1_000_000_000) >> Int128(power)
            case .nothing: 0
            }
        return Timestamp(nanoseconds: nanoseconds &+ offset)
    }
}
