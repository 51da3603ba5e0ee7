/// Two values by number, each at a place of its own: single fields are read and written where they are. A slot that was never
/// used shares a place with all others that were not, which nobody writes to: few phones ever use their second.
public struct Slots<Element: ~Copyable>: ~Copyable {
    @usableFromInline let unused: UnsafeMutablePointer<Element>
    /// Where the first lies, if not at a place that is taken when it is needed. The second is seldom needed.
    @usableFromInline let lent: UnsafeMutablePointer<Element>?
    @usableFromInline var first: UnsafeMutablePointer<Element>
    @usableFromInline var second: UnsafeMutablePointer<Element>

    /// - Parameter surveyor: Of the ground that has a place for the first; nil: it takes one of its own with its first value.
    @inlinable public init(unused: UnsafeMutablePointer<Element>, on surveyor: Surveyor? = nil) {
        self.unused = unused
        lent = surveyor?.place(of: Element.self)
        first = unused
        second = unused
    }

    @inlinable deinit {
        if first != unused { giveBack(first) }
        if second != unused { giveBack(second) }
    }

    @inlinable func giveBack(_ place: UnsafeMutablePointer<Element>) {
        place.deinitialize(count: 1)
        if place != lent { place.deallocate() }
    }

    /// How many places are taken.
    public var count: Int { (first == unused ? 0 : 1) + (second == unused ? 0 : 1) }

    @inlinable public subscript(slot: Int) -> Element {
        unsafeAddress { UnsafePointer(slot == 0 ? first : second) }
        nonmutating unsafeMutableAddress { slot == 0 ? first : second }
    }

    /// Another value takes the slot.
    @inlinable public mutating func renew(_ slot: Int, _ element: consuming Element) {
        var place = slot == 0 ? first : second
        if place != unused {
            place.deinitialize(count: 1)
        } else if let lent, slot == 0 {
            place = lent
        } else {
            place = .allocate(capacity: 1)
        }
        place.initialize(to: element)
        if slot == 0 { first = place } else { second = place }
    }
}
