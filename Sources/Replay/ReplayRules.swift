package import DeadzoneBase
package import DeadzoneCaptures
package import DeadzoneDevice

/// Selects the radio model for a replay: this program's, or that of ARO or EnergyBox.
package enum ReplayRules: String, CaseIterable, Sendable {
    /// This program's radio models; timestamps are the times at which data flowed.
    case physical
    /// AT&T Video Optimizer (ARO), its defects included.
    case aro
    /// EnergyBox, its quirks included.
    case energybox

    /// Reason why these rules do not support a technology; `nil` if they do.
    package func refusal(of technology: Technology) -> String? {
        switch (self, technology) {
        case (.physical, _), (.aro, .lte), (.aro, .umts), (.aro, .wifi), (.energybox, .umts), (.energybox, .wifi): nil
        case (.aro, .nrNSA), (.aro, .nrSA): "ARO supports LTE, 3G and Wi-Fi, not 5G"
        case (.aro, .bluetooth), (.aro, .wired): "ARO supports LTE, 3G and Wi-Fi"
        case (.energybox, .lte), (.energybox, .nrNSA), (.energybox, .nrSA), (.energybox, .bluetooth),
            (.energybox, .wired):
            "EnergyBox supports 3G and Wi-Fi"
        }
    }
}

/// The meaning of an uplink packet's timestamp in a capture: the packet was sent, or only queued.
package enum TimestampMeaning: String, CaseIterable, Sendable {
    /// The time at which data flowed; a promotion was over by then.
    case flowed
    /// The time at which the phone queued the packet; a promotion begins then. Captures on the phone itself have such
    /// timestamps.
    case enqueue
}

/// A time at which a replay starts or stops counting: absolute, or relative to the first packet.
package enum ReplayMoment: Hashable, Sendable {
    case at(Timestamp)
    /// Duration after the first packet.
    case afterFirst(TimeSpan)
}

/// The period of a replay in which energy and radio time are counted.
package struct ReplayWindow: Hashable, Sendable {
    package enum WindowEnd: Hashable, Sendable {
        case moment(ReplayMoment)
        case lastPacket
        /// The end of the last tail.
        case tail
    }

    /// `nil` begins with the promotion of the first packet (physical rules), or with the first packet (other rules).
    package var from: ReplayMoment?
    package var until: WindowEnd

    package init(from: ReplayMoment? = nil, until: WindowEnd = .lastPacket) {
        self.from = from
        self.until = until
    }
}
