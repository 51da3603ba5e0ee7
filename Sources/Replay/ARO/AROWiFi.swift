import DeadzoneDevice
import DeadzonePrimitives

/// ARO's Wi-Fi machine (`RrcStateRangeFactoryImpl.createWiFi`, `ProfileFactoryImpl.energyWiFi` in
/// attdevsupport/VideoOptimizer@d164529): active and tail at one power, idle at another, nothing for bits.
struct AROWiFi: Sendable {
    private let tail: Double
    private let activePower: Double
    private let idlePower: Double
    private var timer = 0.0
    private var last = 0.0
    private var hasBegun = false
    private(set) var bill = RadioBill()

    init(tail: Double, activePower: Double, idlePower: Double) {
        self.tail = tail
        self.activePower = activePower
        self.idlePower = idlePower
    }

    mutating func fold(_ packet: AROPacket) {
        if !hasBegun {
            hasBegun = true
            spend(.idle, from: timer, to: packet.at)
            timer = packet.at
        } else if packet.at - last > tail {
            endBurst(cutAt: packet.at)
            if timer < packet.at {
                spend(.idle, from: timer, to: packet.at)
                timer = packet.at
            }
        }
        last = packet.at
    }

    /// Closes the books at the end of the trace; gives back its duration.
    mutating func finish(until end: Double?) -> Double {
        guard hasBegun else {
            spend(.idle, from: 0, to: end ?? 0)
            return end ?? 0
        }
        endBurst(cutAt: end ?? .infinity)
        let duration = end ?? timer
        if timer < duration { spend(.idle, from: timer, to: duration) }
        return duration
    }

    private mutating func endBurst(cutAt end: Double) {
        spend(.active, from: timer, to: last)
        timer = min(last + tail, end)
        if timer > last { spend(.tail, from: last, to: timer) }
    }

    private mutating func spend(_ state: RadioState, from begin: Double, to end: Double) {
        let power = state == .idle ? idlePower : activePower
        bill.add(state, count: 1, seconds: end - begin, joules: (end - begin) * power)
    }
}
