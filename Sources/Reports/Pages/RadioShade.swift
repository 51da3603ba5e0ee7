import DeadzoneBase

/// The colour class of a radio state in figures; several states share one, because there are fewer colours than states.
enum RadioShade: Int, CaseIterable {
    // Painting order: short states come last, so that they stay visible.
    case idle, search, tail, promotion, active

    init(_ state: RadioState) {
        switch state {
        case .idle, .powerSaving: self = .idle
        case .search: self = .search
        case .promotion, .handover: self = .promotion
        case .active, .dch: self = .active
        case .tail, .shortDRX, .longDRX, .inactive, .fach: self = .tail
        }
    }

    /// Class of the style sheet.
    var style: String {
        switch self {
        case .idle: "r-idle"
        case .search: "r-search"
        case .tail: "r-tail"
        case .promotion: "r-promo"
        case .active: "r-active"
        }
    }

    static func drawn(_ paths: ShadeTable<BarPath>, _ id: String) -> String {
        allCases.map { paths[$0].svg($0.style, hatch: $0 == .tail ? "h-tail-\(id)" : nil) }.joined()
    }
}

/// One value for each shade. A dictionary would hash for each radio period, and sum in the order of its hashes.
struct ShadeTable<Value> {
    private var values: [Value]

    init(repeating value: Value) { values = Array(repeating: value, count: RadioShade.allCases.count) }

    subscript(shade: RadioShade) -> Value {
        get { values[shade.rawValue] }
        _modify { yield &values[shade.rawValue] }
    }
}

extension ShadeTable<Double> {
    var sum: Double { values.reduce(0, +) }
}
