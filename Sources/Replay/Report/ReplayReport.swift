package import DeadzoneCaptures

/// The result of replaying a capture: its traffic, and its energy on a radio.
package struct ReplayReport: Sendable {
    package struct Capture: Sendable {
        package var format: String
        /// `"gzip"`, or `nil` if not compressed.
        package var compression: String?
        package var counts: CaptureCounts
        package var filteredOut: UInt64
        package var linkTypes: [UInt32]
        package var tcpFlows: UInt64
        package var udpFlows: UInt64
        /// Kind of network it was captured on: cellular, local or unknown.
        package var medium: String
        /// The fault that ended reading, with its position.
        package var error: String?

        package init(_ reader: CaptureReader) {
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

    package struct FlowRow: Sendable {
        package var name: String
        package var transport: String
        package var remote: String
        /// Remote name from TLS or DNS.
        package var remoteName: String?
        package var app: String?
        package var first: Timestamp
        package var last: Timestamp
        package var upPackets: UInt64
        package var downPackets: UInt64
        package var upBytes: UInt64
        package var downBytes: UInt64
        /// Radio energy, with the tails that the flow started; `nil` if the rules do not divide energy among flows.
        package var joules: Double?
        /// Kind of neighbour traffic, by name ("mDNS"); `nil` for other flows.
        package var neighbourTraffic: String?

        package init(
            name: String, transport: String, remote: String, remoteName: String?, app: String?, first: Timestamp,
            last: Timestamp, up: (packets: UInt64, bytes: UInt64), down: (packets: UInt64, bytes: UInt64),
            joules: Double? = 0, neighbourTraffic: String? = nil
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

        package var bytes: UInt64 { upBytes + downBytes }
    }

    package struct RadioCost: Sendable {
        package let profile: String
        package let about: String
        package let rules: ReplayRules
        package let stamps: TimestampMeaning
        package internal(set) var bill: RadioBill

        package init(profile: String, about: String, rules: ReplayRules, stamps: TimestampMeaning, bill: RadioBill) {
            self.profile = profile
            self.about = about
            self.rules = rules
            self.stamps = stamps
            self.bill = bill
        }
    }

    /// The method by which a replay distinguished uplink from downlink packets. It contains an identifier for scripts,
    /// and the reason as a sentence.
    package struct DirectionBasis: Sendable {
        package var by: String
        package var reason: String
        package var device: [String]

        package init(by: String, reason: String, device: [String]) {
            self.by = by
            self.reason = reason
            self.device = device
        }
    }

    package var file: String
    package var capture: Capture
    package var direction: DirectionBasis
    package var radio: RadioCost?
    package var habits = Habits()
    /// Timeline for the HTML page.
    package var picture: RadioTimeline?
    /// Neighbour traffic; `nil` if the capture has none.
    package var neighbours: Neighbours?
    /// The command-line flags that reproduce this report, with file names without folders.
    package var flags: [String] = []
    package var interfaces: [CapturedInterface]
    /// The most expensive flows, up to the listed number.
    package var flows: [FlowRow] = []
    /// Warnings that affect how to interpret the results.
    package var notes: [String] = []
    package var isComplete = true

    /// `true` if the rules divide the radio's energy among flows, bursts and habits.
    package var dividesEnergy: Bool { radio.map { $0.rules == .physical } ?? true }

    package init(file: String, _ reader: CaptureReader) {
        self.file = file
        capture = Capture(reader)
        interfaces = reader.interfaces
        direction = DirectionBasis(reader.directions, packets: reader.counts.packets)
    }
}
