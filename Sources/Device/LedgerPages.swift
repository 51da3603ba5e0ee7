import DeadzoneBase

/// Counters of a ledger, in pages. A page has the counters of one technology of two radios.
///
/// Page 0 has the technologies of the common interfaces at the start. Further interfaces have one technology, so a page
/// has two of them. Pages are added at the first write, because most phones have one technology and no further
/// interface.
struct LedgerPages: Hashable, Sendable {
    private(set) var times: [Int128]
    private(set) var octets: [Int128]

    private static let levels = PowerLevel.allCases.count
    private static let directions = Direction.allCases.count
    private static let causes = Cause.allCases.count
    private static let timesOfPage = 2 * levels * causes
    private static let octetsOfPage = 2 * directions * causes

    /// The counters of one radio: the number of its page, and 0 or 1 on it.
    struct RadioPlace {
        let page: Int
        let slot: Int

        /// - Precondition: A further interface has one technology.
        init(_ interface: Interface, technology: Int) {
            let number = Int(interface.rawValue)
            slot = number & 1
            page = number < 2 ? technology : number / 2 - 1
        }
    }

    init(count: Int) {
        times = Array(repeating: 0, count: count * Self.timesOfPage)
        octets = Array(repeating: 0, count: count * Self.octetsOfPage)
    }

    var count: Int { times.count / Self.timesOfPage }

    mutating func addPages(upTo page: Int) {
        let missing = page + 1 - count
        guard missing > 0 else { return }
        times += Array(repeating: 0, count: missing * Self.timesOfPage)
        octets += Array(repeating: 0, count: missing * Self.octetsOfPage)
    }

    mutating func add(_ nanoseconds: Int128, _ place: RadioPlace, _ level: PowerLevel, _ cause: Cause) {
        addPages(upTo: place.page)
        times[Self.row(place, level) + Int(cause.rawValue)] += nanoseconds
    }

    mutating func add(bytes: Int128, _ place: RadioPlace, _ direction: Direction, _ cause: Cause) {
        addPages(upTo: place.page)
        octets[Self.row(place, direction) + Int(cause.rawValue)] += bytes
    }

    mutating func merge(_ other: Self) {
        addPages(upTo: other.count - 1)
        for index in other.times.indices { times[index] += other.times[index] }
        for index in other.octets.indices { octets[index] += other.octets[index] }
    }

    /// Nanoseconds of each cause, in the order of raw values; empty if there is no such page.
    func times(_ place: RadioPlace, _ level: PowerLevel) -> ArraySlice<Int128> {
        guard place.page < count else { return [] }
        let first = Self.row(place, level)
        return times[first..<first + Self.causes]
    }

    /// Bytes of each cause, in the order of raw values; empty if there is no such page.
    func octets(_ place: RadioPlace, _ direction: Direction) -> ArraySlice<Int128> {
        guard place.page < count else { return [] }
        let first = Self.row(place, direction)
        return octets[first..<first + Self.causes]
    }

    /// Calls the body for each nonzero time of one radio. Most levels have no time.
    func forEachTime(_ place: RadioPlace, _ body: (PowerLevel, Cause, _ nanoseconds: Int128) -> Void) {
        guard place.page < count else { return }
        let first = Self.row(place, PowerLevel.allCases[0])
        for index in 0..<Self.levels * Self.causes where times[first + index] != 0 {
            body(PowerLevel.allCases[index / Self.causes], Cause.allCases[index % Self.causes], times[first + index])
        }
    }

    /// Calls the body for each nonzero byte count of one radio.
    func forEachBytes(_ place: RadioPlace, _ body: (Direction, Cause, _ bytes: Int128) -> Void) {
        guard place.page < count else { return }
        let first = Self.row(place, Direction.allCases[0])
        for index in 0..<Self.directions * Self.causes where octets[first + index] != 0 {
            body(Direction.allCases[index / Self.causes], Cause.allCases[index % Self.causes], octets[first + index])
        }
    }

    private static func row(_ place: RadioPlace, _ level: PowerLevel) -> Int {
        ((place.page * 2 + place.slot) * levels + Int(level.rawValue)) * causes
    }

    private static func row(_ place: RadioPlace, _ direction: Direction) -> Int {
        ((place.page * 2 + place.slot) * directions + Int(direction.rawValue)) * causes
    }
}

extension LedgerPages: BinaryCodable {
    mutating func code(through coder: inout BinaryCoder) {
        coder.code(growing: &times)
        coder.code(growing: &octets)
        coder.require((times + octets).allSatisfy(BinaryCoder.validSums.contains))
        let pages = count
        let isComplete = times.count == pages * Self.timesOfPage && octets.count == pages * Self.octetsOfPage
        guard !isComplete || pages > 256 else { return }
        coder.markCorrupt()
        self = LedgerPages(count: 0)
    }
}
