package import DeadzoneBase
package import DeadzoneDevice
package import DeadzoneFit
package import DeadzoneHost
package import DeadzoneSimulator

/// Everything that a live run needs: the simulated environment, the client and server programs, and options.
package struct LivePlan: Sendable {
    /// A user command for timeline changes. It runs for each change with a label that begins with `event`, and for
    /// each of `changes`.
    package struct Hook: Sendable {
        /// As written on the command line.
        package var event: String
        package var command: String
        /// Indices into the world's timeline.
        package var changes: Set<Int>

        package init(event: String, command: String, changes: Set<Int> = []) {
            self.event = event
            self.command = command
            self.changes = changes
        }

        func applies(to label: String, _ index: Int?) -> Bool {
            changes.isEmpty ? label.hasPrefix(event) : index.map(changes.contains) ?? false
        }
    }

    /// The host name of the server, for both sides.
    package static let serverName = "server.test"
    /// From TEST-NET-3 (RFC 5737), which is reserved for documentation.
    static let serverAddress = HostAddress(0xcb00_7101)

    package var world: World
    package var seed: UInt64
    package var client: [String]
    /// Shell command. `nil` if there is no server program.
    package var server: String?
    /// Privileges of the app under the operating system of the scenario.
    package var privileges = AppPrivileges()
    package var hooks: [Hook] = []
    /// Gives the server's name an IPv6 address, too. Used if no resolver of the scenario decides it.
    package var namesHaveIPv6 = false
    /// Host names that lead to services outside of the namespaces.
    package var forwards: [(name: String, forward: Sandbox.PortForward)] = []

    package init(world: World, seed: UInt64, client: [String], server: String?) {
        self.world = world
        self.seed = seed
        self.client = client
        self.server = server
    }
}

/// The result of a live run: observed flows, packets, connection attempts, exit code and delays.
package struct LiveOutcome: Sendable {
    package internal(set) var flows: [LiveFlow] = []
    package internal(set) var packets: [ObservedPacket] = []
    /// The calls that the used radios received. Empty if they are incomplete.
    package internal(set) var radioCalls: [(interface: Interface, script: RadioCallLog)] = []
    /// Packets that were counted but not kept.
    package internal(set) var discardedPackets = 0
    /// In real time.
    package internal(set) var length = TimeSpan.zero
    /// Exit code of the client, as a shell counts it. `nil` if the client was still running at the end.
    package internal(set) var clientCode: Int32?
    /// `true` if the client could not be started: no such file, or no permission to execute it.
    package internal(set) var clientNeverStarted = false
    /// Exit code of a server program that exited before it listened. Then nothing else was run.
    package internal(set) var failedServerCode: Int32?
    /// `true` if the server program printed anything but reports.
    package internal(set) var hasServerOutput = false
    /// Exit codes other than 0 of a server program that ended while the timeline wanted it to run.
    package internal(set) var crashedServerCodes: [Int32] = []
    /// `true` if the server program did not listen before the run began.
    package internal(set) var serverWasSilent = false
    package internal(set) var isComplete = true
    /// Kinds of message reports that the programs printed: receipt upwards, receipt downwards, acknowledgements.
    package internal(set) var reportsMessages = (up: false, down: false, acknowledgements: false)
    package internal(set) var notes: [String] = []
    /// Delay of each packet and each change against its exact time in the scenario.
    package internal(set) var packetsLate = Lateness()
    package internal(set) var changesLate = Lateness()
    package internal(set) var attempts: [LiveAttempt] = []
    /// Observed connections, as input for `fit`.
    package internal(set) var connections: [(server: String, line: Recording.RecordedConnection)] = []
}

/// One attempt of the real client to connect, with the waits before it.
package struct LiveAttempt: Sendable {
    /// Number of attempts since the last opened connection. The first attempt after it is 0.
    package let number: Int
    package let at: Instant
    /// Time since the client closed the previous connection, or saw its end. `nil` if there was none, or if the end was
    /// not seen.
    package let afterLoss: TimeSpan?
    /// The end that closed the previous connection. `nil` if `afterLoss` is.
    package let lostBy: Recording.RecordedConnection.EndedBy?
    /// Time since the previous attempt. `nil` if that attempt did not fail.
    package let afterAttempt: TimeSpan?
    /// `true` if the previous attempt was refused. `nil` if no previous attempt failed.
    package let wasRefused: Bool?
    package internal(set) var didOpen: Bool
}

/// Histogram of the delays with which a live run handled packets or changes. It has two buckets per power of two, from
/// 1 µs up.
package struct Lateness: Sendable {
    private var counts = [Int](repeating: 0, count: 64)
    package private(set) var count = 0
    package private(set) var longest = TimeSpan.zero

    mutating func add(_ span: TimeSpan) {
        count += 1
        longest = max(longest, span)
        counts[Self.place(span)] += 1
    }

    /// Upper bound of the quantile, given in thousandths.
    package func quantile(thousandths: Int) -> TimeSpan {
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
