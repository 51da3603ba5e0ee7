import DeadzoneCaptures
import DeadzoneDevice
import DeadzonePrimitives

/// The machine of another program. They know no packets but those between the two ends of the window. EnergyBox takes them in
/// the order of the file; ARO sorts them by stamp first, those of one stamp as they come (`TraceDataReaderImpl.java:806`).
protocol ForeignMachine: Sendable {
    mutating func take(_ packet: Packet, from begin: Stamp)
    /// An end of nil: when the last tail is over.
    mutating func finish(from begin: Stamp, until end: Stamp?) -> RadioBill
}

/// One of ARO's: seconds, and packets without the link header, which "does not go through the 3G RAN" (PacketInfo.java,
/// `getLen`, in attdevsupport/VideoOptimizer); it knows of no trailers.
protocol AROModel: ForeignMachine {
    var order: AROOrder { get set }
    mutating func fold(_ packet: AROPacket)
    /// Closes the books at the end of the trace; gives back its duration.
    mutating func finish(until end: Double?) -> Double
    var bill: RadioBill { get }
}

extension AROModel {
    mutating func take(_ packet: Packet, from begin: Stamp) {
        guard packet.network != .other else { return }
        let time = AROTime.seconds(packet.stamp) - AROTime.seconds(begin)
        let bytes = packet.wireLength &- min(packet.linkHeaderLength, packet.wireLength)
        order.add(AROPacket(at: time, bytes: bytes, direction: packet.direction))
        foldDue(order.takeDue())
    }

    private mutating func foldDue(_ packets: ArraySlice<AROPacket>) {
        for packet in packets { fold(packet) }
    }

    mutating func finish(from begin: Stamp, until end: Stamp?) -> RadioBill {
        foldDue(order.takeAll())
        let seconds = finish(until: end.map { AROTime.seconds($0) - AROTime.seconds(begin) })
        var bill = bill
        bill.seconds = seconds
        return bill
    }
}

/// Packets in the order of their stamps, as far back as `TimeOrder` looks; what comes later still stays where it came.
struct AROOrder: Sendable {
    private var waiting: [AROPacket] = []

    mutating func add(_ packet: AROPacket) {
        var place = waiting.count
        let farthest = max(place - TimeOrder.bound, 0)
        while place > farthest, packet.at < waiting[place - 1].at { place -= 1 }
        waiting.insert(packet, at: place)
    }

    /// Many at once, once there are many for whom no earlier one can come.
    mutating func takeDue() -> ArraySlice<AROPacket> {
        waiting.count < TimeOrder.bound + TimeOrder.batch ? [] : take(waiting.count - TimeOrder.bound)
    }

    mutating func takeAll() -> ArraySlice<AROPacket> { take(waiting.count) }

    private mutating func take(_ count: Int) -> ArraySlice<AROPacket> {
        defer { waiting.removeFirst(count) }
        return waiting[..<count]
    }
}

/// One of EnergyBox's: whole microseconds, and whole frames (`getPacketWirelen` and `frame.len` in ProcessTraceLibpcap.java
/// and ProcessTraceTshark.java of rtslab/EnergyBox).
protocol EnergyBoxModel: ForeignMachine {
    mutating func fold(_ packet: Blip)
    mutating func finish() -> RadioBill
}

extension EnergyBoxModel {
    mutating func take(_ packet: Packet, from begin: Stamp) {
        let time = min(Int64(clamping: packet.stamp.microseconds - begin.microseconds), farthest)
        fold(Blip(at: time, bytes: packet.wireLength, isUp: packet.direction == .up))
    }

    mutating func finish(from begin: Stamp, until end: Stamp?) -> RadioBill { finish() }
}

extension RadioProfile {
    /// - Parameter rules: another program's.
    func foreignMachine(_ sheet: ProfileSheet, _ rules: ReplayRules) -> any ForeignMachine {
        func watts(_ level: PowerLevel) -> Double { power(level).watts }
        let isARO = rules == .aro
        switch machine {
        case .cellular(let timers): return AROCellular(AROCellularNumbers(self, timers, sheet))
        case .umts(let timers) where isARO: return AROUMTS(AROUMTSNumbers(self, timers))
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

extension Stamp {
    fileprivate var microseconds: Int128 {
        let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
