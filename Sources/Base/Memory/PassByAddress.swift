/// A marker field that makes the compiler pass a struct by address wherever it is borrowed. The struct can still be
/// copied. Without the marker the compiler (Swift 6.3) copies a large struct of plain fields for each method call; with
/// an existential in it, it does not. All values of this type are equal, and none is read.
package struct PassByAddress: Hashable, Sendable {
    private let nothing: (any Sendable)? = nil

    package init() {}

    package static func == (one: PassByAddress, other: PassByAddress) -> Bool { true }
    package func hash(into hasher: inout Hasher) {}
}
