public import DeadzoneMetrics

/// What a capture holds and what it cost the radio.
public struct ReplayReport: Sendable {
    public struct Capture: Sendable {
        public var format: String
        /// "gzip", or nil.
        public var compression: String?
        public var packets: UInt64 = 0
        public var bytes: UInt64 = 0
        public var capturedBytes: UInt64 = 0
        public var clippedPackets: UInt64 = 0
        public var timeReversals: UInt64 = 0
        public var unstampedPackets: UInt64 = 0
        public var filteredOut: UInt64 = 0
        public var linkTypes: [UInt32] = []
        /// Seconds since 1970, in the order of the file; nil where there is no packet.
        public var first: Billionths?
        public var last: Billionths?
        /// From the earliest to the latest packet.
        public var duration = Billionths.zero
        public var ipv4TCP: UInt64 = 0
        public var ipv6TCP: UInt64 = 0
        public var ipv4UDP: UInt64 = 0
        public var ipv6UDP: UInt64 = 0
        public var laterFragments: UInt64 = 0
        public var tcpFlows: UInt64 = 0
        public var udpFlows: UInt64 = 0
        public var upPackets: UInt64 = 0
        public var downPackets: UInt64 = 0
        public var upBytes: UInt64 = 0
        public var downBytes: UInt64 = 0
        /// Where it was captured: cellular, local or unknown.
        public var medium = "unknown"
        /// Where the file broke.
        public var error: String?

        public init(format: String) { self.format = format }
    }

    public struct Interface: Sendable {
        public var name: String?
        public var linkType: String
        public var packets: UInt64
        public var dropped: UInt64

        public init(name: String?, linkType: String, packets: UInt64, dropped: UInt64) {
            self.name = name
            self.linkType = linkType
            self.packets = packets
            self.dropped = dropped
        }
    }

    public struct Flow: Sendable {
        public var name: String
        public var transport: String
        public var remote: String
        /// By TLS or DNS.
        public var remoteName: String?
        public var app: String?
        public var first: Billionths
        public var last: Billionths
        public var upPackets: UInt64
        public var downPackets: UInt64
        public var upBytes: UInt64
        public var downBytes: UInt64
        /// What it cost the radio, with the tails that it started.
        public var joules: Double
        /// What neighbours say and a cellular network would not carry, by its name: "mDNS".
        public var talk: String?

        public init(
            name: String, transport: String, remote: String, remoteName: String?, app: String?, first: Billionths,
            last: Billionths, up: (packets: UInt64, bytes: UInt64), down: (packets: UInt64, bytes: UInt64),
            joules: Double = 0, talk: String? = nil
        ) {
            self.joules = joules
            self.talk = talk
            self.name = name
            self.transport = transport
            self.remote = remote
            self.remoteName = remoteName
            self.app = app
            self.first = first
            self.last = last
            (upPackets, upBytes) = up
            (downPackets, downBytes) = down
        }

        public var bytes: UInt64 { upBytes + downBytes }
    }

    public struct Radio: Sendable {
        public struct State: Sendable {
            public var name: String
            public var count: Int
            public var seconds: Double
            public var joules: Double

            public init(name: String, count: Int, seconds: Double, joules: Double) {
                self.name = name
                self.count = count
                self.seconds = seconds
                self.joules = joules
            }
        }

        public var profile: String
        public var about: String
        public var rules: String
        public var stamps: String
        public var joules: Double
        public var seconds: Double
        public var states: [State]
        /// Packets that came later than the bound of the reordering, and were taken as if they had come then.
        public var clamped = 0

        public init(
            profile: String, about: String, rules: String, stamps: String, joules: Double, seconds: Double,
            states: [State]
        ) {
            self.profile = profile
            self.about = about
            self.rules = rules
            self.stamps = stamps
            self.joules = joules
            self.seconds = seconds
            self.states = states
        }
    }

    /// By what up was told from down: a word for scripts, and the reason in a sentence.
    public struct Direction: Sendable {
        public var by: String
        public var reason: String
        public var device: [String]

        public init(by: String, reason: String, device: [String]) {
            self.by = by
            self.reason = reason
            self.device = device
        }
    }

    public var file: String
    public var capture: Capture
    public var direction: Direction
    public var radio: Radio?
    public var habits = Habits()
    /// For a page.
    public var picture: ReplayPicture?
    /// What other strategies would have cost.
    public var whatIf: WhatIf?
    /// What a cellular network would not have carried; nil where there is nothing of it.
    public var neighbours: Neighbours?
    /// The flags that make this again, files without their folders.
    public var flags: [String] = []
    public var interfaces: [Interface] = []
    /// The dearest first, as many as are listed.
    public var flows: [Flow] = []
    /// What a reader should know before he trusts a number.
    public var notes: [String] = []
    public var isComplete = true

    /// Of the file, without its folders: a result is the same from any folder.
    public var name: String { file.split(separator: "/").last.map(String.init) ?? file }

    public init(file: String, capture: Capture, direction: Direction) {
        self.file = file
        self.capture = capture
        self.direction = direction
    }
}
