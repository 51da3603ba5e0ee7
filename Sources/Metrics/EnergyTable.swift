import DeadzoneBase
import DeadzoneDevice

/// Radio energy by interface, state and cause, and processor energy by cause. Values are femtojoules of one replica, or
/// the mean of several in nanojoules. The totals by state and the totals by cause add up the same integers.
struct EnergyTable: Hashable, Sendable {
    private static let states = RadioState.allCases.count
    private static let causes = Cause.allCases.count
    private static let processorRow = 0

    /// Energy that the radios would have spent if nothing had ever been sent. It is not a cell of its own: the cells of
    /// the causes already contain it.
    private(set) var idleEnergy: Int128 = 0
    private(set) var total: Int128 = 0
    /// One row for the processor, then one for each state of each interface's radio. A row has a cell for each cause.
    /// The table is as long as the last radio needs.
    private var cells: [Int128]
    private var sumOfRow: [Int128]
    private var sumOfCause: [Int128]

    init() { self.init(Interfaces(Interface.common.count)) }

    private init(_ interfaces: Interfaces) {
        let rows = 1 + interfaces.count * Self.states
        cells = Array(repeating: 0, count: rows * Self.causes)
        sumOfRow = Array(repeating: 0, count: rows)
        sumOfCause = Array(repeating: 0, count: Self.causes)
    }

    /// The interfaces that have cells.
    private var interfaces: Interfaces { Interfaces((sumOfRow.count - 1) / Self.states) }

    private mutating func add(_ energy: Int128, toCell index: Int) {
        cells[index] += energy
        sumOfRow[index / Self.causes] += energy
        sumOfCause[index % Self.causes] += energy
        total += energy
    }

    mutating func add(_ other: Self) {
        if cells.count < other.cells.count {
            cells += Array(repeating: 0, count: other.cells.count - cells.count)
            sumOfRow += Array(repeating: 0, count: other.sumOfRow.count - sumOfRow.count)
        }
        for (index, energy) in other.cells.enumerated() where energy != 0 { add(energy, toCell: index) }
        idleEnergy += other.idleEnergy
    }

    /// Energy of one replica, in femtojoules. Without a platform there is no processor model, so the processor costs
    /// nothing.
    init(_ fold: RunFold, _ prices: Prices) {
        self.init(prices.radios.interfaces)
        for interface in prices.radios.interfaces {
            let bill = EnergyBill(fold.ledger, on: interface, prices.radios.technologies(of: interface))
            idleEnergy += bill.idling.femtojoules
            bill.forEachEnergy { state, cause, energy in
                add(energy.femtojoules, toCell: Self.row(interface, state) * Self.causes + Int(cause.rawValue))
            }
        }
        guard let processor = prices.processor else { return }
        for cause in Cause.allCases {
            let energy = fold.wakes.energy(for: cause, processor)
            add(energy.femtojoules, toCell: Self.processorRow * Self.causes + Int(cause.rawValue))
        }
    }

    /// Mean of one phone in nanojoules, from a sum of tables in femtojoules. Each cell is rounded once, so the printed
    /// values add up as exactly as the counted ones.
    init(meanOf sum: Self, phones: Int128) {
        self.init(sum.interfaces)
        guard phones > 0 else { return }
        func mean(_ part: Int128) -> Int128 { (part + phones * 500_000) / (phones * 1_000_000) }
        for (index, energy) in sum.cells.enumerated() where energy != 0 { add(mean(energy), toCell: index) }
        // Derive the idle energy from the rounded total, so that a phone which does nothing has exactly 0 above idle,
        // not a nanojoule. The rounded cells may sum to less than the rounded idle share, hence `max`.
        idleEnergy = max(total - mean(sum.total - sum.idleEnergy), 0)
    }

    /// Energy caused by sending, including processor wake-ups.
    var aboveIdle: Int128 { total - idleEnergy }

    func sum(_ interface: Interface, _ state: RadioState) -> Int128 {
        interfaces.count > Int(interface.rawValue) ? sumOfRow[Self.row(interface, state)] : 0
    }

    /// Energy of one radio.
    func sum(_ interface: Interface) -> Int128 { RadioState.allCases.reduce(0) { $0 + sum(interface, $1) } }

    /// Energy of processor wake-ups: the row `cpu.wake`.
    var wake: Int128 { sumOfRow[Self.processorRow] }

    func sum(_ cause: Cause) -> Int128 { sumOfCause[Int(cause.rawValue)] }

    private static func row(_ interface: Interface, _ state: RadioState) -> Int {
        1 + Int(interface.rawValue) * states + Int(state.rawValue)
    }
}
