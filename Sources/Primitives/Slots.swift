/// Two values by number, each at a place of its own: single fields are read and written where they are. A slot that was never
/// used shares a place with all others that were not, which nobody writes to: few phones ever use their second.
public struct Slots<Element: ~Copyable>: ~Copyable {
    @usableFromInline let unused: UnsafeMutablePointer<Element>
    @usableFromInline var first: UnsafeMutablePointer<Element>
    @usableFromInline var second: UnsafeMutablePointer<Element>

    @inlinable public init(unused: UnsafeMutablePointer<Element>) {
        self.unused = unused
        first = unused
        second = unused
    }

    @inlinable deinit {
        if first != unused { first.deinitialize(count: 1).deallocate() }
        if second != unused { second.deinitialize(count: 1).deallocate() }
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
        if place == unused { place = .allocate(capacity: 1) } else { place.deinitialize(count: 1) }
        place.initialize(to: element)
        if slot == 0 { first = place } else { second = place }
    }
}
