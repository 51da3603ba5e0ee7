package import DeadzoneBase
package import DeadzoneDevice
package import DeadzoneTransport

/// A compiled scenario without its strategies: everything that can happen to a phone regardless of its client.
///
/// Every `World` can be run: its creator has validated it.
package struct World: Sendable {
    package var horizon: Instant
    /// Number of phones in each replica.
    package var phones: Int
    package var wifi: RadioProfile?
    package var cellular: RadioProfile?
    /// Further cellular radio profiles. `ConditionChange.technology` refers to them by index: 0 is `cellular`, 1 is the
    /// first of these.
    package var cellularAlternates: [RadioProfile] = []
    package var wifiLink: LinkProfile
    package var cellularLink: LinkProfile
    /// Further link conditions of Wi-Fi. `ConditionChange.conditions` refers to them by index: 0 is `wifiLink`, 1 is
    /// the first of these.
    package var wifiConditions: [LinkProfile] = []
    /// Further link conditions of the cellular interface: 0 is `cellularLink`, 1 is the first of these.
    package var cellularConditions: [LinkProfile] = []
    /// The networks beside Wi-Fi and the first cellular one, in the order of their interfaces.
    package var furtherNetworks: [FurtherNetwork] = []
    /// The order in which the operating system prefers networks.
    package var preference = NetworkPreference()
    package var middleboxes = Middleboxes()
    /// The DNS resolver; `nil` if a client knows the server's address without resolving it.
    package var resolver: Resolver?
    /// The changes of conditions, sorted by time; equal times keep the order of the file.
    package var timeline: [TimelineEntry]
    package var traffic: Traffic
    /// The app's consumer, which takes time to process messages; `nil` if the app processes each message at once.
    package var consumer: Consumer?
    package var server: ServerProfile
    /// Further versions of the server. `ConditionChange.serverVersion` refers to them by index: 0 is `server`, 1 is the
    /// first of these. They differ from `server` only in rules that a running server can change: history, sessions,
    /// pings and limits of connections.
    package var serverVersions: [ServerProfile] = []
    /// The operating system; `nil` for a phone that never sleeps and an app that always runs.
    package var platform: Platform?
    /// TCP implementation of the phone. If `nil`, the phone uses that of its platform, or current Linux without a
    /// platform.
    package var tcpKernel: Kernel?
    /// The VPN tunnel on the phone; `nil` if there is none.
    package var tunnel: TunnelRules?
    /// The other apps on the phone.
    package var otherApps: [OtherApp]
    /// Rule by which the energy of a radio tail is attributed if several causes kept the radio awake.
    package var tailAttribution: TailAttribution
    /// Population groups with worlds of their own; empty if all phones use this world.
    package internal(set) var groups: [PopulationGroup] = []
    /// Radio profiles of the whole population; `nil` if the population has no groups, and this world's suffice.
    var radioCatalogue: RadioCatalogue?

    package init(
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

    package var kernel: Kernel {
        if let tcpKernel { return tcpKernel }
        guard let platform else { return .linux }
        return platform.family == .ios ? .xnu : .android(platform.release)
    }

    /// `true` if phones share a server and therefore run in sync windows.
    package var isCoupled: Bool { server.isShared }

    /// `true` if the server can have the push service wake the app.
    package var canPush: Bool {
        guard let down = traffic.down else { return server.push != .none }
        return ([down] + down.parallelStreams).contains { ($0.push?.priority ?? server.push) != .none }
    }

    /// Rules of the push service if it stores several pushes, or if its token can become void. `nil` if at most one push
    /// waits, or if there is no push.
    package var pushQueueRules: PushQueueRules? {
        guard canPush else { return nil }
        let isUsed = traffic.hasPushOptions || timeline.contains { $0.change == .pushTokenVoid }
        return server.pushQueue ?? (isUsed ? PushQueueRules() : nil)
    }

    /// Changes of single server instances, in order of time.
    package var instanceEvents: [InstanceEvent] {
        timeline.compactMap { entry in
            guard case .instance(let number, let change) = entry.change else { return nil }
            return InstanceEvent(at: entry.at, number, change)
        }
    }

    /// The minimum delay from the server to any phone, and thus the length of the sync windows.
    package var syncWindowLength: TimeSpan {
        var length = groups.map(\.world.syncWindowLength).min() ?? .longest
        if wifi != nil { for link in conditions(of: .wifi) { length = min(length, link.down.floor) } }
        if cellular != nil { for link in conditions(of: .cellular) { length = min(length, link.down.floor) } }
        for network in furtherNetworks { for link in network.links { length = min(length, link.down.floor) } }
        return length
    }

    /// `true` if the phone has the interface.
    package func has(_ interface: Interface) -> Bool { firstRadio(of: interface) != nil }

    /// The interfaces of the world's tables: those of all phones of the population.
    package var interfaces: Interfaces {
        Interfaces(
            including: furtherNetworks.map(\.interface) + groups.flatMap { $0.world.furtherNetworks.map(\.interface) })
    }

    func further(_ interface: Interface) -> FurtherNetwork? { furtherNetworks.first { $0.interface == interface } }

    /// The profile of the interface's radio at the start; `nil` if the phone does not have the interface.
    func firstRadio(of interface: Interface) -> RadioProfile? {
        switch interface {
        case .wifi: wifi
        case .cellular: cellular
        default: further(interface)?.radio
        }
    }

    /// Returns all link conditions of the interface, in the order of their numbers.
    package func conditions(of interface: Interface) -> [LinkProfile] {
        switch interface {
        case .wifi: [wifiLink] + wifiConditions
        case .cellular: [cellularLink] + cellularConditions
        default: further(interface)?.links ?? [.none]
        }
    }
}

/// A network of a phone beside Wi-Fi and the first cellular one: a Bluetooth proxy, a second SIM, a cable.
package struct FurtherNetwork: Hashable, Sendable {
    package let interface: Interface
    package var radio: RadioProfile
    /// The usual link, then those that the timeline switches to. `ConditionChange.conditions` refers to them by index.
    package var links: [LinkProfile]

    package init(_ interface: Interface, _ radio: RadioProfile, links: [LinkProfile]) {
        self.interface = interface
        self.radio = radio
        self.links = links
    }
}

extension LinkProfile {
    /// Placeholder for the link of an interface that the phone does not have.
    package static let none = LinkProfile(
        up: LinkDirection(delay: .constant(0), floor: .zero, bitsPerSecond: 1, loss: .independent(.one)),
        down: LinkDirection(delay: .constant(0), floor: .zero, bitsPerSecond: 1, loss: .independent(.one)))
}

/// The middleboxes (NATs, firewalls, load balancers) behind each interface and in front of the server.
///
/// Each list is ordered from the phone outwards.
package struct Middleboxes: Hashable, Sendable {
    package var wifi: [Middlebox] = []
    package var cellular: [Middlebox] = []
    package var server: [Middlebox] = []
    /// The middleboxes of further networks, by the number of the interface from the first further one on. It is as long
    /// as the last network with middleboxes needs.
    private var further: [[Middlebox]] = []

    package init() {}

    package func own(_ interface: Interface) -> [Middlebox] {
        switch interface {
        case .wifi: wifi
        case .cellular: cellular
        default:
            further.indices.contains(Self.place(interface)) ? further[Self.place(interface)] : []
        }
    }

    /// Sets the middleboxes of a further network.
    package mutating func set(_ boxes: [Middlebox], of interface: Interface) {
        while further.count <= Self.place(interface) { further.append([]) }
        further[Self.place(interface)] = boxes
    }

    private static func place(_ further: Interface) -> Int { Int(further.rawValue) - Interface.common.count }

    package func path(of interface: Interface) -> [Middlebox] { own(interface) + server }
}
