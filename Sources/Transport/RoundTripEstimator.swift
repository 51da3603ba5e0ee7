public import DeadzonePrimitives

/// Estimates the smoothed round-trip time of a connection and its variation from samples (RFC 6298 §2.2, §2.3). It
/// computes with the scaled integers of Van Jacobson, "Congestion Avoidance and Control" (1988), appendix A, as kernels
/// do.
public struct RoundTripEstimator: Hashable, Sendable, BitwiseCopyable {
    /// Weights with which a new round-trip sample changes the estimates. A value of n means a weight of 2^-n.
    public struct Gains: Hashable, Sendable, BitwiseCopyable {
        let trip: UInt8
        let variation: UInt8

        /// The usual weights: 1/8 for the round trip and 1/4 for its variation (RFC 6298 §2.3).
        public static var standard: Gains { Gains(trip: 3, variation: 2) }
    }

    /// Eight times the smoothed round trip, in nanoseconds. Zero before the first sample.
    private var scaledRoundTrip: Int64 = 0
    /// Four times the variation of the round trip, in nanoseconds.
    private var scaledVariation: Int64 = 0

    public init() {}

    public var isMeasured: Bool { scaledRoundTrip > 0 }
    public var smoothed: TimeSpan { TimeSpan(nanoseconds: scaledRoundTrip >> 3) }
    public var variation: TimeSpan { TimeSpan(nanoseconds: scaledVariation >> 2) }
    /// Four times the variation of the round trip. A timeout adds it to the smoothed round trip.
    public var fourVariations: TimeSpan { TimeSpan(nanoseconds: scaledVariation) }

    @inline(__always)
    public mutating func measure(_ sample: TimeSpan, _ gains: Gains = .standard) {
        // A sample beyond a year has no meaning, and eight times the sample must fit the integer.
        let sample = min(sample, .hours(24 * 366)).nanoseconds
        guard sample > 0 else { return }
        if scaledRoundTrip == 0 {
            scaledRoundTrip = sample << 3
            scaledVariation = sample << 1
        } else {
            let error = sample - scaledRoundTrip >> 3
            scaledRoundTrip += (error << 3) >> gains.trip
            scaledVariation += ((abs(error) - scaledVariation >> 2) << 2) >> gains.variation
        }
    }
}
