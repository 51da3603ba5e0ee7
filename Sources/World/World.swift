public import DeadzoneDevice
public import DeadzoneMessages
public import DeadzoneNetwork
public import DeadzonePrimitives
public import DeadzoneServer
public import DeadzoneSystem
public import DeadzoneTransport

/// A compiled scenario without its strategies: everything that can happen to a phone regardless of its client.
///
/// Every `World` can be run: its creator has validated it.
public struct World: Sendable {
    public var horizon: Instant
    /// Number of phones in each replica.
    public var phones: Int
    public var wifi: RadioProfile?
    public var cellular: RadioProfile?
    /// Further cellular radio profiles. `ConditionChange.technology` refers to them by index: 0 is `cellular`, 1 is the
    /// first of these.
    public var cellularAlternates: [RadioProfile] = []
    public var wifiLink: LinkProfile
    public var cellularLink: LinkProfile
    /// Further link conditions of Wi-Fi. `ConditionChange.conditions` refers to them by index: 0 is `wifiLink`, 1 is
    /// the first of these.
    public var wifiConditions: [LinkProfile] = []
    /// Further link conditions of the cellular interface: 0 is `cellularLink`, 1 is the first of these.
    public var cellularConditions: [LinkProfile] = []
    public var middleboxes = Middleboxes()
    /// The DNS resolver; `nil` if a client knows the server's address without resolving it.
    public var resolver: Resolver?
    /// The changes of conditions, sorted by time; equal times keep the order of the file.
    public var timeline: [TimelineEntry]
    public var traffic: Traffic
    /// The app's consumer, which takes time to process messages; `nil` if the app processes each message at once.
    public var consumer: Consumer?
    public var server: ServerProfile
    /// Further versions of the server. `ConditionChange.serverVersion` refers to them by index: 0 is `server`, 1 is the
    /// first of these. They differ from `server` only in rules that a running server can change: history, sessions,
    /// pings and limits of connections.
    public var serverVersions: [ServerProfile] = []
    /// The operating system; `nil` for a phone that never sleeps and an app that always runs.
    public var platform: Platform?
    /// TCP implementation of the phone. If `nil`, the phone uses that of its platform, or current Linux without a
    /// platform.
    public var tcpKernel: Kernel?
    /// The other apps on the phone.
    public var otherApps: [OtherApp]
    /// Rule by which the energy of a radio tail is attributed if several causes kept the radio awake.
    public var tailAttribution: TailAttribution
    /// Population groups with worlds of their own; empty if all phones use this world.
    public internal(set) var groups: [PopulationGroup] = []
    /// Radio profiles of the whole population; `nil` if the population has no groups, and this world's suffice.
    var radioCatalogue: RadioCatalogue?

    public init(
        horizon: Instant, phones: Int = 1, wifi: RadioProfile? = nil, cellular: RadioProfile? = nil,
        wifiLink: LinkProfile = .none, cellularLink: LinkProfile = .none, timeline: [TimelineEntry] = [],
        traffic: Traffic = Traffic(), server: ServerProfile = ServerProfile(),
        platform: Platform? = nil, otherApps: [OtherApp] = [],
        tailAttribution: TailAttribution = .latest
    ) {
        precondition(
            .zero < horizon && horizon != .never, "a world needs a finite horizon above zero: \(horizon.nanoseconds) ns"
        )
        precondition((1...1 << 31).contains(phones), "a world needs 1 to 2^31 phones, not \(phones)")
        self.horizon = horizon
        self.phones = phones
        self.wifi = wifi
        self.cellular = cellular
        self.wifiLink = wifiLink
        self.cellularLink = cellularLink
        self.timeline = timeline
        self.traffic = traffic
        self.server = server
        precondition(
            otherApps.count <= OtherApp.most, "a phone runs at most \(OtherApp.most) other apps, not \(otherApps.count)"
        )
        self.platform = platform
        self.otherApps = otherApps
        self.tailAttribution = tailAttribution
    }

    public var kernel: Kernel {
        if let tcpKernel { return tcpKernel }
        guard let platform else { return .linux }
        return platform.family == .ios ? .xnu : .android(platform.release)
    }

    /// `true` if phones share a server and therefore run in sync windows.
    public var isCoupled: Bool { server.isShared }

    /// Changes of single server instances, in order of time.
    public var instanceEvents: [InstanceEvent] {
        timeline.compactMap { entry in
            guard case .instance(let number, let change) = entry.change else { return nil }
            return InstanceEvent(at: entry.at, number, change)
        }
    }

    /// The minimum delay from the server to any phone, and thus the length of the sync windows.
    public var syncWindowLength: TimeSpan {
        var length = groups.map(\.world.syncWindowLength).min() ?? .longest
        if wifi != nil { for link in conditions(of: .wifi) { length = min(length, link.down.floor) } }
        if cellular != nil { for link in conditions(of: .cellular) { length = min(length, link.down.floor) } }
        return length
    }

    /// `true` if the phone has the interface.
    public func has(_ interface: Interface) -> Bool { (interface == .wifi ? wifi : cellular) != nil }

    /// Returns all link conditions of the interface, in the order of their numbers.
    public func conditions(of interface: Interface) -> [LinkProfile] {
        interface == .wifi ? [wifiLink] + wifiConditions : [cellularLink] + cellularConditions
    }
}

extension LinkProfile {
    /// Placeholder for the link of an interface that the phone does not have.
    public static let none = LinkProfile(
        up: LinkDirection(delay: .constant(0), floor: .zero, bitsPerSecond: 1, loss: .independent(.one)),
        down: LinkDirection(delay: .constant(0), floor: .zero, bitsPerSecond: 1, loss: .independent(.one)))
}

/// The middleboxes (NATs, firewalls, load balancers) behind each interface and in front of the server.
///
/// Each list is ordered from the phone outwards.
public struct Middleboxes: Hashable, Sendable {
    public var wifi: [Middlebox] = []
    public var cellular: [Middlebox] = []
    public var server: [Middlebox] = []

    public init() {}

    public func own(_ interface: Interface) -> [Middlebox] { interface == .wifi ? wifi : cellular }
    public func path(of interface: Interface) -> [Middlebox] { own(interface) + server }
}
