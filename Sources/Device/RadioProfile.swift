public import DeadzonePrimitives

/// The numbers of one radio, plain and small: what the machines read while they run. Where each number comes from is in
/// its `ProfileSheet`.
public struct RadioProfile: Hashable, Sendable {
    public var technology: Technology
    public var powers: PowerTable {
        didSet { upIsDearer = powers[.activeUp].isAtLeast(powers[.activeDown]) }
    }
    /// Which base power is charged while both directions flow: the larger.
    public private(set) var upIsDearer: Bool
    /// What a bit costs on top of the base power.
    public var costUp: BitCost
    public var costDown: BitCost
    public var machine: Machine
    /// How long a change of cell interrupts data.
    public var handover: TimeSpan
    public var search: SearchLaw
    private let lent = Lent()

    public enum Machine: Hashable, Sendable, BitwiseCopyable {
        case cellular(CellularTimers)
        case umts(UMTSTimers)
        case wifi(WiFiTimers)
    }

    public init(
        technology: Technology, powers: PowerTable, costUp: BitCost, costDown: BitCost, machine: Machine,
        handover: TimeSpan, search: SearchLaw
    ) {
        self.technology = technology
        self.powers = powers
        upIsDearer = powers[.activeUp].isAtLeast(powers[.activeDown])
        self.costUp = costUp
        self.costDown = costDown
        self.machine = machine
        self.handover = handover
        self.search = search
    }

    public func power(_ level: PowerLevel) -> Power { powers[level] }

    public func cost(_ direction: Direction) -> BitCost { direction == .up ? costUp : costDown }

    public var interface: Interface { technology == .wifi ? .wifi : .cellular }
}
