import DeadzoneBase
import DeadzoneDevice
@testable import DeadzoneFit

/// A simulated phone with a power meter: it exchanges packets, and its radio draws power.
struct MeteredPhone {
    private let profile: RadioProfile
    private var radio: Radio
    private var dice: Dice
    private var now = Instant.zero
    private var periods: [(milliwatts: Double, until: Instant)] = []
    private(set) var packets: [RadioPacket] = []

    init(_ profile: RadioProfile, seed: UInt64) {
        self.profile = profile
        dice = Dice(seed: seed, phone: PhoneID(3), purpose: .test)
        radio = Radio(profile: profile, phases: RadioPhases.draw(profile, seed: seed, phone: PhoneID(3)), at: .zero)
        if profile.technology.isLocal { note(radio.setAssociated(true, at: .zero)) }
    }

    private mutating func number(_ low: Int64, _ high: Int64) -> Int64 {
        low + Int64(dice.next().scaled(below: UInt64(high - low)))
    }

    /// Requests with one to three further packets, and pauses of up to 40 s between requests.
    mutating func exchangeTraffic(for span: TimeSpan) {
        while now < .zero + span {
            run(for: .milliseconds(number(200, 40_000)))
            carry(.up, UInt32(number(100, 1_400)))
            for _ in 0..<number(1, 4) {
                run(for: .milliseconds(number(30, 900)))
                carry(number(0, 3) == 0 ? .up : .down, UInt32(number(100, 1_400)))
            }
        }
        run(for: .seconds(30))
        note(radio.closePeriod(at: now))
    }

    private mutating func carry(_ direction: Direction, _ bytes: UInt32) {
        let burst = Burst(
            direction: direction, bytes: bytes, airtime: .microseconds(Int64(bytes)), cause: .payload)
        let carried = radio.carry(burst, at: now, profile)
        note(carried.spent)
        packets.append(RadioPacket(at: carried.flowsAt, isUp: direction == .up, bytes: bytes))
        run(for: carried.flowsAt - now)
    }

    private mutating func run(for span: TimeSpan) {
        let end = now + span
        while radio.nextTransition <= end, radio.nextTransition != .never {
            now = radio.nextTransition
            note(radio.advance(profile).spent)
        }
        now = end
    }

    private mutating func note(_ spent: Residency?) {
        guard let spent else { return }
        let power = profile.power(spent.level)
        periods.append(
            (Double(power.femtojoules) / Double(power.cycle) / 1_000, (periods.last?.until ?? .zero) + spent.span))
    }

    /// Power samples, ten a second. The noise is a standard deviation in mW.
    func samples(noise: Double) -> [PowerTrace.PowerSample] {
        var dice = dice
        var (period, packet) = (0, 0)
        let length: Int64 = 100_000_000
        return (0..<now.nanoseconds / length).map { index in
            var (at, energy) = (index * length, 0.0)
            let end = at + length
            while at < end, period < periods.count {
                let until = min(periods[period].until.nanoseconds, end)
                energy += periods[period].milliwatts * Double(until - at)
                at = until
                if periods[period].until.nanoseconds <= end { period += 1 }
            }
            var power = energy / Double(length)
            while packet < packets.count, packets[packet].at.nanoseconds < end {
                let cost = profile.cost(packets[packet].isUp ? .up : .down)
                power += Double(packets[packet].bytes) * 8 * Double(cost.femtojoules) / Double(length) / 1_000
                packet += 1
            }
            let normal = (0..<12).reduce(-6.0) { sum, _ in sum + Double(dice.next() >> 11) / Double(1 << 53) }
            let from = Double(index) * 0.1
            return PowerTrace.PowerSample(from: from, until: from + 0.1, milliwatts: power + noise * normal)
        }
    }

    /// The pause after a probe of a sweep.
    enum Pause {
        /// A fixed number of tenths of a second.
        case of(Int)
        /// The sweep's growing pause: 0.1 s longer in each round.
        case own
    }

    /// Probes of the network, each with the phone's answer, and pauses according to the pattern.
    static func probes(_ profile: RadioProfile, seed: UInt64, pattern: [Pause] = [.own]) -> [SilenceFit.Probe] {
        var meter = MeteredPhone(profile, seed: seed)
        let half = TimeSpan.milliseconds(25)
        var before = 0
        return (0..<160).flatMap { round in
            pattern.map { pause in
                let sent = meter.now
                meter.run(for: half + .microseconds(meter.number(0, 8_000)))
                meter.carry(.down, 60)
                meter.carry(.up, 60)
                let answered = meter.now + half
                let tenths = if case .of(let fixed) = pause { fixed } else { round + 1 }
                meter.run(for: half + .milliseconds(100 * Int64(tenths)))
                defer { before = tenths }
                return SilenceFit.Probe(
                    silence: Double(before) / 10, roundTrip: Double((answered - sent).nanoseconds) / 1e9)
            }
        }
    }
}
