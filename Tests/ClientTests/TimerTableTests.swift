import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing

/// Compares the timers of a session with a plain array of twelve timers that is searched each time.
@Suite struct TimerTableTests {
    /// Broken: arming one slot changes another, the earliest timer is not the earliest, or a timer is both armed and
    /// disarmed.
    @Test func behavesLikeAnArrayOfTwelveTimers() {
        var ties = 0
        seedSweep(200) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            var session = Session(random: dice)
            var expectedTimers = [(at: Instant, clock: PhoneClock, wake: WakePolicy)?](
                repeating: nil, count: TimerSlot.count)
            for _ in 0..<100 {
                let slot = TimerSlot(UInt8(dice.next().scaled(below: 12)))
                switch dice.next().scaled(below: 8) {
                case 0:
                    session.disarmAll()
                    expectedTimers = Array(repeating: nil, count: TimerSlot.count)
                case 1, 2:
                    session.disarm(slot)
                    expectedTimers[Int(slot.index)] = nil
                default:
                    let clock = PhoneClock.allCases.randomElement(using: &dice)!
                    let wake: WakePolicy = dice.next().scaled(below: 2) == 0 ? .none : .alarm
                    let span = TimeSpan.seconds(Int64(dice.next().scaled(below: 20)))
                    session.arm(slot, after: span, on: clock, wake: wake)
                    expectedTimers[Int(slot.index)] = (.zero + span, clock, wake)
                }
                for (index, expected) in expectedTimers.enumerated() {
                    let slot = TimerSlot(UInt8(index))
                    #expect(session.isArmed(slot) == (expected != nil), "seed \(seed)")
                    let kept = session.timers[slot]
                    #expect(kept.at == expected?.at ?? .never, "seed \(seed)")
                    if let expected {
                        #expect(kept.clock == expected.clock && kept.wake == expected.wake, "seed \(seed)")
                    }
                }
                let due = expectedTimers.map { $0?.at ?? .never }
                let least = due.min()!
                #expect(session.timers.earliest.at == least, "seed \(seed)")
                #expect(Int(session.timers.earliest.slot.index) == due.firstIndex(of: least), "seed \(seed)")
                if least != .never, due.filter({ $0 == least }).count > 1 { ties += 1 }
            }
        }
        #expect(ties > 1_000)
    }

    /// Broken: the timers exceed the memory that each of a million phones has for them.
    @Test func isSmall() {
        #expect(MemoryLayout<Session>.size <= 256, "\(MemoryLayout<Session>.size) B")
    }
}
