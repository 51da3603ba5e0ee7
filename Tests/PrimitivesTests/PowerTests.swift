import DeadzoneBase
import Testing

struct PowerTests {
    @Test func `a milliwatt for a second is a millijoule`() {
        // A wrong factor in a unit would scale every reported joule.
        #expect(Power.milliwatts(1).energy(over: .seconds(1)).femtojoules == 1_000_000_000_000)
        #expect(Power.microwatts(1).energy(over: .nanoseconds(1)).femtojoules == 1)
        #expect(Power.zero.energy(over: .longest) == .zero)
    }

    @Test func `a duty cycle is exact over whole cycles`() {
        // 594 mW for 43 ms of every 1,280 ms is 19.9546875 mW. With a rounded mean power, a day would be off by joules.
        let idle = Power.duty(high: 594_000, for: .milliseconds(43), every: .milliseconds(1_280), low: 0)
        for cycles: Int64 in [0, 1, 2, 1_000, 67_500, 1_000_000_000] {
            let energy = idle.energy(over: .milliseconds(1_280) * cycles)
            #expect(energy.femtojoules == Int128(594_000) * 43_000_000 * Int128(cycles))
        }
    }

    @Test func `low and high share the cycle`() {
        // The low part of a duty cycle would be charged for the whole cycle, or not at all.
        let drx = Power.duty(high: 1_000, for: .milliseconds(1), every: .milliseconds(4), low: 200)
        #expect(drx.energy(over: .milliseconds(4)).femtojoules == 1_000 * 1_000_000 + 200 * 3_000_000)
        #expect(
            Power.duty(high: 7, for: .zero, every: .seconds(1), low: 3).energy(over: .seconds(5)).femtojoules
                == 15_000_000_000)
        #expect(
            Power.duty(high: 7, for: .seconds(1), every: .seconds(1), low: 3).energy(over: .seconds(5)).femtojoules
                == 35_000_000_000)
    }

    @Test func `a part of a cycle is rounded to the nearest femtojoule`() {
        // Rounding down would lose energy at every residency that ends within a cycle.
        let third = Power(femtojoules: 1, per: .nanoseconds(3))
        #expect((0...6).map { third.energy(over: .nanoseconds($0)).femtojoules } == [0, 0, 1, 1, 1, 2, 2])
    }

    @Test func `centuries at full power do not overflow`() {
        // A long horizon would trap at its end, after all the work.
        let energy = Power.microwatts(.max).energy(over: .longest)
        #expect(energy.femtojoules == Int128(Int64.max) * Int128(Int64.max))
    }

    @Test func `bytes cost eight bits each`() {
        // Energy per bit charged per byte would be eight times too small.
        // 51.97 mW per Mbit/s (LTE downlink of Huang et al., MobiSys 2012) is 51.97 nJ per bit.
        let downlink = BitCost(femtojoules: 51_970_000)
        #expect(downlink.energy(ofBytes: 1).femtojoules == 415_760_000)
        #expect(downlink.energy(ofBytes: .max).femtojoules == Int128(51_970_000) * 8 * Int128(Int64.max))
        #expect(BitCost.zero.energy(ofBytes: .max) == .zero)
    }

    @Test func `sums do not depend on their order`() {
        // With floating point, sums would depend on their order, and a report on the number of threads.
        let dice = Dice(seed: 3, phone: PhoneID(0), purpose: .test)
        let parts = (0..<1_000).map { Energy(femtojoules: Int128(dice.at($0)) << (Int128(dice.at($0 + 1_000)) % 50)) }
        let forwards = parts.reduce(.zero, +)
        #expect(parts.reversed().reduce(.zero, +) == forwards)
        var sum = Energy.zero
        for part in parts.sorted() { sum += part }
        #expect(sum == forwards)
        #expect(parts.reduce(forwards, -) == .zero)
        #expect(forwards > .zero)
    }

    @Test func `impossible powers are rejected`() async {
        // A cycle of zero length divides by zero; with negative power a phone would gain energy.
        await #expect(processExitsWith: .failure) { _ = Power(femtojoules: 1, per: .zero) }
        await #expect(processExitsWith: .failure) { _ = Power(femtojoules: -1, per: .seconds(1)) }
        await #expect(processExitsWith: .failure) {
            _ = Power.duty(high: 1, for: .seconds(2), every: .seconds(1), low: 0)
        }
    }
}
