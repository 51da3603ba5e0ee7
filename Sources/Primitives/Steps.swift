/// What a value asks of whoever drives it, in the order in which it wants it done. It is done one by one, and what one of them
/// leads to is done before the next:
///
///     let asked = steps.begin()
///     for index in asked { do steps[index]; if steps.hasMore { the same for what that has led to } }
///     steps.end(asked)
///
/// Inlined, it is made for each kind of step, which a generic value of another module is not.
public struct Steps<Step: BitwiseCopyable>: ~Copyable {
    @usableFromInline var places: UnsafeMutablePointer<Step>
    @usableFromInline var capacity = 16
    @usableFromInline var kept = 0
    /// Somebody is about to do what lies below this.
    @usableFromInline var begun = 0

    public var count: Int { kept }

    @inlinable public init() { places = .allocate(capacity: capacity) }

    @inlinable deinit { places.deallocate() }

    @inlinable public mutating func append(_ step: Step) {
        if kept == capacity { grow() }
        (places + kept).initialize(to: step)
        kept += 1
    }

    /// Something was asked that nobody has begun to do.
    @inlinable public var hasMore: Bool { begun < kept }

    /// What was asked since the last call is done next, in this order.
    @inlinable public mutating func begin() -> Range<Int> {
        defer { begun = kept }
        return Range(uncheckedBounds: (begun, kept))
    }

    /// What it asks for does not change while it is done; where it lies does.
    @inlinable public subscript(index: Int) -> Step {
        unsafeAddress { UnsafePointer(places + index) }
    }

    /// These are done, and all that they have led to.
    @inlinable public mutating func end(_ asked: Range<Int>) {
        precondition(kept == begun, "\(kept - begun) steps were asked for and not done")
        kept = asked.lowerBound
        begun = kept
    }

    @usableFromInline mutating func grow() {
        let larger = UnsafeMutablePointer<Step>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: places, count: kept)
        places.deallocate()
        places = larger
        capacity *= 2
    }
}
