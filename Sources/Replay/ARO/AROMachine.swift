import DeadzoneDevice
import DeadzonePrimitives

/// What ARO's machines of LTE and Wi-Fi have in common: packets close together are a burst, and time is spent up to a moment
/// that only moves forward.
protocol AROMachine: AROModel {
    var course: AROCourse { get set }
    /// Silence that is longer ends a burst.
    var longestGap: Double { get }
    /// Spends the time before a burst, and moves the moment to its first packet.
    mutating func wake(at packet: Double)
    /// A burst begins at the moment that is reached.
    mutating func beginBurst()
    mutating func count(_ packet: AROPacket)
    /// Spends a burst and what follows it, cut at the next packet.
    mutating func endBurst(cutAt end: Double)
    mutating func spend(_ state: RadioState, from begin: Double, to end: Double)
}

struct AROCourse: Sendable, BitwiseCopyable {
    /// Until here time is spent.
    var reached = 0.0
    fileprivate(set) var last = 0.0
    fileprivate var hasBegun = false
}

extension AROMachine {
    mutating func fold(_ packet: AROPacket) {
        if !course.hasBegun {
            course.hasBegun = true
            wake(at: packet.at)
            beginBurst()
        } else if packet.at - course.last > longestGap {
            endBurst(cutAt: packet.at)
            if course.reached < packet.at { wake(at: packet.at) }
            beginBurst()
        }
        count(packet)
        course.last = packet.at
    }

    mutating func finish(until end: Double?) -> Double {
        guard course.hasBegun else {
            spend(.idle, from: 0, to: end ?? 0)
            return end ?? 0
        }
        endBurst(cutAt: end ?? .infinity)
        let duration = end ?? course.reached
        if course.reached < duration { spend(.idle, from: course.reached, to: duration) }
        return duration
    }
}
