public import DeadzonePrimitives

/// One change of a scenario's timeline, as far as a picture shows it.
public struct Scene: Hashable, Sendable {
    public enum Effect: Hashable, Sendable {
        /// The interface gets, or loses, its address.
        case path(Interface, isUp: Bool)
        /// Packets cross the interface, or nothing does.
        case coverage(Interface, isThere: Bool)
        case app(isInFront: Bool)
        case screen(isOn: Bool)
        case process(isEnded: Bool)
        case server(isThere: Bool)
        /// It has no lane of its own.
        case other
    }

    /// A few words: "dead zone on cellular".
    public var title: String
    public var effect: Effect

    public init(_ title: String, _ effect: Effect = .other) {
        self.title = title
        self.effect = effect
    }
}
