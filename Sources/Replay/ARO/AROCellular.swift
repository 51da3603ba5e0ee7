import DeadzoneDevice
import DeadzonePrimitives

/// ARO's LTE machine and its energy, defects included (`RrcStateRangeFactoryImpl.createLTE`, `ProfileFactoryImpl.energyLTE`
/// and `ThroughputCalculatorImpl` in attdevsupport/VideoOptimizer@d164529).
///
/// Its defects: the last half second of every continuous range is charged twice and never cut short; the last packet of a
/// range is not counted; what remains of an idle period after its ping is charged as if it were ping.
struct AROCellular: Sendable {
    private let numbers: AROCellularNumbers
    private var timer = 0.0
    private var last = 0.0
    private var hasBegun = false
    private var throughput: AROThroughput
    private(set) var bill = RadioBill()

    init(_ numbers: AROCellularNumbers) {
        self.numbers = numbers
        throughput = AROThroughput(numbers)
    }

    mutating func fold(_ packet: AROPacket) {
        if !hasBegun {
            hasBegun = true
            promote(at: packet.at)
            throughput.begin(at: packet.at)
        } else if packet.at - last > numbers.inactivity {
            endBurst(cutAt: packet.at)
            if timer < packet.at { promote(at: packet.at) }
            throughput.begin(at: timer)
        }
        throughput.add(packet)
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

    private mutating func promote(at packet: Double) {
        let begins = max(timer, packet - numbers.promotion)
        if begins > timer { spend(.idle, from: timer, to: begins) }
        spend(.promotion, from: begins, to: packet)
        timer = packet
    }

    private mutating func endBurst(cutAt end: Double) {
        bill.add(.active, count: 1, seconds: last - timer, joules: throughput.energy(from: timer, to: last))
        var begins = last
        timer = min(begins + numbers.inactivity, end)
        if timer > begins {
            spend(.tail, from: begins, to: timer)
            begins = timer
        }
        timer = min(begins + numbers.shortDRX, end)
        if timer > begins {
            spend(.shortDRX, from: begins, to: timer)
            begins = timer
        }
        timer = min(begins + numbers.longDRX, end)
        if timer > begins { spend(.longDRX, from: begins, to: timer) }
    }

    private mutating func spend(_ state: RadioState, from begin: Double, to end: Double) {
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
