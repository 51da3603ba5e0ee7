/// A power level of a radio, such as idle or tail: a row of its profile's power table. Levels are finer than the states
/// in reports, because sending and receiving, or the two parts of a tail, differ in power. Raw values are written to
/// traces: append only.
@usableFromInline package enum PowerLevel: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case unassociated, idle, search, promotion, secondPromotion
    case activeDown, activeUp
    /// Connected without data, before any DRX. It covers the whole tail if only the mean of the tail was measured.
    case tail
    case shortDRX, longDRX
    /// The rest of a tail after its first timer, on the LTE leg (NR NSA: 5G beside an LTE connection).
    case secondTail
    case inactive, handover
    case fach, dch
    /// The high-power mode of Wi-Fi in which the radio is constantly awake.
    case activeHigh
    /// The promotion (wake-up) from idle to the common channel of UMTS.
    case fachPromotion
    /// The sleep of a device with PSM, in which it cannot be paged.
    case powerSaving

    /// `true` if the level is that of an unused radio: idle, asleep (PSM), or without a network.
    @inlinable package var isAtRest: Bool { state == .idle || state == .search || state == .powerSaving }

    /// The name of the power level in event lines and traces.
    package var name: StaticString {
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
        case .powerSaving: "power_saving"
        }
    }

    @inlinable @inline(__always) package var state: RadioState {
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
        case .powerSaving: .powerSaving
        }
    }
}

/// The states of a radio by which reports group its power levels.
@usableFromInline package enum RadioState: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case idle, search, promotion, active, tail, shortDRX, longDRX, inactive, handover, dch, fach, powerSaving

    package var name: StaticString {
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
        case .powerSaving: "power_saving"
        }
    }
}
