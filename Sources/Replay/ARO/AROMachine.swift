import DeadzoneBase
import DeadzoneDevice

/// The common base of the LTE and Wi-Fi energy models of the tool ARO. Packets close together form a burst. Energy is
/// charged up to a time that only moves forward.
protocol AROMachine: AROModel {
    var progress: AROProgress { get set }
    /// Silence that is longer ends a burst.
    var longestGap: Double { get }
    /// Charges the time before a burst, and moves to its first packet.
    mutating func wake(at packet: Double)
    /// Starts a burst at the moment that is reached.
    mutating func beginBurst()
    mutating func count(_ packet: AROPacket)
    /// Charges a burst and the tail after it, cut at the next packet.
    mutating func endBurst(cutAt end: Double)
    mutating func spend(_ state: RadioState, from begin: Double, to end: Double)
}

struct AROProgress: Sendable, BitwiseCopyable {
    /// Time is charged up to here.
    var reached = 0.0
    fileprivate(set) var last = 0.0
    fileprivate var hasBegun = false
}

extension AROMachine {
    mutating func fold(_ packet: AROPacket) {
        if !progress.hasBegun {
            progress.hasBegun = true
            wake(at: packet.at)
            beginBurst()
        } else if packet.at - progress.last > longestGap {
            endBurst(cutAt: packet.at)
            if progress.reached < packet.at { wake(at: packet.at) }
            beginBurst()
        }
        count(packet)
        progress.last = packet.at
    }

    mutating func finish(until end: Double?) -> Double {
        guard progress.hasBegun else {
            spend(.idle, from: 0, to: end ?? 0)
            return end ?? 0
        }
        endBurst(cutAt: end ?? .infinity)
        let duration = end ?? progress.reached
        if progress.reached < duration { spend(.idle, from: progress.reached, to: duration) }
        return duration
    }
}
