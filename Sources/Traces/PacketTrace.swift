import DeadzoneDevice
public import DeadzoneJournal
import DeadzoneMetrics
import DeadzonePrimitives

/// The packets of one phone under one strategy, as a fold of its records: when their first bit flowed, at which level of the
/// radio, and how long they may have waited for it.
public struct PacketTrace: Recorder {
    struct Packet: Sendable {
        var at: Int64
        var bytes: Int64
        var interface: Interface
        var direction: Direction
        var cause: Cause
        var level: PowerLevel?
        /// The promotion or the doze that ended as it flowed.
        var waited: Int64
        /// Until when bits flowed then, as far as the radio tells: not beyond the next packet of its direction.
        var flowedUntil: Int64
        fileprivate var nextAt = Int64.max
    }

    /// A stretch in which a radio searched for its network, or rested between two searches.
    struct Outage: Sendable {
        var from: Int64
        var until: Int64
        var interface: Interface
    }

    /// In the order of time.
    private(set) var outages: [Outage] = []
    /// In the order of time.
    private(set) var packets: [Packet] = []
    /// Packets of each interface whose level is not known yet: a period is told at its end.
    private var open: [[Int]] = [[], []]
    /// Packets of each interface whose bits may flow on in the next period.
    private var flowing: [[Int]] = [[], []]
    /// The latest packets of each interface and direction.
    private var newest: [[Int]] = [[], [], [], []]
    private var latest: [(level: PowerLevel, end: Int64, span: Int64)?] = [nil, nil]
    private let phone: UInt32

    /// - Parameter phone: whose packets these are; a fleet has many.
    public init(phone: UInt32 = 0) { self.phone = phone }

    public mutating func record(_ batch: UnsafeBufferPointer<Record>) {
        for record in batch where record.lane == phone {
            switch record.kind {
            case .bytes: flow(record)
            case .residency: close(record)
            default: break
            }
        }
    }

    public mutating func merge(_ other: PacketTrace) {
        let offset = packets.count
        packets += other.packets
        outages += other.outages
        for port in open.indices {
            open[port] += other.open[port].map { $0 + offset }
            flowing[port] += other.flowing[port].map { $0 + offset }
        }
        for way in newest.indices { newest[way] += other.newest[way].map { $0 + offset } }
    }

    private mutating func flow(_ record: Record) {
        guard let tag = record.tag(of: .bytes) else { return }
        let port = Int(tag.interface.rawValue)
        let now = record.at.nanoseconds
        var waited: Int64 = 0
        if let before = latest[port], before.end == now, before.level.state == .promotion { waited = before.span }
        let way = 2 * port + (tag.direction == .up ? 1 : 0)
        if let before = newest[way].last, packets[before].at < now {
            for index in newest[way] { packets[index].nextAt = now }
            newest[way] = []
        }
        newest[way].append(packets.count)
        open[port].append(packets.count)
        packets.append(
            Packet(
                at: now, bytes: record.value, interface: tag.interface, direction: tag.direction, cause: tag.cause,
                level: nil, waited: waited, flowedUntil: now))
    }

    private mutating func close(_ record: Record) {
        guard let tag = record.tag(of: .residency) else { return }
        let (interface, level) = (tag.interface, tag.level)
        let port = Int(interface.rawValue)
        let end = record.at.nanoseconds
        // Shares of one period come together.
        var span = record.value
        if let before = latest[port], before.end == end, before.level == level { span += before.span }
        latest[port] = (level, end, span)
        // Whoever rests between two searches looks for a network; Wi-Fi that has left its own does not.
        if tag.cause == .search { noteOutage(from: end - span, until: end, interface) }
        let begun = flowing[port] + open[port].filter { packets[$0].at < end }
        for index in open[port] where packets[index].at < end { packets[index].level = level }
        open[port].removeAll { packets[$0].at < end }
        flowing[port] = []
        guard (level.state == .active && !tag.isSilent) || level.state == .dch else { return }
        for index in begun {
            packets[index].flowedUntil = min(end, packets[index].nextAt)
            // The dedicated channel of UMTS stays for long after the last bit.
            if level.state == .active, end < packets[index].nextAt { flowing[port].append(index) }
        }
    }

    private mutating func noteOutage(from: Int64, until: Int64, _ interface: Interface) {
        if let last = outages.lastIndex(where: { $0.interface == interface }), from <= outages[last].until {
            outages[last].from = min(outages[last].from, from)
            outages[last].until = until
        } else {
            outages.append(Outage(from: from, until: until, interface: interface))
        }
    }
}
