package import DeadzoneBase

/// Estimates the smoothed round-trip time of a connection and its variation from samples (RFC 6298 §2.2, §2.3). It
/// computes with the scaled integers of Van Jacobson, "Congestion Avoidance and Control" (1988), appendix A, as kernels
/// do.
///
/// Linux adds another variation to its timeout (`tcp_rtt_estimator` in `net/ipv4/tcp_input.c`): the largest of the last
/// window of data, and at least 200 ms. It rises at once and falls by a quarter of the difference in each window. So the
/// timeout of a young connection on a slow path begins high, and a single slow sample has an effect for several round
/// trips.
package struct RoundTripEstimator: Hashable, Sendable, BitwiseCopyable {
    /// Weights with which a new round-trip sample changes the estimates. A value of n means a weight of 2^-n.
    package struct Gains: Hashable, Sendable, BitwiseCopyable {
        let trip: UInt8
        let variation: UInt8

        /// The usual weights: 1/8 for the round trip and 1/4 for its variation (RFC 6298 §2.3).
        package static var standard: Gains { Gains(trip: 3, variation: 2) }
    }

    /// Eight times the smoothed round trip, in nanoseconds. Zero before the first sample.
    private var scaledRoundTrip: Int64 = 0
    /// Four times the variation of the round trip, in nanoseconds.
    private var scaledVariation: Int64 = 0
    /// Variation that Linux adds to the round trip, in microseconds: `rttvar_us`.
    private var timeoutVariation: UInt32 = 0
    /// Largest variation in the present window of data, in microseconds: `mdev_max_us`.
    private var largestVariation: UInt32 = 0
    /// Low half of the offset at which the present window of data ends: `rtt_seq`.
    private var windowEnd: UInt32 = 0
    /// Shortest sample, in microseconds.
    private var shortest: UInt32 = .max

    package var isMeasured: Bool { scaledRoundTrip > 0 }
    package var smoothed: TimeSpan { TimeSpan(nanoseconds: scaledRoundTrip >> 3) }
    package var variation: TimeSpan { TimeSpan(nanoseconds: scaledVariation >> 2) }
    /// Four times the variation of the round trip. A timeout adds it to the smoothed round trip.
    package var fourVariations: TimeSpan { TimeSpan(nanoseconds: scaledVariation) }
    /// The time that a timeout of Linux adds to the smoothed round trip.
    var linuxVariation: TimeSpan { .microseconds(Int64(timeoutVariation)) }
    /// Shortest round trip up to now. `.zero` before the first sample.
    var shortestRoundTrip: TimeSpan { isMeasured ? .microseconds(Int64(shortest)) : .zero }

    @inline(__always)
    package mutating func measure(_ sample: TimeSpan, _ gains: Gains = .standard) {
        // A sample beyond a year has no meaning, and eight times the sample must fit the integer.
        let sample = min(sample, .hours(24 * 366)).nanoseconds
        guard sample > 0 else { return }
        shortest = min(shortest, UInt32(clamping: sample / 1_000))
        if scaledRoundTrip == 0 {
            scaledRoundTrip = sample << 3
            scaledVariation = sample << 1
        } else {
            let error = sample - scaledRoundTrip >> 3
            scaledRoundTrip += (error << 3) >> gains.trip
            scaledVariation += ((abs(error) - scaledVariation >> 2) << 2) >> gains.variation
        }
    }

    /// Records a sample as Linux does.
    /// - Parameters:
    ///   - acknowledged: Offset up to which data is acknowledged by now.
    ///   - sent: Offset up to which data was sent.
    ///   - floor: Minimum of the variation: `tcp_rto_min`.
    @inline(__always)
    mutating func measure(_ sample: TimeSpan, acknowledged: UInt64, sent: UInt64, floor: TimeSpan) {
        let sample = min(sample, .hours(24 * 366)).nanoseconds
        guard sample > 0 else { return }
        shortest = min(shortest, UInt32(clamping: sample / 1_000))
        let floor = UInt32(clamping: floor.nanoseconds / 1_000)
        guard scaledRoundTrip > 0 else { return begin(sample, sent: sent, floor) }
        let error = sample - scaledRoundTrip >> 3
        scaledRoundTrip += error
        var change = abs(error) - scaledVariation >> 2
        // A round trip that becomes shorter raises the variation slowly.
        if error < 0 && change > 0 { change >>= 3 }
        scaledVariation += change
        largestVariation = max(largestVariation, UInt32(clamping: scaledVariation / 1_000))
        timeoutVariation = max(timeoutVariation, largestVariation)
        guard Int32(truncatingIfNeeded: UInt32(truncatingIfNeeded: acknowledged) &- windowEnd) > 0 else { return }
        timeoutVariation -= (timeoutVariation - largestVariation) >> 2
        windowEnd = UInt32(truncatingIfNeeded: sent)
        largestVariation = floor
    }

    private mutating func begin(_ sample: Int64, sent: UInt64, _ floor: UInt32) {
        scaledRoundTrip = sample << 3
        scaledVariation = sample << 1
        timeoutVariation = max(UInt32(clamping: scaledVariation / 1_000), floor)
        largestVariation = timeoutVariation
        windowEnd = UInt32(truncatingIfNeeded: sent)
    }
}
