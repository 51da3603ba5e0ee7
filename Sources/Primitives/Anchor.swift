import Synchronization

/// What holds one lives at an address: it is lent by reference. Without it today's compiler copies a large struct of plain
/// fields, kilobytes for each event, wherever it is lent, even one that cannot be copied. Nobody reads it.
public struct Anchor: ~Copyable, Sendable {
    private let atom = Atomic<Bool>(false)

    public init() {}
}
