/// An array with elements that keep their addresses for the lifetime of the array.
@usableFromInline package struct PinnedArray<Element>: ~Copyable {
    @usableFromInline let base: UnsafeMutablePointer<Element>
    @usableFromInline package let count: Int

    @inlinable package init(_ elements: [Element]) {
        count = elements.count
        base = .allocate(capacity: max(count, 1))
        for (index, element) in elements.enumerated() { (base + index).initialize(to: element) }
    }

    @inlinable deinit {
        base.deinitialize(count: count)
        base.deallocate()
    }

    @inlinable
    package subscript(index: Int) -> UnsafePointer<Element> {
        precondition(index < count, "element \(index) of \(count)")
        return UnsafePointer(base + index)
    }
}
