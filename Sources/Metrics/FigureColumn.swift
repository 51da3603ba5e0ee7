/// The values of one metric in all replicas, as stored in a file. Each is stored as the nearest double. The column
/// takes eight bytes per value, or none if all values are equal.
package struct FigureColumn: Hashable, Sendable, RandomAccessCollection {
    package private(set) var count = 0
    private var common: UInt64 = 0
    /// Empty while all values equal `common`.
    private var bits: [UInt64] = []

    package init() {}

    package init(_ figures: some Sequence<Figure>) {
        for figure in figures { append(figure) }
    }

    package init(repeating figure: Figure, count: Int) {
        self.count = count
        common = Self.bits(of: figure)
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { count }

    package subscript(index: Int) -> Figure { Self.figure(of: bits.isEmpty ? common : bits[index]) }

    package mutating func append(_ figure: Figure) { append(Self.bits(of: figure)) }

    /// Appends the values of the other column.
    package mutating func append(_ other: Self) {
        for index in 0..<other.count { append(other.bits.isEmpty ? other.common : other.bits[index]) }
    }

    package var isConstant: Bool { bits.isEmpty }

    private mutating func append(_ new: UInt64) {
        if count == 0 { common = new }
        if bits.isEmpty, new != common { bits = Array(repeating: common, count: count) }
        count += 1
        if new != common || !bits.isEmpty { bits.append(tightly: new) }
    }

    // Encoding in one double. Figures are never negative, so a negative sign marks a lower bound (`atLeast`). Infinity
    // means `never`, and NaN means `nothing`.
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
        return number.sign == .minus ? .atLeast(Billionths(stored: -number)) : .value(Billionths(stored: number))
    }
}

extension Figure {
    /// The value after a round trip through a file, which stores the nearest double. Stored and new results are
    /// compared in this form.
    package var stored: Figure {
        switch self {
        case .value(let value): .value(Billionths(stored: value.double))
        case .atLeast(let value): .atLeast(Billionths(stored: value.double))
        case .never, .nothing: self
        }
    }
}

extension Billionths {
    package init(stored number: Double) { self.init(count: Int128(exactly: (number * 1e9).rounded()) ?? .max / 2) }
}
