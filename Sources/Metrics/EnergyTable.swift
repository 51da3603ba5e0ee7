import DeadzoneBase
import DeadzoneDevice

/// Radio energy by interface, state and cause, and processor energy by cause. Values are femtojoules of one replica, or
/// the mean of several in nanojoules. The totals by state and the totals by cause add up the same integers.
struct EnergyTable: Hashable, Sendable {
    private static let states = RadioState.allCases.count
    private static let causes = Cause.allCases.count
    private static let processorRow = 1
    /// A column for each cause, and one for the sum of the row.
    private static let columns = causes + 1

    /// Energy that the radios would have spent if nothing had ever been sent. It is not a cell of its own: the cells of
    /// the causes already contain it.
    private(set) var idleEnergy: Int128 = 0
    /// Row 0 has the sums of the columns. The next row is that of the processor, followed by one row for each state of
    /// each interface's radio. The table is as long as the last radio needs.
    private var numbers: [Int128]

    init() { self.init(Interfaces(Interface.common.count)) }

    private init(_ interfaces: Interfaces) {
        numbers = Array(repeating: 0, count: (2 + interfaces.count * Self.states) * Self.columns)
    }

    private var rows: Int { numbers.count / Self.columns }

    /// The interfaces that have rows.
    private var interfaces: Interfaces { Interfaces((rows - 2) / Self.states) }

    /// Adds energy to one number, and to the sums of its row and column.
    private mutating func add(_ energy: Int128, row: Int, cause: Int) {
        numbers[row * Self.columns + cause] += energy
        numbers[row * Self.columns + Self.causes] += energy
        numbers[cause] += energy
        numbers[Self.causes] += energy
    }

    mutating func add(_ other: Self) {
        if numbers.count < other.numbers.count {
            numbers += Array(repeating: 0, count: other.numbers.count - numbers.count)
        }
        for index in other.numbers.indices { numbers[index] += other.numbers[index] }
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
                add(energy.femtojoules, row: Self.row(interface, state), cause: Int(cause.rawValue))
            }
        }
        guard let processor = prices.processor else { return }
        for cause in Cause.allCases {
            let energy = fold.wakes.energy(for: cause, processor)
            add(energy.femtojoules, row: Self.processorRow, cause: Int(cause.rawValue))
        }
    }

    /// Mean of one phone in nanojoules, from a sum of tables in femtojoules. Each cell is rounded once, so the printed
    /// values add up as exactly as the counted ones.
    init(meanOf sum: Self, phones: Int128) {
        self.init(sum.interfaces)
        guard phones > 0 else { return }
        func mean(_ part: Int128) -> Int128 { (part + phones * 500_000) / (phones * 1_000_000) }
        for row in Self.processorRow..<rows where sum[row, Self.causes] != 0 {
            for cause in 0..<Self.causes where sum[row, cause] != 0 {
                add(mean(sum[row, cause]), row: row, cause: cause)
            }
        }
        // Derive the idle energy from the rounded total, so that a phone which does nothing has exactly 0 above idle,
        // not a nanojoule. The rounded cells may sum to less than the rounded idle share, hence `max`.
        idleEnergy = max(total - mean(sum.total - sum.idleEnergy), 0)
    }

    private subscript(row: Int, column: Int) -> Int128 { numbers[row * Self.columns + column] }

    var total: Int128 { numbers[Self.causes] }
    /// Energy caused by sending, including processor wake-ups.
    var aboveIdle: Int128 { total - idleEnergy }

    func sum(_ interface: Interface, _ state: RadioState) -> Int128 {
        interfaces.count > Int(interface.rawValue) ? self[Self.row(interface, state), Self.causes] : 0
    }

    /// Energy of one radio.
    func sum(_ interface: Interface) -> Int128 { RadioState.allCases.reduce(0) { $0 + sum(interface, $1) } }

    /// Energy of processor wake-ups: the row `cpu.wake`.
    var wake: Int128 { self[Self.processorRow, Self.causes] }

    func sum(_ cause: Cause) -> Int128 { numbers[Int(cause.rawValue)] }

    private static func row(_ interface: Interface, _ state: RadioState) -> Int {
        processorRow + 1 + Int(interface.rawValue) * states + Int(state.rawValue)
    }
}
