import Synchronization

/// A marker field that keeps a noncopyable struct at a fixed address, so that the compiler borrows it by reference. The
/// compiler (Swift 6.3) otherwise copies a large struct of plain fields at each borrow: kilobytes per event, even for a
/// noncopyable struct. The atomic in this type is never read.
package struct AddressStable: ~Copyable, Sendable {
    private let atom = Atomic<Bool>(false)

    package init() {}
}
