import DeadzoneBase
import DeadzoneCaptures
import DeadzoneDevice

/// The radio energy model of another tool (ARO or EnergyBox), used as a reference.
///
/// It gets only the packets between the two ends of the window. EnergyBox takes them in file order. ARO sorts them by
/// timestamp first and keeps the order of equal timestamps (`TraceDataReaderImpl.java:806`).
protocol ReferenceModel: Sendable {
    mutating func add(_ packet: CapturedPacket, from begin: Timestamp)
    /// - Parameter end: `nil` means the end of the last tail.
    mutating func finish(from begin: Timestamp, until end: Timestamp?) -> RadioBill
}

/// A radio energy model of the tool ARO, used as a reference. It counts in seconds and uses packets without the link
/// header, which "does not go through the 3G RAN" (PacketInfo.java, `getLen`, in attdevsupport/VideoOptimizer). It does
/// not support trailers.
protocol AROModel: ReferenceModel {
    var order: AROReorderBuffer { get set }
    mutating func fold(_ packet: AROPacket)
    /// Finishes the accounting at the end of the trace; returns the duration.
    mutating func finish(until end: Double?) -> Double
    var bill: RadioBill { get }
}

extension AROModel {
    mutating func add(_ packet: CapturedPacket, from begin: Timestamp) {
        guard packet.network != .other else { return }
        let time = AROTime.seconds(packet.stamp) - AROTime.seconds(begin)
        let bytes = packet.wireLength &- min(packet.linkHeaderLength, packet.wireLength)
        order.add(AROPacket(at: time, bytes: bytes, direction: packet.direction))
        foldDue(order.takeDue())
    }

    private mutating func foldDue(_ packets: ArraySlice<AROPacket>) {
        for packet in packets { fold(packet) }
    }

    mutating func finish(from begin: Timestamp, until end: Timestamp?) -> RadioBill {
        foldDue(order.takeAll())
        let seconds = finish(until: end.map { AROTime.seconds($0) - AROTime.seconds(begin) })
        var bill = bill
        bill.seconds = seconds
        return bill
    }
}

/// Sorts packets by timestamp for the models of the tool ARO, within a bounded distance. The bound is that of
/// `ReorderBuffer`. A packet that comes later than that is placed at the bound.
struct AROReorderBuffer: Sendable {
    private var waiting: [AROPacket] = []

    mutating func add(_ packet: AROPacket) {
        var place = waiting.count
        let farthest = max(place - ReorderBuffer.bound, 0)
        while place > farthest, packet.at < waiting[place - 1].at { place -= 1 }
        waiting.insert(packet, at: place)
    }

    /// Returns packets in batches, when no earlier packet can be placed before them.
    mutating func takeDue() -> ArraySlice<AROPacket> {
        waiting.count < ReorderBuffer.bound + ReorderBuffer.batch ? [] : take(waiting.count - ReorderBuffer.bound)
    }

    mutating func takeAll() -> ArraySlice<AROPacket> { take(waiting.count) }

    private mutating func take(_ count: Int) -> ArraySlice<AROPacket> {
        defer { waiting.removeFirst(count) }
        return waiting[..<count]
    }
}

/// A radio energy model of the tool EnergyBox, used as a reference. It counts in whole microseconds and whole frames
/// (`getPacketWirelen` and `frame.len` in ProcessTraceLibpcap.java and ProcessTraceTshark.java of rtslab/EnergyBox).
protocol EnergyBoxModel: ReferenceModel {
    mutating func fold(_ packet: ReplayPacket)
    mutating func finish() -> RadioBill
}

extension EnergyBoxModel {
    mutating func add(_ packet: CapturedPacket, from begin: Timestamp) {
        let time = min(Int64(clamping: packet.stamp.microseconds - begin.microseconds), farthest)
        fold(ReplayPacket(at: time, bytes: packet.wireLength, isUp: packet.direction == .up))
    }

    mutating func finish(from begin: Timestamp, until end: Timestamp?) -> RadioBill { finish() }
}

extension RadioProfile {
    /// Makes the reference model of another program for this profile.
    /// - Parameter rules: `.aro` or `.energybox`.
    func referenceModel(_ sheet: ProfileSource, _ rules: ReplayRules) -> any ReferenceModel {
        func watts(_ level: PowerLevel) -> Double { power(level).watts }
        let isARO = rules == .aro
        switch machine {
        case .cellular(let timers): return AROCellular(AROCellularSettings(self, timers, sheet))
        case .umts(let timers) where isARO: return AROUMTS(AROUMTSSettings(self, timers))
        case .umts(let timers):
            return EnergyBoxUMTS(timers, powers: (idle: watts(.idle), fach: watts(.fach), dch: watts(.dch)))
        case .wifi(let timers) where isARO:
            return AROWiFi(tail: timers.tail.seconds, activePower: watts(.activeDown), idlePower: watts(.idle))
        case .wifi(let timers):
            return EnergyBoxWiFi(
                timers, powers: (doze: watts(.idle), awake: watts(.activeDown), high: watts(.activeHigh)))
        }
    }
}

extension Timestamp {
    fileprivate var microseconds: Int128 {
        let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
