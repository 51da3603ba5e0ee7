/// One metric, replica after replica, as a file keeps it: of each the double nearest to it. Eight bytes each; none where all are the same.
public struct FigureColumn: Hashable, Sendable, RandomAccessCollection {
    public private(set) var count = 0
    private var common: UInt64 = 0
    /// Empty while all are as the one that is common.
    private var bits: [UInt64] = []

    public init() {}

    public init(_ figures: some Sequence<Figure>) {
        for figure in figures { append(figure) }
    }

    public init(repeating figure: Figure, count: Int) {
        self.count = count
        common = Self.bits(of: figure)
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    public subscript(index: Int) -> Figure { Self.figure(of: bits.isEmpty ? common : bits[index]) }

    public mutating func append(_ figure: Figure) { append(Self.bits(of: figure)) }

    /// Those of the other come behind.
    public mutating func append(_ other: Self) {
        for index in 0..<other.count { append(other.bits.isEmpty ? other.common : other.bits[index]) }
    }

    public var areSame: Bool { bits.isEmpty }

    private mutating func append(_ new: UInt64) {
        if count == 0 { common = new }
        if bits.isEmpty, new != common { bits = Array(repeating: common, count: count) }
        count += 1
        if new != common || !bits.isEmpty { bits.append(tightly: new) }
    }

    // No figure is negative: the sign says that it is no less. What never comes is infinite, and what was not measured is no number.
    private static func bits(of figure: Figure) -> UInt64 {
        switch figure {
        case .value(let value): value.double.bitPattern
        case .atLeast(let value): (-value.double).bitPattern
        case .never: Double.infinity.bitPattern
        case .nothing: Double.nan.bitPattern
        }
    }

    private static func figure(of bits: UInt64) -> Figure {
        let number = Double(bitPattern: bits)
        if number.isNaN { return .nothing }
        if number.isInfinite { return .never }
        return number.sign == .minus ? .atLeast(Billionths(kept: -number)) : .value(Billionths(kept: number))
    }
}

extension Figure {
    /// As it comes back from a file, where it is the double nearest to it: what was kept and what is new are compared as
    /// such.
    public var kept: Figure {
        switch self {
        case .value(let value): .value(Billionths(kept: value.double))
        case .atLeast(let value): .atLeast(Billionths(kept: value.double))
        case .never, .nothing: self
        }
    }
}

extension Billionths {
    public init(kept number: Double) { self.init(count: Int128(exactly: (number * 1e9).rounded()) ?? .max / 2) }
}
