import DeadzoneBase
import DeadzoneDevice

/// Radio energy by interface, state and cause, and processor energy by cause. Values are femtojoules of one replica, or
/// the mean of several in nanojoules. The totals by state and the totals by cause add up the same integers.
struct EnergyTable: Hashable, Sendable {
    private static let states = RadioState.allCases.count
    private static let causes = Cause.allCases.count
    private static let cellsOfRadio = states * causes

    /// Energy that the radios would have spent if nothing had ever been sent. It is not a cell of its own: the cells of
    /// the causes already contain it.
    private(set) var idleEnergy: Int128 = 0
    /// The processor's cells, then those of each interface's radio. The table is as long as the last radio needs.
    private var cells: [Int128]

    init() { self.init(Interfaces(Interface.common.count)) }

    private init(_ interfaces: Interfaces) {
        cells = Array(repeating: 0, count: Self.causes + interfaces.count * Self.cellsOfRadio)
    }

    /// The interfaces that have cells.
    private var interfaces: Interfaces { Interfaces((cells.count - Self.causes) / Self.cellsOfRadio) }

    mutating func add(_ other: Self) {
        if cells.count < other.cells.count {
            cells += Array(repeating: 0, count: other.cells.count - cells.count)
        }
        for index in other.cells.indices { cells[index] += other.cells[index] }
        idleEnergy += other.idleEnergy
    }

    /// Energy of one replica, in femtojoules. Without a platform there is no processor model, so the processor costs
    /// nothing.
    init(_ fold: RunFold, _ prices: Prices) {
        self.init(prices.radios.interfaces)
        for interface in prices.radios.interfaces {
            let bill = EnergyBill(fold.ledger, on: interface, prices.radios.technologies(of: interface))
            idleEnergy += bill.idling.femtojoules
            for state in RadioState.allCases {
                for cause in Cause.allCases {
                    cells[Self.cell(interface, state, cause)] = bill.energy(in: state, for: cause).femtojoules
                }
            }
        }
        guard let processor = prices.processor else { return }
        for cause in Cause.allCases {
            cells[Int(cause.rawValue)] = fold.wakes.energy(for: cause, processor).femtojoules
        }
    }

    /// Mean of one phone in nanojoules, from a sum of tables in femtojoules. Each cell is rounded once, so the printed
    /// values add up as exactly as the counted ones.
    init(meanOf sum: Self, phones: Int128) {
        self.init(sum.interfaces)
        guard phones > 0 else { return }
        func mean(_ part: Int128) -> Int128 { (part + phones * 500_000) / (phones * 1_000_000) }
        for index in cells.indices { cells[index] = mean(sum.cells[index]) }
        // Derive the idle energy from the rounded total, so that a phone which does nothing has exactly 0 above idle,
        // not a nanojoule. The rounded cells may sum to less than the rounded idle share, hence `max`.
        idleEnergy = max(total - mean(sum.total - sum.idleEnergy), 0)
    }

    var total: Int128 { cells.reduce(0, +) }
    /// Energy caused by sending, including processor wake-ups.
    var aboveIdle: Int128 { total - idleEnergy }

    func sum(_ interface: Interface, _ state: RadioState) -> Int128 {
        guard interfaces.count > Int(interface.rawValue) else { return 0 }
        return Cause.allCases.reduce(0) { $0 + cells[Self.cell(interface, state, $1)] }
    }

    /// Energy of one radio.
    func sum(_ interface: Interface) -> Int128 { RadioState.allCases.reduce(0) { $0 + sum(interface, $1) } }

    /// Energy of processor wake-ups: the row `cpu.wake`.
    var wake: Int128 { cells[..<Self.causes].reduce(0, +) }

    func sum(_ cause: Cause) -> Int128 {
        interfaces.reduce(cells[Int(cause.rawValue)]) { sum, interface in
            RadioState.allCases.reduce(sum) { $0 + cells[Self.cell(interface, $1, cause)] }
        }
    }

    private static func cell(_ interface: Interface, _ state: RadioState, _ cause: Cause) -> Int {
        causes + Int(interface.rawValue) * cellsOfRadio + Int(state.rawValue) * causes + Int(cause.rawValue)
    }
}
