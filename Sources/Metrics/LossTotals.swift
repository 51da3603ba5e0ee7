package import DeadzoneBase

/// Lost messages and silence: by cause, by place, and by the change of the timeline that led to them. All are sums, so
/// `merge` commutes. Nothing is stored until the first loss.
package struct LossTotals: Equatable, Sendable, BinaryCodable {
    private static let causes = 32
    private static let places = 16

    /// Lost messages by direction, cause and place.
    private var cells: [Int64] = []
    /// Nanoseconds of silence by cause.
    private var silence: [Int128] = []
    /// Lost messages by change and direction; the first change is "none".
    private var byChange: [Int64] = []
    /// Nanoseconds of silence by change; the first change is "none".
    private var silenceByChange: [Int128] = []

    mutating func add(_ loss: MessageLoss, _ direction: Direction) {
        Self.grow(&cells, toHold: 2 * Self.causes * Self.places - 1)
        cells[Self.cell(direction, loss.cause, loss.place)] += Int64(loss.count)
        let index = 2 * (loss.change.map { Int($0) + 1 } ?? 0) + Int(direction.rawValue)
        Self.grow(&byChange, toHold: index)
        byChange[index] += Int64(loss.count)
    }

    mutating func addSilence(_ nanoseconds: Int64, _ tag: SilenceTag) {
        Self.grow(&silence, toHold: Self.causes - 1)
        silence[Int(tag.cause.rawValue)] += Int128(nanoseconds)
        let index = tag.change.map { Int($0) + 1 } ?? 0
        Self.grow(&silenceByChange, toHold: index)
        silenceByChange[index] += Int128(nanoseconds)
    }

    mutating func merge(_ other: Self) {
        Self.merge(&cells, other.cells)
        Self.merge(&silence, other.silence)
        Self.merge(&byChange, other.byChange)
        Self.merge(&silenceByChange, other.silenceByChange)
    }

    package mutating func code(through coder: inout BinaryCoder) {
        coder.code(growing: &cells)
        coder.code(growing: &silence)
        coder.code(growing: &byChange)
        coder.code(growing: &silenceByChange)
        coder.require(cells.isEmpty || cells.count == 2 * Self.causes * Self.places)
        coder.require(silence.isEmpty || silence.count == Self.causes)
        coder.require(byChange.count <= 2 << 16 && silenceByChange.count <= 1 << 16)
        coder.require((cells + byChange).allSatisfy(BinaryCoder.validCounts.contains))
        coder.require((silence + silenceByChange).allSatisfy(BinaryCoder.validSums.contains))
    }

    // MARK: Reading

    package func count(_ direction: Direction, _ cause: LossCause) -> Int64 {
        LossPlace.allCases.reduce(0) { $0 + count(direction, cause, $1) }
    }

    package func count(_ direction: Direction, at place: LossPlace) -> Int64 {
        LossCause.allCases.reduce(0) { $0 + count(direction, $1, place) }
    }

    package func count(_ direction: Direction, _ cause: LossCause, _ place: LossPlace) -> Int64 {
        cells.isEmpty ? 0 : cells[Self.cell(direction, cause, place)]
    }

    /// Lost messages that a change led to; `nil` for those that no change led to.
    package func count(_ direction: Direction, change: Int?) -> Int64 {
        let index = 2 * (change.map { $0 + 1 } ?? 0) + Int(direction.rawValue)
        return index < byChange.count ? byChange[index] : 0
    }

    package func silence(_ cause: LossCause) -> Int128 {
        silence.isEmpty ? 0 : silence[Int(cause.rawValue)]
    }

    /// Nanoseconds of silence that a change led to; `nil` for those that no change led to.
    package func silence(change: Int?) -> Int128 {
        let index = change.map { $0 + 1 } ?? 0
        return index < silenceByChange.count ? silenceByChange[index] : 0
    }

    /// Number of changes that lost messages or silence may be charged to.
    package var changes: Int { max((byChange.count + 1) / 2, silenceByChange.count, 1) - 1 }

    private static func cell(_ direction: Direction, _ cause: LossCause, _ place: LossPlace) -> Int {
        (Int(direction.rawValue) * causes + Int(cause.rawValue)) * places + Int(place.rawValue)
    }

    private static func grow<Number: FixedWidthInteger>(_ numbers: inout [Number], toHold index: Int) {
        if numbers.count <= index { numbers += Array(repeating: 0, count: index + 1 - numbers.count) }
    }

    private static func merge<Number: FixedWidthInteger>(_ numbers: inout [Number], _ others: [Number]) {
        if numbers.count < others.count {
            numbers += Array(repeating: 0, count: others.count - numbers.count)
        }
        for index in others.indices { numbers[index] += others[index] }
    }
}
