public import DeadzonePrimitives

/// The smoothed round trip and its variation: RFC 6298 §2.2, §2.3, in the scaled integers of Van Jacobson, "Congestion
/// Avoidance and Control" (1988), appendix A, which is what kernels compute with.
public struct RoundTrip: Hashable, Sendable, BitwiseCopyable {
    /// How much a new sample counts for: a half to the power of each.
    public struct Gains: Hashable, Sendable, BitwiseCopyable {
        let trip: UInt8
        let variation: UInt8

        /// An eighth and a quarter (RFC 6298 §2.3).
        public static var standard: Gains { Gains(trip: 3, variation: 2) }
    }

    /// Eight times the smoothed round trip, and four times the variation.
    private var scaledTrip: Int64 = 0
    private var scaledVariation: Int64 = 0

    public init() {}

    public var isMeasured: Bool { scaledTrip > 0 }
    public var smoothed: TimeSpan { TimeSpan(nanoseconds: scaledTrip >> 3) }
    public var variation: TimeSpan { TimeSpan(nanoseconds: scaledVariation >> 2) }
    /// What the timeout adds.
    public var fourVariations: TimeSpan { TimeSpan(nanoseconds: scaledVariation) }

    @inline(__always)
    public mutating func measure(_ sample: TimeSpan, _ gains: Gains = .standard) {
        // A sample of a year has no meaning, and eight of it must fit.
        let sample = min(sample, .hours(24 * 366)).nanoseconds
        guard sample > 0 else { return }
        if scaledTrip == 0 {
            scaledTrip = sample << 3
            scaledVariation = sample << 1
        } else {
            let error = sample - scaledTrip >> 3
            scaledTrip += (error << 3) >> gains.trip
            scaledVariation += ((abs(error) - scaledVariation >> 2) << 2) >> gains.variation
        }
    }
}
