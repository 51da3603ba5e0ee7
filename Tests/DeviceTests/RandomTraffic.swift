import DeadzoneBase
import DeadzoneDevice

/// Random radio events at random intervals, from one stream of dice.
struct RandomTraffic {
    private var dice: Dice

    init(seed: UInt64) { dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test) }

    mutating func number(below bound: UInt64) -> Int64 { Int64(dice.next().scaled(below: bound)) }

    /// From zero to half a minute; short gaps are as frequent as long ones.
    mutating func gap() -> TimeSpan {
        let scales: [UInt64] = [
            1, 1_000, 5_000_000, 60_000_000, 400_000_000, 3_000_000_000, 12_000_000_000, 30_000_000_000,
        ]
        return .nanoseconds(number(below: scales[Int(number(below: 8))]))
    }

    mutating func burst() -> Burst {
        let causes: [Cause] = [.payload, .keepalive, .ack, .otherApps]
        let bytes = number(below: 4) == 0 ? 0 : number(below: 2_000)
        return Burst(
            direction: number(below: 2) == 0 ? .up : .down, bytes: UInt32(bytes),
            airtime: .nanoseconds(bytes * number(below: 200_000)), cause: causes[Int(number(below: 4))])
    }

    mutating func act(on driver: inout RadioDriver) {
        switch number(below: 40) {
        case 0: driver.setCoverage(false)
        case 1, 2, 3: driver.setCoverage(true)
        case 4: driver.handover()
        case 5: driver.settle()
        case 6 where driver.profile.technology.isLocal: driver.setAssociated(number(below: 2) == 0)
        default:
            let burst = burst()
            driver.carry(burst.direction, bytes: burst.bytes, airtime: burst.airtime, cause: burst.cause)
        }
    }
}
