public import DeadzoneCaptures

/// What a capture holds and what it cost the radio.
public struct ReplayReport: Sendable {
    public struct Capture: Sendable {
        public var format: String
        /// "gzip", or nil.
        public var compression: String?
        public var counts: CaptureCounts
        public var filteredOut: UInt64
        public var linkTypes: [UInt32]
        public var tcpFlows: UInt64
        public var udpFlows: UInt64
        /// Where it was captured: cellular, local or unknown.
        public var medium: String
        /// Where the file broke.
        public var error: String?

        public init(_ reader: CaptureReader) {
            format = reader.format.rawValue
            compression = reader.isCompressed ? "gzip" : nil
            counts = reader.counts
            filteredOut = reader.filteredOut
            linkTypes = reader.linkTypes
            (tcpFlows, udpFlows) = (reader.flowCounts.tcp, reader.flowCounts.udp)
            medium = reader.medium.rawValue
            error = reader.fault?.text
        }
    }

    public struct Flow: Sendable {
        public var name: String
        public var transport: String
        public var remote: String
        /// By TLS or DNS.
        public var remoteName: String?
        public var app: String?
        public var first: Stamp
        public var last: Stamp
        public var upPackets: UInt64
        public var downPackets: UInt64
        public var upBytes: UInt64
        public var downBytes: UInt64
        /// What it cost the radio, with the tails that it started.
        public var joules: Double
        /// What neighbours say and a cellular network would not carry, by its name: "mDNS".
        public var talk: String?

        public init(
            name: String, transport: String, remote: String, remoteName: String?, app: String?, first: Stamp,
            last: Stamp, up: (packets: UInt64, bytes: UInt64), down: (packets: UInt64, bytes: UInt64),
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
        public let profile: String
        public let about: String
        public let rules: ReplayRules
        public let stamps: StampMeaning
        public let bill: RadioBill

        public init(profile: String, about: String, rules: ReplayRules, stamps: StampMeaning, bill: RadioBill) {
            self.profile = profile
            self.about = about
            self.rules = rules
            self.stamps = stamps
            self.bill = bill
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
    public var picture: RadioTimeline?
    /// What a cellular network would not have carried; nil where there is nothing of it.
    public var neighbours: Neighbours?
    /// The flags that make this again, files without their folders.
    public var flags: [String] = []
    public var interfaces: [CapturedInterface]
    /// The dearest first, as many as are listed.
    public var flows: [Flow] = []
    /// What a reader should know before he trusts a number.
    public var notes: [String] = []
    public var isComplete = true

    public init(file: String, _ reader: CaptureReader) {
        self.file = file
        capture = Capture(reader)
        interfaces = reader.interfaces
        direction = Direction(reader.directions, packets: reader.counts.packets)
    }
}
