/// How an interface of pcapng counts time: units of 10 or 2 to some negative power, from an offset in seconds.
struct StampScale {
    private enum Kind {
        /// Nanoseconds are so many times the count.
        case times(UInt64)
        /// …or the count over so many.
        case over(UInt64)
        /// …or a billion times the count, over two to this power.
        case shifted(UInt8)
        /// Units so small that the largest count is no nanosecond.
        case nothing
    }

    private let kind: Kind
    private let offset: Int128

    static let microseconds = StampScale(resolution: 6, offset: 0)

    /// - Parameter resolution: `if_tsresol`: the power, of 2 where the highest bit is set.
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

    @inline(__always) func stamp(_ count: UInt64) -> Stamp {
        let nanoseconds: Int128 =
            switch kind {
            case .times(let factor): Int128(count) * Int128(factor)
            case .over(let divisor): Int128(count / divisor)
            case .shifted(let power): (Int128(count) * 1_000_000_000) >> Int128(power)
            case .nothing: 0
            }
        return Stamp(nanoseconds: nanoseconds &+ offset)
    }
}
