package import DeadzoneBase
import DeadzoneDevice

/// A recorded packet, reduced to the fields that a radio model needs: time, direction and size.
package struct RadioPacket: Hashable, Sendable {
    package var at: Instant
    package var isUp: Bool
    package var bytes: UInt32

    package init(at: Instant, isUp: Bool, bytes: UInt32) {
        self.at = at
        self.isUp = isUp
        self.bytes = bytes
    }
}

/// The power levels of a radio over time, computed from the times at which bits flowed.
struct RadioLevelHistory {
    /// Packets no further apart than this flow without a pause; a round trip takes longer.
    private static let flowGap = TimeSpan.milliseconds(20)

    /// Consecutive periods in time order.
    private(set) var periods: [(level: PowerLevel, until: Instant)] = []
    private var radio: Radio
    private var now: Instant
    private let begin: Instant
    private let profile: RadioProfile

    /// - Parameter begin: Not later than the first packet.
    init(_ packets: [RadioPacket], _ profile: RadioProfile, from begin: Instant, until end: Instant) {
        self.profile = profile
        self.begin = begin
        now = begin
        radio = Radio(profile: profile, phases: RadioPhases(paging: 0, drx: 0), at: begin)
        if profile.technology.isLocal { record(radio.setAssociated(true, at: begin)) }
        var last: RadioPacket?
        for packet in packets where packet.at <= end {
            if let last, packet.at - last.at <= Self.flowGap {
                record(radio.extendFlow(last.isUp && packet.isUp ? .up : .down, until: packet.at, at: now, profile))
                run(until: packet.at)
            }
            flow(packet)
            last = packet
        }
        run(until: max(now, end))
        record(radio.closePeriod(at: now))
    }

    private mutating func flow(_ packet: RadioPacket) {
        let burst = Burst(
            direction: packet.isUp ? .up : .down, bytes: packet.bytes, airtime: .zero, cause: .payload)
        let stamp = max(packet.at, now)
        while true {
            if let carried = radio.observeFlow(burst, at: stamp, since: now, profile) {
                record(carried.spent)
                return run(until: stamp)
            }
            run(until: radio.nextTransition)
        }
    }

    private mutating func run(until end: Instant) {
        while radio.nextTransition <= end, radio.nextTransition != .never {
            now = radio.nextTransition
            record(radio.advance(profile).spent)
        }
        now = end
    }

    private mutating func record(_ spent: Residency?) {
        guard let spent else { return }
        periods.append((spent.level, (periods.last?.until ?? begin) + spent.span))
    }
}
