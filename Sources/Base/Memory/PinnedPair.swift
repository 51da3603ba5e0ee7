/// Two values, accessed by index, each at its own fixed address, so that single fields are read and written in place.
/// An index that was never used refers to a shared placeholder, which is never written. Few phones ever use the second
/// value.
@usableFromInline package struct PinnedPair<Element: ~Copyable>: ~Copyable {
    @usableFromInline let unused: UnsafeMutablePointer<Element>
    /// Memory in the arena for the first value; `nil` if memory is allocated at first use. The second value is seldom
    /// needed.
    @usableFromInline let arenaSlot: UnsafeMutablePointer<Element>?
    @usableFromInline var first: UnsafeMutablePointer<Element>
    @usableFromInline var second: UnsafeMutablePointer<Element>

    /// Creates a pair without values; both indices refer to the placeholder `unused`.
    /// - Parameter allocator: The allocator of the arena that holds the first value. `nil` allocates memory for it at
    ///   first use.
    @inlinable package init(unused: UnsafeMutablePointer<Element>, in allocator: ArenaAllocator? = nil) {
        self.unused = unused
        arenaSlot = allocator?.allocate(of: Element.self)
        first = unused
        second = unused
    }

    @inlinable deinit {
        if first != unused { destroy(first) }
        if second != unused { destroy(second) }
    }

    @inlinable func destroy(_ place: UnsafeMutablePointer<Element>) {
        place.deinitialize(count: 1)
        if place != arenaSlot { place.deallocate() }
    }

    /// Number of the two values that are in use.
    package var count: Int { (first == unused ? 0 : 1) + (second == unused ? 0 : 1) }

    @inlinable package subscript(slot: Int) -> Element {
        unsafeAddress { UnsafePointer(slot == 0 ? first : second) }
        nonmutating unsafeMutableAddress { slot == 0 ? first : second }
    }

    /// Replaces the value at an index.
    @inlinable package mutating func replace(_ slot: Int, _ element: consuming Element) {
        var place = slot == 0 ? first : second
        if place != unused {
            place.deinitialize(count: 1)
        } else if let arenaSlot, slot == 0 {
            place = arenaSlot
        } else {
            place = .allocate(capacity: 1)
        }
        place.initialize(to: element)
        if slot == 0 { first = place } else { second = place }
    }
}
