import DeadzoneBase
import DeadzoneDevice

/// The LTE energy model of the tool ARO, including its defects, for comparison. Source:
/// `RrcStateRangeFactoryImpl.createLTE`, `ProfileFactoryImpl.energyLTE` and `ThroughputCalculatorImpl` in
/// attdevsupport/VideoOptimizer@d164529.
///
/// Its defects: the last half second of every continuous range is charged twice and never cut short; the last packet of
/// a range is not counted; the remainder of an idle period after its ping is charged at the power of the ping.
struct AROCellular: AROMachine {
    private let settings: AROCellularSettings
    var order = AROReorderBuffer()
    var progress = AROProgress()
    private var throughput: AROThroughput
    private(set) var bill = RadioBill()

    init(_ settings: AROCellularSettings) {
        self.settings = settings
        throughput = AROThroughput(settings)
    }

    var longestGap: Double { settings.inactivity }

    mutating func beginBurst() { throughput.begin(at: progress.reached) }

    mutating func count(_ packet: AROPacket) { throughput.add(packet) }

    mutating func wake(at packet: Double) {
        let begins = max(progress.reached, packet - settings.promotion)
        if begins > progress.reached { spend(.idle, from: progress.reached, to: begins) }
        spend(.promotion, from: begins, to: packet)
        progress.reached = packet
    }

    mutating func endBurst(cutAt end: Double) {
        bill.add(
            .active, count: 1, seconds: progress.last - progress.reached,
            joules: throughput.energy(from: progress.reached, to: progress.last))
        var begins = progress.last
        progress.reached = min(begins + settings.inactivity, end)
        if progress.reached > begins {
            spend(.tail, from: begins, to: progress.reached)
            begins = progress.reached
        }
        progress.reached = min(begins + settings.shortDRX, end)
        if progress.reached > begins {
            spend(.shortDRX, from: begins, to: progress.reached)
            begins = progress.reached
        }
        progress.reached = min(begins + settings.longDRX, end)
        if progress.reached > begins { spend(.longDRX, from: begins, to: progress.reached) }
    }

    mutating func spend(_ state: RadioState, from begin: Double, to end: Double) {
        let seconds = end - begin
        let joules: Double =
            switch state {
            case .promotion: seconds * settings.promotionPower
            case .tail: seconds * settings.beta
            case .shortDRX: settings.short.energy(of: seconds)
            case .longDRX: settings.long.energy(of: seconds)
            default: settings.idle.energyOfIdle(seconds)
            }
        bill.add(state, count: 1, seconds: seconds, joules: joules)
    }
}

/// The timers and powers of the LTE profile of the tool ARO, in seconds and watts.
struct AROCellularSettings: Sendable {
    var promotion: Double
    var promotionPower: Double
    var inactivity: Double
    var shortDRX: Double
    var longDRX: Double
    var beta: Double
    /// Milliwatts per megabit per second.
    var alphaUp: Double
    var alphaDown: Double
    var short: ARODutyCycle
    var long: ARODutyCycle
    var idle: ARODutyCycle
    /// `W_THROUGHPUT`, the same in all of ARO's profiles.
    var window = 0.5
}

/// The energy of a repeating cycle: in each period, a ping at one power and the remaining time at another.
struct ARODutyCycle: Sendable {
    var period: Double
    var ping: Double
    var pingPower: Double
    var restPower: Double

    func energy(of seconds: Double) -> Double {
        (seconds / period) * ((ping * pingPower) + ((period - ping) * restPower))
    }

    func energyOfIdle(_ seconds: Double) -> Double {
        // The original uses a Java int.
        let periods = Double(Int32(clamping: Int64((seconds / period).clampedToInt64)))
        let rest = seconds.truncatingRemainder(dividingBy: period)
        let whole = periods * ((ping * pingPower) + ((period - ping) * restPower))
        // The defect: the remainder of the last period is charged at the power of the ping.
        return whole + (rest <= ping ? rest * pingPower : (ping * pingPower) + ((rest - ping) * pingPower))
    }
}

extension Double {
    var clampedToInt64: Int64 { self.isNaN ? 0 : Int64(Swift.min(Swift.max(self, -9e18), 9e18)) }
}
