package import DeadzoneBase

/// The mean power of a radio at each of its power levels. The table has fixed fields, because it is read on the hot
/// path and must own no memory.
package struct PowerTable: Hashable, Sendable, BitwiseCopyable {
    var unassociated = Power.zero
    var idle = Power.zero
    var search = Power.zero
    var promotion = Power.zero
    var secondPromotion = Power.zero
    var activeDown = Power.zero
    var activeUp = Power.zero
    var tail = Power.zero
    var shortDRX = Power.zero
    var longDRX = Power.zero
    var secondTail = Power.zero
    var inactive = Power.zero
    var handover = Power.zero
    var fach = Power.zero
    var dch = Power.zero
    var activeHigh = Power.zero
    var fachPromotion = Power.zero
    var powerSaving = Power.zero

    package init() {}

    package subscript(level: PowerLevel) -> Power {
        get {
            switch level {
            case .unassociated: unassociated
            case .idle: idle
            case .search: search
            case .promotion: promotion
            case .secondPromotion: secondPromotion
            case .activeDown: activeDown
            case .activeUp: activeUp
            case .tail: tail
            case .shortDRX: shortDRX
            case .longDRX: longDRX
            case .secondTail: secondTail
            case .inactive: inactive
            case .handover: handover
            case .fach: fach
            case .dch: dch
            case .activeHigh: activeHigh
            case .fachPromotion: fachPromotion
            case .powerSaving: powerSaving
            }
        }
        set {
            switch level {
            case .unassociated: unassociated = newValue
            case .idle: idle = newValue
            case .search: search = newValue
            case .promotion: promotion = newValue
            case .secondPromotion: secondPromotion = newValue
            case .activeDown: activeDown = newValue
            case .activeUp: activeUp = newValue
            case .tail: tail = newValue
            case .shortDRX: shortDRX = newValue
            case .longDRX: longDRX = newValue
            case .secondTail: secondTail = newValue
            case .inactive: inactive = newValue
            case .handover: handover = newValue
            case .fach: fach = newValue
            case .dch: dch = newValue
            case .activeHigh: activeHigh = newValue
            case .fachPromotion: fachPromotion = newValue
            case .powerSaving: powerSaving = newValue
            }
        }
    }
}

extension Power {
    func isAtLeast(_ other: Power) -> Bool {
        Int128(femtojoules) * Int128(other.cycle) >= Int128(other.femtojoules) * Int128(cycle)
    }
}
