/// What a radio draws at one moment: a row of its profile's power table. Finer than the state a report names, because
/// sending and receiving, or the two parts of a tail, draw differently. Raw values are written to traces: append only.
public enum PowerLevel: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case unassociated, idle, search, promotion, secondPromotion
    case activeDown, activeUp
    /// Connected and silent, before any DRX (or the whole tail, where only its mean was measured).
    case tail
    case shortDRX, longDRX
    /// What remains of a tail after its first timer, on the LTE leg (NR NSA).
    case secondTail
    case inactive, handover
    case fach, dch
    /// Wi-Fi's high constant-awake mode.
    case activeHigh
    /// From idle to the common channel of UMTS.
    case fachPromotion

    /// What a radio draws that nobody uses: idle, or without a network.
    @inlinable public var isAtRest: Bool { state == .idle || state == .search }

    /// The name in event lines and traces.
    public var name: StaticString {
        switch self {
        case .unassociated: "unassociated"
        case .idle: "idle"
        case .search: "search"
        case .promotion: "promotion"
        case .secondPromotion: "second_promotion"
        case .activeDown: "active_down"
        case .activeUp: "active_up"
        case .tail: "tail"
        case .shortDRX: "short_drx"
        case .longDRX: "long_drx"
        case .secondTail: "second_tail"
        case .inactive: "inactive"
        case .handover: "handover"
        case .fach: "fach"
        case .dch: "dch"
        case .activeHigh: "active_high"
        case .fachPromotion: "fach_promotion"
        }
    }

    @inlinable @inline(__always) public var state: RadioState {
        switch self {
        case .unassociated, .idle: .idle
        case .search: .search
        case .promotion, .secondPromotion, .fachPromotion: .promotion
        case .activeDown, .activeUp, .activeHigh: .active
        case .tail, .secondTail: .tail
        case .shortDRX: .shortDRX
        case .longDRX: .longDRX
        case .inactive: .inactive
        case .handover: .handover
        case .fach: .fach
        case .dch: .dch
        }
    }
}

/// The states a report names.
public enum RadioState: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case idle, search, promotion, active, tail, shortDRX, longDRX, inactive, handover, dch, fach

    public var name: StaticString {
        switch self {
        case .idle: "idle"
        case .search: "search"
        case .promotion: "promotion"
        case .active: "active"
        case .tail: "tail"
        case .shortDRX: "short_drx"
        case .longDRX: "long_drx"
        case .inactive: "inactive"
        case .handover: "handover"
        case .dch: "dch"
        case .fach: "fach"
        }
    }
}
