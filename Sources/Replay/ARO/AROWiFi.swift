import DeadzoneDevice
import DeadzonePrimitives

/// ARO's Wi-Fi machine (`RrcStateRangeFactoryImpl.createWiFi`, `ProfileFactoryImpl.energyWiFi` in
/// attdevsupport/VideoOptimizer@d164529): active and tail at one power, idle at another, nothing for bits.
struct AROWiFi: AROMachine {
    let longestGap: Double
    private let activePower: Double
    private let idlePower: Double
    var order = AROOrder()
    var course = AROCourse()
    private(set) var bill = RadioBill()

    init(tail: Double, activePower: Double, idlePower: Double) {
        longestGap = tail
        self.activePower = activePower
        self.idlePower = idlePower
    }

    mutating func wake(at packet: Double) {
        spend(.idle, from: course.reached, to: packet)
        course.reached = packet
    }

    func beginBurst() {}
    func count(_ packet: AROPacket) {}

    mutating func endBurst(cutAt end: Double) {
        spend(.active, from: course.reached, to: course.last)
        course.reached = min(course.last + longestGap, end)
        if course.reached > course.last { spend(.tail, from: course.last, to: course.reached) }
    }

    mutating func spend(_ state: RadioState, from begin: Double, to end: Double) {
        let power = state == .idle ? idlePower : activePower
        bill.add(state, count: 1, seconds: end - begin, joules: (end - begin) * power)
    }
}
