package import DeadzoneBase

/// Sums of radio time and bytes, of one phone or many: nanoseconds by interface, power level and cause; bytes by
/// interface, direction and cause. Each technology of a cellular radio has its own pages, because its powers differ.
/// Integers only, so that neither the times at which periods are closed nor the order of merging affects the sums. The
/// integers are 128 bits wide, because a million phones spend 2^63 nanoseconds in two and a half hours.
package struct Ledger: Hashable, Sendable {
    /// Wi-Fi and cellular: one page for each technology.
    private var common = LedgerPages(count: 1)
    /// All other interfaces.
    private var further = LedgerPages(count: 0)

    package init() {}

    // MARK: Writing

    package mutating func add(_ residency: Residency, on interface: Interface, tails: TailAttribution = .latest) {
        residency.forEachShare(tails) { cause, span in
            add(span, at: residency.level, for: cause, on: interface)
        }
    }

    package mutating func add(
        _ span: TimeSpan, at level: PowerLevel, for cause: Cause, on interface: Interface, technology: UInt8 = 0
    ) {
        let place = LedgerPages.RadioPlace(interface, technology: Int(technology))
        if Self.isCommon(interface) {
            common.add(Int128(span.nanoseconds), place, level, cause)
        } else {
            further.add(Int128(span.nanoseconds), place, level, cause)
        }
    }

    package mutating func add(
        bytes: Int64, _ direction: Direction, for cause: Cause, on interface: Interface, technology: UInt8 = 0
    ) {
        let place = LedgerPages.RadioPlace(interface, technology: Int(technology))
        if Self.isCommon(interface) {
            common.add(bytes: Int128(bytes), place, direction, cause)
        } else {
            further.add(bytes: Int128(bytes), place, direction, cause)
        }
    }

    package mutating func merge(_ other: Ledger) {
        common.merge(other.common)
        further.merge(other.further)
    }

    // MARK: Reading

    /// The interfaces that have pages (counters) in the ledger.
    package var interfaces: Interfaces {
        Interfaces(min(Interface.common.count + 2 * further.count, Interface.allCases.count))
    }

    /// Number of radio technologies that have pages (counters) in the ledger.
    package var technologies: Int { common.count }

    package func nanoseconds(
        at level: PowerLevel, for cause: Cause, on interface: Interface, technology: Int
    ) -> Int128 {
        let row = times(interface, level, technology)
        return row.isEmpty ? 0 : row[row.startIndex + Int(cause.rawValue)]
    }

    package func bytes(
        _ direction: Direction, for cause: Cause, on interface: Interface, technology: Int
    ) -> Int128 {
        let row = octets(interface, direction, technology)
        return row.isEmpty ? 0 : row[row.startIndex + Int(cause.rawValue)]
    }

    package func nanoseconds(at level: PowerLevel, for cause: Cause, on interface: Interface) -> Int128 {
        (0..<technologies).reduce(0) { $0 + nanoseconds(at: level, for: cause, on: interface, technology: $1) }
    }

    package func bytes(_ direction: Direction, for cause: Cause, on interface: Interface) -> Int128 {
        (0..<technologies).reduce(0) { $0 + bytes(direction, for: cause, on: interface, technology: $1) }
    }

    package func nanoseconds(in state: RadioState, on interface: Interface) -> Int128 {
        var sum: Int128 = 0
        for technology in 0..<technologies {
            for level in PowerLevel.allCases where level.state == state {
                for time in times(interface, level, technology) { sum += time }
            }
        }
        return sum
    }

    /// Nanoseconds of the interface in each radio state, in the order of raw values.
    package func nanosecondsByState(on interface: Interface) -> [Int128] {
        var sums = [Int128](repeating: 0, count: RadioState.allCases.count)
        for technology in 0..<technologies {
            forEachTime(on: interface, technology: technology) { level, _, span in
                sums[Int(level.state.rawValue)] += span
            }
        }
        return sums
    }

    /// Calls the body for each level and cause with nonzero time in one technology. Most levels have no time.
    func forEachTime(
        on interface: Interface, technology: Int, _ body: (PowerLevel, Cause, _ nanoseconds: Int128) -> Void
    ) {
        pages(of: interface, technology)?.forEachTime(LedgerPages.RadioPlace(interface, technology: technology), body)
    }

    /// Calls the body for each direction and cause with a nonzero byte count in one technology.
    func forEachBytes(
        on interface: Interface, technology: Int, _ body: (Direction, Cause, _ bytes: Int128) -> Void
    ) {
        pages(of: interface, technology)?.forEachBytes(LedgerPages.RadioPlace(interface, technology: technology), body)
    }

    /// All time of this interface in the ledger: the elapsed time, summed over phones.
    package func nanoseconds(on interface: Interface) -> Int128 {
        RadioState.allCases.reduce(0) { $0 + nanoseconds(in: $1, on: interface) }
    }

    package func bytes(_ direction: Direction, on interface: Interface) -> Int128 {
        var sum: Int128 = 0
        for technology in 0..<technologies {
            for bytes in octets(interface, direction, technology) { sum += bytes }
        }
        return sum
    }

    // MARK: Reading the ledger of few phones, with times that fit into a span

    package func time(at level: PowerLevel, for cause: Cause, on interface: Interface) -> TimeSpan {
        TimeSpan(nanoseconds: Int64(clamping: nanoseconds(at: level, for: cause, on: interface)))
    }

    package func time(in state: RadioState, on interface: Interface) -> TimeSpan {
        TimeSpan(nanoseconds: Int64(clamping: nanoseconds(in: state, on: interface)))
    }

    package func time(on interface: Interface) -> TimeSpan {
        TimeSpan(nanoseconds: Int64(clamping: nanoseconds(on: interface)))
    }

    // MARK: Layout

    private static func isCommon(_ interface: Interface) -> Bool { interface == .wifi || interface == .cellular }

    /// The pages with the counters of a radio; `nil` for a second technology of a further interface, which has none.
    private func pages(of interface: Interface, _ technology: Int) -> LedgerPages? {
        Self.isCommon(interface) ? common : technology == 0 ? further : nil
    }

    /// Nanoseconds of each cause; empty if nothing was recorded.
    private func times(_ interface: Interface, _ level: PowerLevel, _ technology: Int) -> ArraySlice<Int128> {
        pages(of: interface, technology)?.times(LedgerPages.RadioPlace(interface, technology: technology), level) ?? []
    }

    /// Bytes of each cause; empty if nothing was recorded.
    private func octets(_ interface: Interface, _ direction: Direction, _ technology: Int) -> ArraySlice<Int128> {
        pages(of: interface, technology)?.octets(LedgerPages.RadioPlace(interface, technology: technology), direction)
            ?? []
    }
}

extension Ledger: BinaryCodable {
    package mutating func code(through coder: inout BinaryCoder) {
        coder.code(&common)
        coder.code(&further)
        guard common.count < 1 else { return }
        coder.markCorrupt()
        self = Ledger()
    }
}
