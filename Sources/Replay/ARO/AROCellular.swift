import DeadzoneDevice
import DeadzonePrimitives

/// ARO's LTE machine and its energy, defects included (`RrcStateRangeFactoryImpl.createLTE`, `ProfileFactoryImpl.energyLTE`
/// and `ThroughputCalculatorImpl` in attdevsupport/VideoOptimizer@d164529).
///
/// Its defects: the last half second of every continuous range is charged twice and never cut short; the last packet of a
/// range is not counted; what remains of an idle period after its ping is charged as if it were ping.
struct AROCellular: AROMachine {
    private let numbers: AROCellularNumbers
    var order = AROOrder()
    var course = AROCourse()
    private var throughput: AROThroughput
    private(set) var bill = RadioBill()

    init(_ numbers: AROCellularNumbers) {
        self.numbers = numbers
        throughput = AROThroughput(numbers)
    }

    var longestGap: Double { numbers.inactivity }

    mutating func beginBurst() { throughput.begin(at: course.reached) }

    mutating func count(_ packet: AROPacket) { throughput.add(packet) }

    mutating func wake(at packet: Double) {
        let begins = max(course.reached, packet - numbers.promotion)
        if begins > course.reached { spend(.idle, from: course.reached, to: begins) }
        spend(.promotion, from: begins, to: packet)
        course.reached = packet
    }

    mutating func endBurst(cutAt end: Double) {
        bill.add(
            .active, count: 1, seconds: course.last - course.reached,
            joules: throughput.energy(from: course.reached, to: course.last))
        var begins = course.last
        course.reached = min(begins + numbers.inactivity, end)
        if course.reached > begins {
            spend(.tail, from: begins, to: course.reached)
            begins = course.reached
        }
        course.reached = min(begins + numbers.shortDRX, end)
        if course.reached > begins {
            spend(.shortDRX, from: begins, to: course.reached)
            begins = course.reached
        }
        course.reached = min(begins + numbers.longDRX, end)
        if course.reached > begins { spend(.longDRX, from: begins, to: course.reached) }
    }

    mutating func spend(_ state: RadioState, from begin: Double, to end: Double) {
        let seconds = end - begin
        let joules: Double =
            switch state {
            case .promotion: seconds * numbers.promotionPower
            case .tail: seconds * numbers.beta
            case .shortDRX: numbers.short.energy(of: seconds)
            case .longDRX: numbers.long.energy(of: seconds)
            default: numbers.idle.energyOfIdle(seconds)
            }
        bill.add(state, count: 1, seconds: seconds, joules: joules)
    }
}

/// What ARO's LTE profile says, in seconds and watts.
struct AROCellularNumbers: Sendable {
    var promotion: Double
    var promotionPower: Double
    var inactivity: Double
    var shortDRX: Double
    var longDRX: Double
    var beta: Double
    /// Milliwatts per megabit per second.
    var alphaUp: Double
    var alphaDown: Double
    var short: AROCycle
    var long: AROCycle
    var idle: AROCycle
    /// `W_THROUGHPUT`, the same in all of ARO's profiles.
    var window = 0.5
}

/// A ping at one power in each period, the rest at another.
struct AROCycle: Sendable {
    var period: Double
    var ping: Double
    var pingPower: Double
    var restPower: Double

    func energy(of seconds: Double) -> Double {
        (seconds / period) * ((ping * pingPower) + ((period - ping) * restPower))
    }

    func energyOfIdle(_ seconds: Double) -> Double {
        // A Java int.
        let periods = Double(Int32(clamping: Int64((seconds / period).clampedToInt64)))
        let rest = seconds.truncatingRemainder(dividingBy: period)
        let whole = periods * ((ping * pingPower) + ((period - ping) * restPower))
        // The defect: the rest of the last period at the power of the ping.
        return whole + (rest <= ping ? rest * pingPower : (ping * pingPower) + ((rest - ping) * pingPower))
    }
}

extension Double {
    var clampedToInt64: Int64 { self.isNaN ? 0 : Int64(Swift.min(Swift.max(self, -9e18), 9e18)) }
}
