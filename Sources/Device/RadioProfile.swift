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
    public var machine: Machine { didSet { spread() } }
    public var handover: HandoverLaw
    public var search: SearchLaw
    /// The numbers of `machine` where one reads some of them without a copy of all; those of other techniques mean nothing.
    private(set) var technique = Technique.cellular
    private(set) var cellular = CellularTimers.none
    private(set) var umts = UMTSTimers.none
    private(set) var wifi = WiFiTimers.none
    private let lent = Lent()

    public enum Machine: Hashable, Sendable {
        case cellular(CellularTimers)
        case umts(UMTSTimers)
        case wifi(WiFiTimers)
    }

    enum Technique: UInt8, BitwiseCopyable { case cellular, umts, wifi }

    public init(
        technology: Technology, powers: PowerTable, costUp: BitCost, costDown: BitCost, machine: Machine,
        handover: HandoverLaw, search: SearchLaw
    ) {
        self.technology = technology
        self.powers = powers
        upIsDearer = powers[.activeUp].isAtLeast(powers[.activeDown])
        self.costUp = costUp
        self.costDown = costDown
        self.machine = machine
        self.handover = handover
        self.search = search
        spread()
    }

    private mutating func spread() {
        (cellular, umts, wifi) = (.none, .none, .none)
        switch machine {
        case .cellular(let timers): (technique, cellular) = (.cellular, timers)
        case .umts(let timers): (technique, umts) = (.umts, timers)
        case .wifi(let timers): (technique, wifi) = (.wifi, timers)
        }
    }

    public func power(_ level: PowerLevel) -> Power { powers[level] }

    public func cost(_ direction: Direction) -> BitCost { direction == .up ? costUp : costDown }

    public var interface: Interface { technology == .wifi ? .wifi : .cellular }
}
