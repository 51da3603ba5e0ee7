import DeadzoneBase
import Testing

struct FixedPointTests {
    @Test func `logarithms of powers of two are multiples of ln 2`() {
        // An octave that is off would shift every draw of one half, one quarter, one eighth of the words.
        for zeros in 0..<63 {
            let log = FixedPoint.minusLog(of: 1 << (63 - UInt64(zeros)))
            // ln 2 × 2^63, so that the error of this reference stays below 1 unit of 2^-57.
            let exact = (Int128(0x58B9_0BFB_E8E7_BCD6) * Int128(zeros + 1)) >> 6
            #expect(abs(Int128(log.units) - exact) <= 4, "2^-\(zeros + 1)")
        }
    }

    @Test func `the logarithm never rises`() {
        // Two draws in the wrong order would break paired comparisons. The risk is where segments and octaves meet.
        // Every such boundary is crossed step by step; one step is one unit of the 54 bits that the function reads.
        var seams = 0
        for octave: UInt64 in [0, 1, 2, 5, 9, 10, 11, 30, 50, 62] {
            let top: UInt64 = 1 << (63 - octave)
            let step = max(1, top >> 53)
            for segment: UInt64 in 0..<128 {
                let seam = top + UInt64(UInt128(top) * UInt128(segment) / 128)
                guard seam > 8 * step else { continue }
                var last = FixedPoint.minusLog(of: seam - 8 * step)
                for distance in -7...8 {
                    let word = UInt64(Int128(seam) + Int128(distance) * Int128(step))
                    let log = FixedPoint.minusLog(of: word)
                    #expect(log <= last, "at \(word)")
                    last = log
                }
                seams += 1
            }
        }
        #expect(seams > 1_000)
    }

    @Test func `the logarithm is never negative`() {
        // Near 1 two large terms cancel; a negative remainder would be a negative waiting time.
        for distance: UInt64 in 0..<5_000 { #expect(FixedPoint.minusLog(of: .max - distance).units >= 0) }
    }

    @Test func `e to the power of zero is one and its inverse undoes the logarithm`() {
        // The two tables were generated separately and must describe the same function.
        let one = FixedPoint(units: 0).exponential
        #expect(one.mantissa == 1 << 63 && one.exponent == 0)
        let dice = Dice(seed: 1, phone: PhoneID(0), purpose: .test)
        for slot: UInt64 in 0..<10_000 {
            let word = max(1, dice.at(slot) >> (slot % 60))
            let power = FixedPoint(units: -FixedPoint.minusLog(of: word).units).exponential
            // word = mantissa × 2^(exponent + 1), within a relative error of 2^-51.
            let shift = -(power.exponent + 1)
            let exact = UInt128(word) << UInt128(shift)
            let found = UInt128(power.mantissa)
            let error = exact > found ? exact - found : found - exact
            #expect(error <= UInt128(1) << 12, "word \(word)")
        }
    }

    @Test func `the exponential never falls`() {
        // A log-normal or Pareto draw would decrease where a segment of the table begins.
        // The boundaries are at multiples of ln 2 / 64. One step of the argument is the function's resolution: 2^-55 in
        // base 2.
        let seam = Int128(0x58B9_0BFB_E8E7_BCD6)
        func size(_ x: Int64) -> UInt128 {
            let power = FixedPoint(units: x).exponential
            return UInt128(power.exponent + 100) << 64 | UInt128(power.mantissa)
        }
        var crossed = 0
        for index in -3_000...3_000 {
            // index × ln 2 / 64 in units of 2^-57.
            let at = Int64((seam * Int128(index)) >> 12)
            var last = size(at - 20)
            for distance: Int64 in -19...20 {
                let next = size(at + distance)
                #expect(next >= last, "at \(at + distance)")
                last = next
            }
            crossed += 1
        }
        #expect(crossed == 6_001)
    }

    @Test func `the normal quantile is antisymmetric and zero in the middle`() {
        // One tail heavier than the other would move the mean of every normal draw.
        #expect(FixedPoint.normalQuantile(of: 1 << 63).units == 0)
        let dice = Dice(seed: 2, phone: PhoneID(0), purpose: .test)
        for slot: UInt64 in 0..<10_000 {
            let word = max(1, dice.at(slot) >> (slot % 64))
            let (low, high) = (FixedPoint.normalQuantile(of: word), FixedPoint.normalQuantile(of: 0 &- word))
            #expect(low.units == -high.units, "word \(word)")
        }
    }

    @Test func `the normal quantile never falls`() {
        // Where two of its three formulas meet, a draw could decrease.
        // The boundaries: the middle; |p - 1/2| = 0.425; z = 6.66, where -ln p = 25; and each octave of the tail, where
        // the step that the function resolves (45 bits) doubles.
        var seams: [UInt64] = [1 << 63, 0x1333_3333_3333_3334, 0xECCC_CCCC_CCCC_CCCC, 256_187_346, 0 &- 256_187_346]
        for bit: UInt64 in 3..<63 { seams += [1 << bit, 0 &- (1 << bit)] }
        for seam in seams {
            let significant = UInt64(64 - min(seam, 0 &- seam).leadingZeroBitCount)
            let step: UInt64 = significant > 45 ? 1 << (significant - 45) : 1
            var last: FixedPoint?
            for distance in -64...64 {
                let word = UInt64(clamping: Int128(seam) + Int128(distance) * Int128(step))
                guard word != 0 else { continue }
                let quantile = FixedPoint.normalQuantile(of: word)
                if let last { #expect(quantile >= last, "at \(word)") }
                last = quantile
            }
        }
    }

    @Test func `values without a logarithm or quantile are rejected`() async {
        // Zero would read a table out of its range and return an arbitrary value.
        await #expect(processExitsWith: .failure) { _ = FixedPoint.minusLog(of: 0) }
        await #expect(processExitsWith: .failure) { _ = FixedPoint.normalQuantile(of: 0) }
    }
}
