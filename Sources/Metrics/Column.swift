/// One whole number of every replica, none negative, in as few bytes as the largest of them takes; in none where all are the
/// same.
struct Column: Sendable {
    private enum Width: Int, Comparable {
        case none = 0
        case four = 4
        case eight = 8
        case sixteen = 16

        init(of value: Int128) { self = value <= UInt32.max ? .four : value <= Int64.max ? .eight : .sixteen }
        static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    private(set) var count = 0
    private var width = Width.none
    private var all: Int128 = 0
    private var narrow: [UInt32] = []
    private var middle: [Int64] = []
    private var wide: [Int128] = []

    var areSame: Bool { width == .none }
    /// What one more number takes.
    var bytesEach: Int { width.rawValue }
    var bytes: Int { narrow.capacity * 4 + middle.capacity * 8 + wide.capacity * 16 + MemoryLayout<Self>.size }

    subscript(index: Int) -> Int128 {
        switch width {
        case .none: all
        case .four: Int128(narrow[index])
        case .eight: Int128(middle[index])
        case .sixteen: wide[index]
        }
    }

    mutating func append(_ value: Int128) {
        precondition(value >= 0, "\(value) is negative")
        if count == 0 { all = value }
        if width != .none || value != all { widen(to: max(width, Width(of: value))) }
        count += 1
        switch width {
        case .none: break
        case .four: narrow.append(tightly: UInt32(value))
        case .eight: middle.append(tightly: Int64(value))
        case .sixteen: wide.append(tightly: value)
        }
    }

    mutating func append(_ other: Self) {
        for index in 0..<other.count { append(other[index]) }
    }

    private mutating func widen(to wanted: Width) {
        let wanted = width == .none ? max(wanted, Width(of: all)) : wanted
        guard wanted != width else { return }
        let known = (0..<count).map { self[$0] }
        (narrow, middle, wide, width) = ([], [], [], wanted)
        switch wanted {
        case .none: break
        case .four: narrow = known.map { UInt32($0) }
        case .eight: middle = known.map { Int64($0) }
        case .sixteen: wide = known
        }
    }

    var sum: Int128 {
        width == .none ? all * Int128(count) : (0..<count).reduce(0) { $0 + self[$1] }
    }

    /// Each as often as its weight says; there are as many weights in all as numbers.
    func sum(_ weights: Weights) -> Int128 {
        switch width {
        case .none: return all * Int128(count)
        case .four:
            return narrow.withUnsafeBufferPointer { narrow in
                var sum: UInt64 = 0
                for index in 0..<count { sum &+= UInt64(narrow[index]) &* UInt64(weights[index]) }
                return Int128(sum)
            }
        case .eight:
            return middle.withUnsafeBufferPointer { middle in
                // In halves, so that neither sum overflows.
                var (high, low) = (UInt64(0), UInt64(0))
                for index in 0..<count {
                    let (value, weight) = (UInt64(bitPattern: middle[index]), UInt64(weights[index]))
                    high &+= (value >> 32) &* weight
                    low &+= (value & 0xffff_ffff) &* weight
                }
                return Int128(high) << 32 + Int128(low)
            }
        case .sixteen:
            var sum: Int128 = 0
            for index in 0..<count { sum += wide[index] * Int128(weights[index]) }
            return sum
        }
    }
}

extension Array {
    /// Room for an eighth more than there is, not for twice as many: what is kept of each replica has a bound.
    mutating func makeRoom(for more: Int) {
        let wanted = count + more
        if capacity < wanted { reserveCapacity(wanted + wanted / 8) }
    }

    mutating func append(tightly element: Element) {
        makeRoom(for: 1)
        append(element)
    }
}
