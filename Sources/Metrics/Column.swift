/// One whole number of every replica, none negative, in as few bytes as the largest of them takes; in none where all are the
/// same.
struct Column: Sendable {
    private enum Numbers {
        case none
        case four([UInt32])
        case eight([Int64])
        case sixteen([Int128])

        /// What one number takes.
        var width: Int {
            switch self {
            case .none: 0
            case .four: 4
            case .eight: 8
            case .sixteen: 16
            }
        }
    }

    private(set) var count = 0
    /// The first of them, and each where all are the same.
    private var all: Int128 = 0
    private var numbers = Numbers.none

    var areSame: Bool { bytesEach == 0 }
    /// What one more number takes.
    var bytesEach: Int { numbers.width }
    var bytes: Int {
        let capacity =
            switch numbers {
            case .none: 0
            case .four(let narrow): narrow.capacity
            case .eight(let middle): middle.capacity
            case .sixteen(let wide): wide.capacity
            }
        return capacity * bytesEach + MemoryLayout<Self>.size
    }

    subscript(index: Int) -> Int128 {
        switch numbers {
        case .none: all
        case .four(let narrow): Int128(narrow[index])
        case .eight(let middle): Int128(middle[index])
        case .sixteen(let wide): wide[index]
        }
    }

    mutating func append(_ value: Int128) {
        precondition(value >= 0, "\(value) is negative")
        if count == 0 { all = value }
        if !areSame || value != all { widen(toHold: value) }
        count += 1
        // What is written on must be held by nobody else meanwhile.
        let known = numbers
        numbers = .none
        switch consume known {
        case .none: break
        case .four(var narrow):
            narrow.append(tightly: UInt32(value))
            numbers = .four(narrow)
        case .eight(var middle):
            middle.append(tightly: Int64(value))
            numbers = .eight(middle)
        case .sixteen(var wide):
            wide.append(tightly: value)
            numbers = .sixteen(wide)
        }
    }

    mutating func append(_ other: Self) {
        if count == 0 {
            self = other
        } else if areSame, other.areSame, all == other.all {
            count += other.count
        } else {
            for index in 0..<other.count { append(other[index]) }
        }
    }

    private mutating func widen(toHold value: Int128) {
        let largest = areSame ? max(value, all) : value
        let width = largest <= UInt32.max ? 4 : largest <= Int64.max ? 8 : 16
        guard width > bytesEach else { return }
        let known = (0..<count).map { self[$0] }
        numbers =
            switch width {
            case 4: .four(known.map { UInt32($0) })
            case 8: .eight(known.map { Int64($0) })
            default: .sixteen(known)
            }
    }

    var sum: Int128 {
        areSame ? all * Int128(count) : (0..<count).reduce(0) { $0 + self[$1] }
    }

    /// Of each draw, in which a number counts as often as its replica was drawn: as often in all as there are numbers.
    func sums(_ draws: Bootstrap) -> DrawSums {
        switch numbers {
        case .none: return .alike(all * Int128(count))
        case .four(let narrow):
            return .words(draws.sums(narrow.map { Int64($0) }))
        case .eight(let middle):
            if middle.allSatisfy({ $0 <= Int64.max / Int64(middle.count) }) { return .words(draws.sums(middle)) }
            return .wide(middle.withUnsafeBufferPointer { middle in draws.map { Self.wideSum(middle, $0) } })
        case .sixteen(let wide):
            return .wide(draws.map { weights in wide.indices.reduce(0) { $0 + wide[$1] * Int128(weights[$1]) } })
        }
    }

    /// In halves, so that neither sum overflows.
    private static func wideSum(_ numbers: UnsafeBufferPointer<Int64>, _ weights: Weights) -> Int128 {
        var (high, low) = (UInt64(0), UInt64(0))
        for index in numbers.indices {
            let (value, weight) = (UInt64(bitPattern: numbers[index]), UInt64(weights[index]))
            high &+= (value >> 32) &* weight
            low &+= (value & 0xffff_ffff) &* weight
        }
        return Int128(high) << 32 + Int128(low)
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
