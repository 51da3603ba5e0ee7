public import DeadzoneCaptures
public import DeadzoneDevice
public import DeadzonePrimitives

/// Whose idea of a radio a capture is replayed with.
public enum ReplayRules: String, CaseIterable, Sendable {
    /// The machines of this program, packets taken as the moments at which data flowed.
    case physical
    /// AT&T Video Optimizer (ARO), its defects included.
    case aro
    /// EnergyBox, its quirks included.
    case energybox

    /// Why a profile cannot be replayed by these rules; nil: it can.
    public func refusal(of technology: Technology) -> String? {
        switch (self, technology) {
        case (.physical, _), (.aro, .lte), (.aro, .umts), (.aro, .wifi), (.energybox, .umts), (.energybox, .wifi): nil
        case (.aro, .nrNSA), (.aro, .nrSA): "ARO knows LTE, 3G and Wi-Fi, no 5G"
        case (.energybox, .lte), (.energybox, .nrNSA), (.energybox, .nrSA): "EnergyBox knows 3G and Wi-Fi"
        }
    }
}

/// What the time stamp of an uplink packet means.
public enum StampMeaning: String, CaseIterable, Sendable {
    /// Data flowed: a promotion was over by then.
    case flowed
    /// The phone queued it: a promotion begins there. (Captures on the phone itself stamp so.)
    case enqueue
}

/// One end of the time that is replayed.
public enum ReplayMoment: Hashable, Sendable {
    case at(Stamp)
    /// So long after the first packet.
    case afterFirst(TimeSpan)
}

/// Which part of the radio's time is counted.
public struct ReplayWindow: Hashable, Sendable {
    public enum End: Hashable, Sendable {
        case moment(ReplayMoment)
        case lastPacket
        /// When the last tail is over.
        case tail
    }

    /// Nil: with the promotion of the first packet (physical), or with the first packet.
    public var from: ReplayMoment?
    public var until: End

    public init(from: ReplayMoment? = nil, until: End = .lastPacket) {
        self.from = from
        self.until = until
    }
}
