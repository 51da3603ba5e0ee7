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
        /// Until when bits flowed then, as far as the radio tells.
        var flowedUntil: Int64
    }

    /// In the order of time.
    private(set) var packets: [Packet] = []
    /// Packets of each interface whose level is not known yet: a period is told at its end.
    private var open: [[Int]] = [[], []]
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
        for port in open.indices { open[port] += other.open[port].map { $0 + offset } }
    }

    private mutating func flow(_ record: Record) {
        let tag = BytesTag(rawValue: record.tag)
        guard let interface = tag.interface, let direction = tag.direction, let cause = tag.cause else { return }
        let port = Int(interface.rawValue)
        let now = record.at.nanoseconds
        var waited: Int64 = 0
        if let before = latest[port], before.end == now, before.level.state == .promotion { waited = before.span }
        open[port].append(packets.count)
        packets.append(
            Packet(
                at: now, bytes: record.value, interface: interface, direction: direction, cause: cause, level: nil,
                waited: waited, flowedUntil: now))
    }

    private mutating func close(_ record: Record) {
        let tag = RadioTag(rawValue: record.tag)
        guard let interface = tag.interface, let level = PowerLevel(rawValue: tag.level) else { return }
        let port = Int(interface.rawValue)
        let end = record.at.nanoseconds
        // Shares of one period come together.
        if let before = latest[port], before.end == end, before.level == level {
            latest[port] = (level, end, before.span + record.value)
        } else {
            latest[port] = (level, end, record.value)
        }
        var rest: [Int] = []
        for index in open[port] {
            guard packets[index].at < end else {
                rest.append(index)
                continue
            }
            packets[index].level = level
            if level.state == .active || level.state == .dch { packets[index].flowedUntil = end }
        }
        open[port] = rest
    }
}
