/// The connections of a phone by slot, each at a place of its own: the hot loop reads and writes single fields. A slot that was
/// never used shares a line of the stage's that is closed and stays so: few clients ever open a second connection.
struct Lines {
    private let unused: UnsafeMutablePointer<Line>
    private var first: UnsafeMutablePointer<Line>
    private var second: UnsafeMutablePointer<Line>

    init(unused: UnsafeMutablePointer<Line>) {
        self.unused = unused
        first = unused
        second = unused
    }

    /// How many places are taken.
    var count: Int { (first == unused ? 0 : 1) + (second == unused ? 0 : 1) }

    subscript(slot: Int) -> Line {
        unsafeAddress { UnsafePointer(slot == 0 ? first : second) }
        nonmutating unsafeMutableAddress { slot == 0 ? first : second }
    }

    /// Another connection takes the slot.
    mutating func renew(_ slot: Int, _ line: consuming Line) {
        if slot == 0 { Self.renew(&first, unused, line) } else { Self.renew(&second, unused, line) }
    }

    private static func renew(
        _ place: inout UnsafeMutablePointer<Line>, _ unused: UnsafeMutablePointer<Line>, _ line: consuming Line
    ) {
        if place == unused { place = .allocate(capacity: 1) } else { place.deinitialize(count: 1) }
        place.initialize(to: line)
    }

    func deallocate() {
        if first != unused { first.deinitialize(count: 1).deallocate() }
        if second != unused { second.deinitialize(count: 1).deallocate() }
    }
}
