/// Who does work that is split by index: threads, where somebody has them. Who did which part cannot show in the result.
public protocol Hands {
    /// What the body makes of every index below `count`, in order; nil where it was stopped before.
    func each<Result: Sendable>(_ count: Int, _ body: @Sendable (Int) -> Result) -> [Result?]
}

/// One after the other.
public struct OneHand: Hands {
    public init() {}

    public func each<Result: Sendable>(_ count: Int, _ body: @Sendable (Int) -> Result) -> [Result?] {
        (0..<count).map(body)
    }
}
