import DeadzoneCaptures
import DeadzoneDevice
import DeadzonePrimitives

/// The machine of another program. They take packets in the order of the file, and know no others than those between the
/// two ends of the window.
struct ForeignMachine: Sendable {
    private var aroCellular: AROCellular?
    private var aroUMTS: AROUMTS?
    private var aroWiFi: AROWiFi?
    private var energyBoxUMTS: EnergyBoxUMTS?
    private var energyBoxWiFi: EnergyBoxWiFi?

    init(_ profile: RadioProfile, _ sheet: ProfileSheet, _ rules: ReplayRules) {
        func watts(_ level: PowerLevel) -> Double { profile.power(level).watts }
        let isARO = rules == .aro
        switch profile.machine {
        case .cellular(let timers): aroCellular = AROCellular(AROCellularNumbers(profile, timers, sheet))
        case .umts(let timers) where isARO: aroUMTS = AROUMTS(AROUMTSNumbers(profile, timers))
        case .umts(let timers):
            energyBoxUMTS = EnergyBoxUMTS(
                timers, powers: (idle: watts(.idle), fach: watts(.fach), dch: watts(.dch)))
        case .wifi(let timers) where isARO:
            aroWiFi = AROWiFi(tail: timers.tail.seconds, activePower: watts(.activeDown), idlePower: watts(.idle))
        case .wifi(let timers):
            energyBoxWiFi = EnergyBoxWiFi(
                timers, powers: (doze: watts(.idle), awake: watts(.activeDown), high: watts(.activeHigh)))
        }
    }

    mutating func take(_ packet: Packet, from begin: Stamp, until end: Stamp?) {
        guard begin <= packet.stamp, end.map({ packet.stamp <= $0 }) ?? true else { return }
        if energyBoxUMTS != nil || energyBoxWiFi != nil {
            // The whole frame (`getPacketWirelen` and `frame.len` in ProcessTraceLibpcap.java and ProcessTraceTshark.java of
            // rtslab/EnergyBox), and whole microseconds.
            let time = min(Int64(clamping: packet.stamp.microseconds - begin.microseconds), farthest)
            let blip = Blip(at: time, bytes: packet.wireLength, isUp: packet.direction == .up)
            energyBoxUMTS?.fold(blip)
            energyBoxWiFi?.fold(blip)
        } else if packet.network != .other {
            let time = AROTime.seconds(packet.stamp) - AROTime.seconds(begin)
            // Without the link header, which "does not go through the 3G RAN" (PacketInfo.java, `getLen`, in
            // attdevsupport/VideoOptimizer); it knows of no trailers.
            let bytes = packet.wireLength &- min(packet.linkHeaderLength, packet.wireLength)
            let seen = AROPacket(at: time, bytes: bytes, direction: packet.direction)
            aroCellular?.fold(seen)
            aroUMTS?.fold(seen)
            aroWiFi?.fold(seen)
        }
    }

    /// An end of nil: when the last tail is over.
    mutating func finish(from begin: Stamp, until end: Stamp?) -> RadioBill {
        if let bill = energyBoxUMTS?.finish() ?? energyBoxWiFi?.finish() { return bill }
        let duration = end.map { AROTime.seconds($0) - AROTime.seconds(begin) }
        let seconds =
            aroCellular?.finish(until: duration) ?? aroUMTS?.finish(until: duration)
            ?? aroWiFi?.finish(until: duration)
        var bill = aroCellular?.bill ?? aroUMTS?.ranges.result ?? aroWiFi?.bill ?? RadioBill()
        bill.seconds = seconds ?? 0
        return bill
    }
}

extension Stamp {
    fileprivate var microseconds: Int128 {
        let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
