/// A change in a scenario's timeline, such as a lost network, as a diagram shows it.
package struct TimelineMarker: Hashable, Sendable {
    package enum Effect: Hashable, Sendable {
        /// The interface gets or loses its address.
        case path(Interface, isUp: Bool)
        /// The interface begins or stops carrying packets.
        case coverage(Interface, isThere: Bool)
        case app(isInFront: Bool)
        case screen(isOn: Bool)
        case process(isEnded: Bool)
        case server(isThere: Bool)
        /// A change without its own row in the diagram.
        case other
    }

    /// A short title: "dead zone on cellular".
    package var title: String
    package var effect: Effect

    package init(_ title: String, _ effect: Effect = .other) {
        self.title = title
        self.effect = effect
    }
}
