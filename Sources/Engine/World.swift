public import DeadzoneDevice
public import DeadzoneNetwork
public import DeadzonePrimitives

/// A compiled scenario without its strategies: everything that can happen to a phone whatever its client does.
/// A `World` that exists is a world that runs; who makes one has checked it.
public struct World: Sendable {
    public var horizon: Instant
    /// How many phones run side by side in each replica.
    public var phones: Int
    public var wifi: RadioProfile?
    public var cellular: RadioProfile?
    public var wifiLink: LinkProfile
    public var cellularLink: LinkProfile
    /// In order of time; equal times in the order of the file.
    public var timeline: [TimelineEntry]
    public var traffic: Traffic
    public var server: ServerProfile
    /// Who pays for a tail that several causes kept alive.
    public var tailAttribution: TailAttribution

    public init(
        horizon: Instant, phones: Int = 1, wifi: RadioProfile? = nil, cellular: RadioProfile? = nil,
        wifiLink: LinkProfile = .none, cellularLink: LinkProfile = .none, timeline: [TimelineEntry] = [],
        traffic: Traffic = Traffic(), server: ServerProfile = ServerProfile(),
        tailAttribution: TailAttribution = .latest
    ) {
        precondition(.zero < horizon && horizon != .never, "a world ends, and not at once: \(horizon.nanoseconds) ns")
        precondition((1...1 << 31).contains(phones), "a world has phones, and fewer than 2^31: \(phones)")
        self.horizon = horizon
        self.phones = phones
        self.wifi = wifi
        self.cellular = cellular
        self.wifiLink = wifiLink
        self.cellularLink = cellularLink
        self.timeline = timeline
        self.traffic = traffic
        self.server = server
        self.tailAttribution = tailAttribution
    }

    /// Phones meet at the server: lanes run in rounds.
    public var isCoupled: Bool { server.acceptsPerSecond != nil }

    /// The quickest that anything of the server can reach a phone: no round of a coupled world is longer.
    public var roundLength: TimeSpan {
        var length = TimeSpan.longest
        if wifi != nil { length = min(length, wifiLink.down.floor) }
        if cellular != nil { length = min(length, cellularLink.down.floor) }
        return length
    }
}

extension LinkProfile {
    /// Of an interface that the phone does not have.
    public static let none = LinkProfile(
        up: LinkDirection(delay: .constant(0), floor: .zero, bitsPerSecond: 1, loss: .independent(.one)),
        down: LinkDirection(delay: .constant(0), floor: .zero, bitsPerSecond: 1, loss: .independent(.one)))
}

public struct ServerProfile: Hashable, Sendable {
    /// New connections that the server can accept in a second, shared by all phones; nil: no limit, phones do not meet.
    public var acceptsPerSecond: UInt32?

    public init(acceptsPerSecond: UInt32? = nil) { self.acceptsPerSecond = acceptsPerSecond }
}
