package import DeadzoneBase
import DeadzoneDevice
import DeadzoneMetrics

/// Records the packets of one simulated phone under one strategy. For each packet it keeps when the first bit was sent,
/// the radio's power level, and the longest time that the packet may have waited for the radio.
package struct PacketTrace: Recorder {
    struct TracedPacket: Sendable {
        var at: Int64
        var bytes: Int64
        var interface: Interface
        var direction: Direction
        var cause: Cause
        var level: PowerLevel?
        /// Duration of the promotion that ended when the packet was sent, in nanoseconds; 0 if there was none.
        var waited: Int64
        /// End of the transmission according to the radio's states, at most the start of the next packet in its
        /// direction.
        var transmittedUntil: Int64
        fileprivate var nextAt = Int64.max
    }

    /// A period in which a radio had no coverage: it searched for its network, or paused between two searches.
    struct CoverageGap: Sendable {
        var from: Int64
        var until: Int64
        var interface: Interface
    }

    /// Sorted by time.
    private(set) var coverageGaps: [CoverageGap] = []
    /// Sorted by time.
    private(set) var packets: [TracedPacket] = []
    /// Packets of each interface with a power level that is not known yet; a residency is recorded at its end.
    private var withoutLevel = [[Int]](repeating: [], count: Interface.allCases.count)
    /// Packets of each interface that may still be transmitted in the next period.
    private var transmitting = [[Int]](repeating: [], count: Interface.allCases.count)
    /// The latest packets of each interface and direction.
    private var latestPackets = [[Int]](repeating: [], count: 2 * Interface.allCases.count)
    private var lastPeriods = [(level: PowerLevel, end: Int64, span: Int64)?](
        repeating: nil, count: Interface.allCases.count)
    private let phone: UInt32

    /// - Parameter phone: Index of the phone to trace; a fleet has many phones.
    package init(phone: UInt32 = 0) { self.phone = phone }

    package mutating func record(_ batch: UnsafeBufferPointer<Record>) {
        for record in batch where record.phone == phone {
            switch record.kind {
            case .bytes: recordBytes(record)
            case .residency: recordResidency(record)
            default: break
            }
        }
    }

    package mutating func merge(_ other: PacketTrace) {
        let offset = packets.count
        packets += other.packets
        coverageGaps += other.coverageGaps
        for interfaceIndex in withoutLevel.indices {
            withoutLevel[interfaceIndex] += other.withoutLevel[interfaceIndex].map { $0 + offset }
            transmitting[interfaceIndex] += other.transmitting[interfaceIndex].map { $0 + offset }
        }
        for directionIndex in latestPackets.indices {
            latestPackets[directionIndex] += other.latestPackets[directionIndex].map { $0 + offset }
        }
    }

    private mutating func recordBytes(_ record: Record) {
        guard let tag = record.tag(of: .bytes) else { return }
        let interfaceIndex = Int(tag.interface.rawValue)
        let now = record.at.nanoseconds
        var waited: Int64 = 0
        if let before = lastPeriods[interfaceIndex], before.end == now, before.level.state == .promotion {
            waited = before.span
        }
        let directionIndex = 2 * interfaceIndex + (tag.direction == .up ? 1 : 0)
        if let before = latestPackets[directionIndex].last, packets[before].at < now {
            for index in latestPackets[directionIndex] { packets[index].nextAt = now }
            latestPackets[directionIndex] = []
        }
        latestPackets[directionIndex].append(packets.count)
        withoutLevel[interfaceIndex].append(packets.count)
        packets.append(
            TracedPacket(
                at: now, bytes: record.value, interface: tag.interface, direction: tag.direction, cause: tag.cause,
                level: nil, waited: waited, transmittedUntil: now))
    }

    private mutating func recordResidency(_ record: Record) {
        guard let tag = record.tag(of: .residency) else { return }
        let (interface, level) = (tag.interface, tag.level)
        let interfaceIndex = Int(interface.rawValue)
        let end = record.at.nanoseconds
        // One period may be recorded in several shares; add them up.
        var span = record.value
        if let before = lastPeriods[interfaceIndex], before.end == end, before.level == level { span += before.span }
        lastPeriods[interfaceIndex] = (level, end, span)
        // A pause between two searches counts as searching. Wi-Fi that has left its own network does not search.
        if tag.cause == .search { addCoverageGap(from: end - span, until: end, interface) }
        let begun = transmitting[interfaceIndex] + withoutLevel[interfaceIndex].filter { packets[$0].at < end }
        for index in withoutLevel[interfaceIndex] where packets[index].at < end { packets[index].level = level }
        withoutLevel[interfaceIndex].removeAll { packets[$0].at < end }
        transmitting[interfaceIndex] = []
        guard (level.state == .active && !tag.isSilent) || level.state == .dch else { return }
        for index in begun {
            packets[index].transmittedUntil = min(end, packets[index].nextAt)
            // Not for `dch`: the dedicated channel of UMTS lasts long after the last bit.
            if level.state == .active, end < packets[index].nextAt { transmitting[interfaceIndex].append(index) }
        }
    }

    private mutating func addCoverageGap(from: Int64, until: Int64, _ interface: Interface) {
        if let last = coverageGaps.lastIndex(where: { $0.interface == interface }), from <= coverageGaps[last].until {
            coverageGaps[last].from = min(coverageGaps[last].from, from)
            coverageGaps[last].until = until
        } else {
            coverageGaps.append(CoverageGap(from: from, until: until, interface: interface))
        }
    }
}
