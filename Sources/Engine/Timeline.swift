public import DeadzonePrimitives

public struct TimelineEntry: Hashable, Sendable {
    public var at: Instant
    public var change: Change

    public init(at: Instant, _ change: Change) {
        self.at = at
        self.change = change
    }
}

/// One change of conditions. What a user writes as one line (`handoff`, `dead-zone`) is compiled to two of these.
public enum Change: Hashable, Sendable {
    /// The interface gets an address. The operating system tells the app; Wi-Fi is the default wherever there is one.
    case pathUp(Interface)
    /// The interface loses its address; sockets on it die in this manner.
    case pathDown(Interface, OldPath)
    /// Signal of the interface comes or goes; the path stays, and the app is told nothing.
    case coverage(Interface, Bool)
    /// The cellular radio changes cell: data waits for the execution time.
    case cellHandover
    case app(foreground: Bool)
}

/// How the sockets of a lost path learn of it.
public enum OldPath: UInt8, Hashable, Sendable, BitwiseCopyable {
    /// The operating system closes them with an error and says that the network is lost.
    case error
    /// They go on accepting writes that no one will answer; the app hears only of the new network.
    case silent
}
