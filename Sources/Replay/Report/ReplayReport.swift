public import DeadzoneCaptures

/// The result of replaying a capture: its traffic, and its energy on a radio.
public struct ReplayReport: Sendable {
    public struct Capture: Sendable {
        public var format: String
        /// `"gzip"`, or `nil` if not compressed.
        public var compression: String?
        public var counts: CaptureCounts
        public var filteredOut: UInt64
        public var linkTypes: [UInt32]
        public var tcpFlows: UInt64
        public var udpFlows: UInt64
        /// Kind of network it was captured on: cellular, local or unknown.
        public var medium: String
        /// The fault that ended reading, with its position.
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

    public struct FlowRow: Sendable {
        public var name: String
        public var transport: String
        public var remote: String
        /// Remote name from TLS or DNS.
        public var remoteName: String?
        public var app: String?
        public var first: Timestamp
        public var last: Timestamp
        public var upPackets: UInt64
        public var downPackets: UInt64
        public var upBytes: UInt64
        public var downBytes: UInt64
        /// Radio energy, with the tails that the flow started.
        public var joules: Double
        /// Kind of neighbour traffic, by name ("mDNS"); `nil` for other flows.
        public var neighbourTraffic: String?

        public init(
            name: String, transport: String, remote: String, remoteName: String?, app: String?, first: Timestamp,
            last: Timestamp, up: (packets: UInt64, bytes: UInt64), down: (packets: UInt64, bytes: UInt64),
            joules: Double = 0, neighbourTraffic: String? = nil
        ) {
            self.joules = joules
            self.neighbourTraffic = neighbourTraffic
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

    public struct RadioCost: Sendable {
        public let profile: String
        public let about: String
        public let rules: ReplayRules
        public let stamps: TimestampMeaning
        public internal(set) var bill: RadioBill

        public init(profile: String, about: String, rules: ReplayRules, stamps: TimestampMeaning, bill: RadioBill) {
            self.profile = profile
            self.about = about
            self.rules = rules
            self.stamps = stamps
            self.bill = bill
        }
    }

    /// The method by which a replay distinguished uplink from downlink packets. It contains an identifier for scripts,
    /// and the reason as a sentence.
    public struct DirectionBasis: Sendable {
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
    public var direction: DirectionBasis
    public var radio: RadioCost?
    public var habits = Habits()
    /// Timeline for the HTML page.
    public var picture: RadioTimeline?
    /// Neighbour traffic; `nil` if the capture has none.
    public var neighbours: Neighbours?
    /// The command-line flags that reproduce this report, with file names without folders.
    public var flags: [String] = []
    public var interfaces: [CapturedInterface]
    /// The most expensive flows, up to the listed number.
    public var flows: [FlowRow] = []
    /// Warnings that affect how to interpret the results.
    public var notes: [String] = []
    public var isComplete = true

    public init(file: String, _ reader: CaptureReader) {
        self.file = file
        capture = Capture(reader)
        interfaces = reader.interfaces
        direction = DirectionBasis(reader.directions, packets: reader.counts.packets)
    }
}
