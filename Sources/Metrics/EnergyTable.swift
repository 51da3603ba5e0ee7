import DeadzoneDevice
import DeadzonePrimitives

/// Energy by interface, state and cause, and of the processor by cause: femtojoules of one replica, or the mean of several in
/// nanojoules. The sums by state and by cause are sums of the same integers.
struct EnergyTable: Hashable, Sendable {
    private static let states = RadioState.allCases.count
    private static let causes = Cause.allCases.count
    /// The processor's cells come after those of the radios.
    private static let radioCells = Interface.allCases.count * states * causes

    /// What the radios would have spent if nobody had ever sent anything. Not a cell: it is in the cells of those who sent.
    private(set) var idling: Int128 = 0
    private var cells = [Int128](repeating: 0, count: Self.radioCells + Self.causes)

    init() {}

    mutating func add(_ other: Self) {
        for index in cells.indices { cells[index] += other.cells[index] }
        idling += other.idling
    }

    /// In femtojoules. Without a platform nobody knows what a processor costs, and it costs nothing.
    init(_ fold: RunFold, _ prices: Prices) {
        for interface in Interface.allCases {
            let bill = Bill(fold.ledger, on: interface, prices.radios.technologies(of: interface))
            idling += bill.idling.femtojoules
            for state in RadioState.allCases {
                for cause in Cause.allCases {
                    cells[Self.cell(interface, state, cause)] = bill.energy(in: state, for: cause).femtojoules
                }
            }
        }
        guard let processor = prices.processor else { return }
        for cause in Cause.allCases {
            cells[Self.radioCells + Int(cause.rawValue)] = fold.wakes.energy(for: cause, processor).femtojoules
        }
    }

    /// The mean of one phone, in nanojoules, of a sum of tables in femtojoules. Each cell is rounded once, so what is printed adds up as
    /// exactly as what was counted.
    init(meanOf sum: Self, phones: Int128) {
        guard phones > 0 else { return }
        func mean(_ part: Int128) -> Int128 { (part + phones * 500_000) / (phones * 1_000_000) }
        for index in cells.indices { cells[index] = mean(sum.cells[index]) }
        // Of what rests, the same cells are rounded as one: without this a phone that does nothing would come to a nanojoule. The
        // cells of a radio that rests for nothing may come to less than their sum does.
        idling = max(total - mean(sum.total - sum.idling), 0)
    }

    var total: Int128 { cells.reduce(0, +) }
    /// What somebody's sending cost, the processor's waking included.
    var aboveIdle: Int128 { total - idling }

    func sum(_ interface: Interface, _ state: RadioState) -> Int128 {
        Cause.allCases.reduce(0) { $0 + cells[Self.cell(interface, state, $1)] }
    }

    /// Of the processor: the row `cpu.wake`.
    var wake: Int128 { cells[Self.radioCells...].reduce(0, +) }

    func sum(_ cause: Cause) -> Int128 {
        Interface.allCases.reduce(cells[Self.radioCells + Int(cause.rawValue)]) { sum, interface in
            RadioState.allCases.reduce(sum) { $0 + cells[Self.cell(interface, $1, cause)] }
        }
    }

    private static func cell(_ interface: Interface, _ state: RadioState, _ cause: Cause) -> Int {
        (Int(interface.rawValue) * states + Int(state.rawValue)) * causes + Int(cause.rawValue)
    }
}
