public import DeadzoneDevice
public import DeadzoneFit
public import DeadzoneHost
public import DeadzonePrimitives
public import DeadzoneWorld

/// Everything that a live run needs: the simulated environment, the client and server programs, and options.
public struct LivePlan: Sendable {
    /// A user command for timeline changes. It runs for each change with a label that begins with `event`, and for
    /// each of `changes`.
    public struct Hook: Sendable {
        /// As written on the command line.
        public var event: String
        public var command: String
        /// Indices into the world's timeline.
        public var changes: Set<Int>

        public init(event: String, command: String, changes: Set<Int> = []) {
            self.event = event
            self.command = command
            self.changes = changes
        }

        func applies(to label: String, _ index: Int?) -> Bool {
            changes.isEmpty ? label.hasPrefix(event) : index.map(changes.contains) ?? false
        }
    }

    /// The host name of the server, for both sides.
    public static let serverName = "server.test"
    /// From TEST-NET-3 (RFC 5737), which is reserved for documentation.
    static let serverAddress = HostAddress(0xcb00_7101)

    public var world: World
    public var seed: UInt64
    public var client: [String]
    /// Shell command. `nil` if there is no server program.
    public var server: String?
    /// Privileges of the app under the operating system of the scenario.
    public var privileges = AppPrivileges()
    public var hooks: [Hook] = []
    /// Gives the server's name an IPv6 address, too. Used if no resolver of the scenario decides it.
    public var namesHaveIPv6 = false
    /// Host names that lead to services outside of the namespaces.
    public var forwards: [(name: String, forward: Sandbox.PortForward)] = []

    public init(world: World, seed: UInt64, client: [String], server: String?) {
        self.world = world
        self.seed = seed
        self.client = client
        self.server = server
    }
}

/// The result of a live run: observed flows, packets, connection attempts, exit code and delays.
public struct LiveOutcome: Sendable {
    public internal(set) var flows: [LiveFlow] = []
    public internal(set) var packets: [ObservedPacket] = []
    /// The calls that the used radios received. Empty if they are incomplete.
    public internal(set) var radioCalls: [(interface: Interface, script: RadioCallLog)] = []
    /// Packets that were counted but not kept.
    public internal(set) var discardedPackets = 0
    /// In real time.
    public internal(set) var length = TimeSpan.zero
    /// Exit code of the client, as a shell counts it. `nil` if the client was still running at the end.
    public internal(set) var clientCode: Int32?
    /// `true` if the client could not be started: no such file, or no permission to execute it.
    public internal(set) var clientNeverStarted = false
    /// Exit code of a server program that exited before it listened. Then nothing else was run.
    public internal(set) var failedServerCode: Int32?
    /// Exit codes other than 0 of a server program that ended while the timeline wanted it to run.
    public internal(set) var crashedServerCodes: [Int32] = []
    public internal(set) var isComplete = true
    /// Kinds of message reports that the programs printed: receipt upwards, receipt downwards, acknowledgements.
    public internal(set) var reportsMessages = (up: false, down: false, acknowledgements: false)
    public internal(set) var notes: [String] = []
    /// Delay of each packet and each change against its exact time in the scenario.
    public internal(set) var packetsLate = Lateness()
    public internal(set) var changesLate = Lateness()
    public internal(set) var attempts: [LiveAttempt] = []
    /// Observed connections, as input for `fit`.
    public internal(set) var connections: [(server: String, line: Recording.RecordedConnection)] = []
}

/// One attempt of the real client to connect, with the waits before it.
public struct LiveAttempt: Sendable {
    /// Number of attempts since the last opened connection. The first attempt after it is 0.
    public let number: Int
    public let at: Instant
    /// Time since the client closed the previous connection, or saw its end. `nil` if there was none, or if the end was
    /// not seen.
    public let afterLoss: TimeSpan?
    /// The end that closed the previous connection. `nil` if `afterLoss` is.
    public let lostBy: Recording.RecordedConnection.EndedBy?
    /// Time since the previous attempt. `nil` if that attempt did not fail.
    public let afterAttempt: TimeSpan?
    /// `true` if the previous attempt was refused. `nil` if no previous attempt failed.
    public let wasRefused: Bool?
    public internal(set) var didOpen: Bool
}

/// Histogram of the delays with which a live run handled packets or changes. It has two buckets per power of two, from
/// 1 µs up.
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

    /// Upper bound of the quantile, given in thousandths.
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

    /// Upper bound of a bucket: 1, 1.5, 2, 3, 4, 6, 8 … µs.
    private static func bound(_ place: Int) -> TimeSpan {
        .nanoseconds((place.isMultiple(of: 2) ? 1_000 : 1_500) << Int64(place / 2))
    }
}
