import DeadzoneBase
import DeadzoneDevice

/// The Wi-Fi energy model of the tool ARO, for comparison. Source: `RrcStateRangeFactoryImpl.createWiFi`,
/// `ProfileFactoryImpl.energyWiFi` in attdevsupport/VideoOptimizer@d164529. Active time and tail have one power, idle
/// time has another, and bits cost nothing.
struct AROWiFi: AROMachine {
    let longestGap: Double
    private let activePower: Double
    private let idlePower: Double
    var order = AROReorderBuffer()
    var progress = AROProgress()
    private(set) var bill = RadioBill()

    init(tail: Double, activePower: Double, idlePower: Double) {
        longestGap = tail
        self.activePower = activePower
        self.idlePower = idlePower
    }

    mutating func wake(at packet: Double) {
        spend(.idle, from: progress.reached, to: packet)
        progress.reached = packet
    }

    func beginBurst() {}
    func count(_ packet: AROPacket) {}

    mutating func endBurst(cutAt end: Double) {
        spend(.active, from: progress.reached, to: progress.last)
        progress.reached = min(progress.last + longestGap, end)
        if progress.reached > progress.last { spend(.tail, from: progress.last, to: progress.reached) }
    }

    mutating func spend(_ state: RadioState, from begin: Double, to end: Double) {
        let power = state == .idle ? idlePower : activePower
        bill.add(state, count: 1, seconds: end - begin, joules: (end - begin) * power)
    }
}
