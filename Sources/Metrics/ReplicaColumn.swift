/// A compact array with one non-negative integer per replica. Each value takes as many bytes as the largest of them
/// needs. If all are equal, only that one value is stored.
struct ReplicaColumn: Equatable, Sendable {
    private enum PackedValues: Equatable {
        case none
        case four([UInt32])
        case eight([Int64])
        case sixteen([Int128])

        /// Bytes per value.
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
    /// The first value. It is the value of every replica while `isConstant` is true.
    private var commonValue: Int128 = 0
    private var packed = PackedValues.none

    var isConstant: Bool { bytesPerValue == 0 }
    /// Bytes that one more value takes.
    var bytesPerValue: Int { packed.width }
    var bytes: Int {
        let capacity =
            switch packed {
            case .none: 0
            case .four(let narrow): narrow.capacity
            case .eight(let middle): middle.capacity
            case .sixteen(let wide): wide.capacity
            }
        return capacity * bytesPerValue + MemoryLayout<Self>.size
    }

    subscript(index: Int) -> Int128 {
        switch packed {
        case .none: commonValue
        case .four(let narrow): Int128(narrow[index])
        case .eight(let middle): Int128(middle[index])
        case .sixteen(let wide): wide[index]
        }
    }

    /// Adds the value of the next replica. A negative value is stored as zero: a run never has one, but counts of a forged
    /// shard can contradict each other.
    mutating func append(_ value: Int128) {
        let value = max(value, 0)
        if count == 0 { commonValue = value }
        if !isConstant || value != commonValue { widen(toHold: value) }
        count += 1
        // Release the stored array first: appending to an array with two references would copy it.
        let known = packed
        packed = .none
        switch consume known {
        case .none: break
        case .four(var narrow):
            narrow.append(tightly: UInt32(value))
            packed = .four(narrow)
        case .eight(var middle):
            middle.append(tightly: Int64(value))
            packed = .eight(middle)
        case .sixteen(var wide):
            wide.append(tightly: value)
            packed = .sixteen(wide)
        }
    }

    mutating func append(_ other: Self) {
        if count == 0 {
            self = other
        } else if isConstant, other.isConstant, commonValue == other.commonValue {
            count += other.count
        } else {
            for index in 0..<other.count { append(other[index]) }
        }
    }

    private mutating func widen(toHold value: Int128) {
        let largest = isConstant ? max(value, commonValue) : value
        let width = largest <= UInt32.max ? 4 : largest <= Int64.max ? 8 : 16
        guard width > bytesPerValue else { return }
        let known = (0..<count).map { self[$0] }
        packed =
            switch width {
            case 4: .four(known.map { UInt32($0) })
            case 8: .eight(known.map { Int64($0) })
            default: .sixteen(known)
            }
    }

    var sum: Int128 {
        isConstant ? commonValue * Int128(count) : (0..<count).reduce(0) { $0 + self[$1] }
    }

    /// Sum of each resample, in which every value counts as often as its replica was drawn. A resample draws as many
    /// replicas as there are values.
    func sums(_ draws: Bootstrap) -> DrawSums {
        switch packed {
        case .none: return .constant(commonValue * Int128(count))
        case .four(let narrow):
            return .words(draws.sums(narrow.map { Int64($0) }))
        case .eight(let middle):
            if middle.allSatisfy({ $0 <= Int64.max / Int64(middle.count) }) { return .words(draws.sums(middle)) }
            return .wide(middle.withUnsafeBufferPointer { middle in draws.map { Self.wideSum(middle, $0) } })
        case .sixteen(let wide):
            return .wide(draws.map { weights in wide.indices.reduce(0) { $0 + wide[$1] * Int128(weights[$1]) } })
        }
    }

    /// Sums the high and low 32-bit halves separately, so that neither sum overflows.
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
    /// Reserves an eighth more than needed instead of doubling the capacity, because the memory per replica has a
    /// bound.
    mutating func reserveTightly(for more: Int) {
        let wanted = count + more
        if capacity < wanted { reserveCapacity(wanted + wanted / 8) }
    }

    mutating func append(tightly element: Element) {
        reserveTightly(for: 1)
        append(element)
    }
}
