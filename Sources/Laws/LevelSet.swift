import DeadzoneBase

/// A set of power levels with one bit for each, because `Set` hashes a level at each lookup.
struct LevelSet: ExpressibleByArrayLiteral, Sendable {
    private var bits: UInt32 = 0

    init(_ levels: [PowerLevel]) {
        for level in levels { insert(level) }
    }

    init(arrayLiteral levels: PowerLevel...) { self.init(levels) }

    var isEmpty: Bool { bits == 0 }

    var members: [PowerLevel] { PowerLevel.allCases.filter(contains) }

    func contains(_ level: PowerLevel) -> Bool { bits & Self.bit(level) != 0 }

    mutating func insert(_ level: PowerLevel) { bits |= Self.bit(level) }

    mutating func formUnion(_ other: LevelSet) { bits |= other.bits }

    func union(_ other: LevelSet) -> LevelSet {
        var sum = self
        sum.formUnion(other)
        return sum
    }

    func subtracting(_ other: LevelSet) -> LevelSet {
        var rest = self
        rest.bits &= ~other.bits
        return rest
    }

    private static func bit(_ level: PowerLevel) -> UInt32 { 1 << UInt32(level.rawValue) }
}
