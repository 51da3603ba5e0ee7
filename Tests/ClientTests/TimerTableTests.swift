import DeadzoneClient
import DeadzonePrimitives
import DeadzoneTestKit
import Testing

/// The timers of a session against twelve wishes in a row that are looked through each time.
@Suite struct TimerTableTests {
    /// Broken: a slot that another one's arming changes, an earliest timer that is not, one that is armed and disarmed at once.
    @Test func isTwelveWishes() {
        var ties = 0
        seedSweep(200) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            var session = Session(random: dice)
            var wishes = [(at: Instant, clock: Clock, wake: Wake)?](repeating: nil, count: TimerSlot.count)
            for _ in 0..<100 {
                let slot = TimerSlot(UInt8(dice.next().scaled(below: 12)))
                switch dice.next().scaled(below: 8) {
                case 0:
                    session.disarmAll()
                    wishes = Array(repeating: nil, count: TimerSlot.count)
                case 1, 2:
                    session.disarm(slot)
                    wishes[Int(slot.index)] = nil
                default:
                    let clock = Clock.allCases.randomElement(using: &dice)!
                    let wake: Wake = dice.next().scaled(below: 2) == 0 ? .none : .alarm
                    let span = TimeSpan.seconds(Int64(dice.next().scaled(below: 20)))
                    session.arm(slot, after: span, on: clock, wake: wake)
                    wishes[Int(slot.index)] = (.zero + span, clock, wake)
                }
                for (index, wish) in wishes.enumerated() {
                    let slot = TimerSlot(UInt8(index))
                    #expect(session.isArmed(slot) == (wish != nil), "seed \(seed)")
                    let kept = session.timers[slot]
                    #expect(kept.at == wish?.at ?? .never, "seed \(seed)")
                    if let wish { #expect(kept.clock == wish.clock && kept.wake == wish.wake, "seed \(seed)") }
                }
                let due = wishes.map { $0?.at ?? .never }
                let least = due.min()!
                #expect(session.timers.earliest.at == least, "seed \(seed)")
                #expect(Int(session.timers.earliest.slot.index) == due.firstIndex(of: least), "seed \(seed)")
                if least != .never, due.filter({ $0 == least }).count > 1 { ties += 1 }
            }
        }
        #expect(ties > 1_000)
    }

    /// Broken: the timers outgrow their place in each of a million phones.
    @Test func isSmall() {
        #expect(MemoryLayout<Session>.size <= 256, "\(MemoryLayout<Session>.size) B")
    }
}
