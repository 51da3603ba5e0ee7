public import DeadzoneDevice
public import DeadzoneFit
public import DeadzoneHost
public import DeadzonePrimitives
public import DeadzoneWorld

/// What is to be run.
public struct LivePlan: Sendable {
    /// A timeline's entry that the user enacts: a command, and the beginning of the entry's text.
    public struct Hook: Sendable {
        public var event: String
        public var command: String

        public init(event: String, command: String) {
            self.event = event
            self.command = command
        }
    }

    /// The name by which both sides find the server.
    public static let serverName = "server.test"
    /// From TEST-NET-3 (RFC 5737), which is nobody's.
    static let serverAddress = HostAddress(0xcb00_7101)

    public var world: World
    public var seed: UInt64
    public var client: [String]
    /// A command of the shell; nil: nothing answers.
    public var server: String?
    /// Of the app, with the operating system of the scenario.
    public var standing = AppStanding()
    public var hooks: [Hook] = []
    /// Without a resolver that says so: the server's name has an IPv6 address, too.
    public var namesHaveIPv6 = false
    /// Names that lead to what listens outside of the namespaces.
    public var forwards: [(name: String, forward: Sandbox.Forward)] = []

    public init(world: World, seed: UInt64, client: [String], server: String?) {
        self.world = world
        self.seed = seed
        self.client = client
        self.server = server
    }
}

/// What came of a run.
public struct LiveCourse: Sendable {
    public internal(set) var flows: [LiveFlow] = []
    public internal(set) var packets: [SeenPacket] = []
    /// What the radios that they crossed were told; empty where it is not whole.
    public internal(set) var scripts: [(interface: Interface, script: RadioScript)] = []
    /// Packets that were counted and not kept.
    public internal(set) var unkept = 0
    /// Of real time.
    public internal(set) var length = TimeSpan.zero
    /// Of the client, as a shell counts; nil: it was still there at the end.
    public internal(set) var clientCode: Int32?
    public internal(set) var isComplete = true
    /// What the programs told of messages, and of belief.
    public internal(set) var hearsMessages = (up: false, down: false, acknowledgements: false)
    public internal(set) var notes: [String] = []
    /// How late each packet and each change was, against the moment that the world has for it.
    public internal(set) var packetsLate = Lateness()
    public internal(set) var changesLate = Lateness()
    public internal(set) var attempts: [LiveAttempt] = []
    /// For `fit`: what can be seen of settings.
    public internal(set) var lines: [(server: String, line: Recording.Line)] = []
}

/// An attempt to connect.
public struct LiveAttempt: Sendable {
    /// Since the last connection that opened: 0 is the first after it.
    public let number: Int
    public let at: Instant
    /// Since the loss of the connection before; nil: there was none.
    public let afterLoss: TimeSpan?
    /// Since the attempt before it, where that failed.
    public let afterAttempt: TimeSpan?
    /// The attempt before was refused; nil: there was none that failed.
    public let wasRefused: Bool?
    public internal(set) var didOpen: Bool
}

/// A distribution in powers of the square root of two of a microsecond.
public struct Lateness: Sendable {
    private var counts = [Int](repeating: 0, count: 64)
    public private(set) var count = 0
    public private(set) var longest = TimeSpan.zero

    public init() {}

    mutating func add(_ span: TimeSpan) {
        count += 1
        longest = max(longest, span)
        counts[Self.place(span)] += 1
    }

    /// An upper bound of what so many thousandths do not exceed.
    public func quantile(thousandths: Int) -> TimeSpan {
        var left = (count * thousandths + 999) / 1_000
        for place in counts.indices {
            left -= counts[place]
            if left <= 0 { return min(longest, Self.bound(place)) }
        }
        return longest
    }

    private static func place(_ span: TimeSpan) -> Int {
        (0..<63).first { span <= bound($0) } ?? 63
    }

    /// 1, 1.5, 2, 3, 4, 6, 8 … µs.
    private static func bound(_ place: Int) -> TimeSpan {
        .nanoseconds((place.isMultiple(of: 2) ? 1_000 : 1_500) << Int64(place / 2))
    }
}
