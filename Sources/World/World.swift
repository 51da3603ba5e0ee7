public import DeadzoneDevice
public import DeadzoneMessages
public import DeadzoneNetwork
public import DeadzonePrimitives
public import DeadzoneServer
public import DeadzoneSystem
public import DeadzoneTransport

/// A compiled scenario without its strategies: everything that can happen to a phone whatever its client does.
/// A `World` that exists is a world that runs; who makes one has checked it.
public struct World: Sendable {
    public var horizon: Instant
    /// How many phones run side by side in each replica.
    public var phones: Int
    public var wifi: RadioProfile?
    public var cellular: RadioProfile?
    /// What else the cellular radio can be: `Change.technology` counts `cellular` as 0 and goes on here.
    public var cellularAlternates: [RadioProfile] = []
    public var wifiLink: LinkProfile
    public var cellularLink: LinkProfile
    /// What `Change.conditions` switches to: number 1 is the first of them, 0 the link above.
    public var wifiConditions: [LinkProfile] = []
    public var cellularConditions: [LinkProfile] = []
    public var middleboxes = Middleboxes()
    /// Nil: a client that connects has the address.
    public var resolver: Resolver?
    /// In order of time; equal times in the order of the file.
    public var timeline: [TimelineEntry]
    public var traffic: Traffic
    /// Who takes the messages in the app; nil: whatever is handed over is seen at once.
    public var consumer: Consumer?
    public var server: ServerProfile
    /// The operating system; nil: none, a phone that never sleeps and an app that always runs.
    public var platform: Platform?
    /// Whose TCP the phone has; nil: its system's, or that of Linux as it is today.
    public var ownKernel: Kernel?
    /// The other programs of the phone.
    public var tenants: [Tenant]
    /// Who pays for a tail that several causes kept alive.
    public var tailAttribution: TailAttribution
    /// Different people, each by a world of their own; empty: all phones live by this one.
    public internal(set) var groups: [PopulationGroup] = []
    /// Nil: that of this world alone.
    var shelf: RadioShelf?

    public init(
        horizon: Instant, phones: Int = 1, wifi: RadioProfile? = nil, cellular: RadioProfile? = nil,
        wifiLink: LinkProfile = .none, cellularLink: LinkProfile = .none, timeline: [TimelineEntry] = [],
        traffic: Traffic = Traffic(), server: ServerProfile = ServerProfile(),
        platform: Platform? = nil, tenants: [Tenant] = [],
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
        precondition(tenants.count <= Tenant.most, "a phone holds \(Tenant.most) other programs, not \(tenants.count)")
        self.platform = platform
        self.tenants = tenants
        self.tailAttribution = tailAttribution
    }

    public var kernel: Kernel {
        if let ownKernel { return ownKernel }
        guard let platform else { return .linux }
        return platform.family == .ios ? .xnu : .android(platform.release)
    }

    /// Phones meet at the server: lanes run in rounds.
    public var isCoupled: Bool { server.isShared }

    /// What becomes of single instances of the server, in order of time.
    public var instanceEvents: [InstanceEvent] {
        timeline.compactMap { entry in
            guard case .instance(let number, let change) = entry.change else { return nil }
            return InstanceEvent(at: entry.at, number, change)
        }
    }

    /// The quickest that anything of the server can reach a phone: no round of a coupled world is longer.
    public var roundLength: TimeSpan {
        var length = groups.map(\.world.roundLength).min() ?? .longest
        if wifi != nil { for link in conditions(of: .wifi) { length = min(length, link.down.floor) } }
        if cellular != nil { for link in conditions(of: .cellular) { length = min(length, link.down.floor) } }
        return length
    }

    /// The phone has the interface.
    public func has(_ interface: Interface) -> Bool { (interface == .wifi ? wifi : cellular) != nil }

    /// Every link that the interface may have, by number.
    public func conditions(of interface: Interface) -> [LinkProfile] {
        interface == .wifi ? [wifiLink] + wifiConditions : [cellularLink] + cellularConditions
    }
}

extension LinkProfile {
    /// Of an interface that the phone does not have.
    public static let none = LinkProfile(
        up: LinkDirection(delay: .constant(0), floor: .zero, bitsPerSecond: 1, loss: .independent(.one)),
        down: LinkDirection(delay: .constant(0), floor: .zero, bitsPerSecond: 1, loss: .independent(.one)))
}

/// The boxes behind each interface, from the phone outwards, and those that stand before the server.
public struct Middleboxes: Hashable, Sendable {
    public var wifi: [Middlebox] = []
    public var cellular: [Middlebox] = []
    public var server: [Middlebox] = []

    public init() {}

    public func own(_ interface: Interface) -> [Middlebox] { interface == .wifi ? wifi : cellular }
    public func path(of interface: Interface) -> [Middlebox] { own(interface) + server }
}
