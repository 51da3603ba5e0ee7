/// A struct that holds one is lent by its address wherever it is borrowed, and can still be copied. Without it today's compiler
/// (Swift 6.3) copies a large struct of plain fields for each call of one of its methods; with an existential in it, it does not.
/// All are equal; nobody reads one.
public struct Lent: Hashable, Sendable {
    private let nothing: (any Sendable)? = nil

    public init() {}

    public static func == (one: Lent, other: Lent) -> Bool { true }
    public func hash(into hasher: inout Hasher) {}
}
