package import DeadzoneBase

/// The powers and timers of one radio, as its state machine reads them while it runs. The source of each number is in
/// its `ProfileSource`.
package struct RadioProfile: Hashable, Sendable {
    package var technology: Technology
    package var powers: PowerTable {
        didSet { upIsDearer = powers[.activeUp].isAtLeast(powers[.activeDown]) }
    }
    /// `true` if uplink has a larger base power than downlink. The larger one is charged while both directions flow.
    package private(set) var upIsDearer: Bool
    /// Energy of an uplink bit, in addition to the base power.
    package var costUp: BitCost
    /// Energy of a downlink bit, in addition to the base power.
    package var costDown: BitCost
    package var machine: MachineTimers { didSet { copyTimers() } }
    package var handover: HandoverTimings
    package var search: SearchTimers
    /// Kind of the state machine. Its timers are stored as separate fields, so that single ones are read without a copy
    /// of all. The fields of the other machine kinds have no meaning.
    private(set) var machineKind = RadioMachineKind.cellular
    private(set) var cellular = CellularTimers.none
    private(set) var umts = UMTSTimers.none
    private(set) var wifi = WiFiTimers.none
    /// `true` if the device listens so seldom that the core network has to hold its downlink packets (PSM, eDRX).
    package private(set) var savesPower = false
    private let passByAddress = PassByAddress()

    package enum MachineTimers: Hashable, Sendable {
        case cellular(CellularTimers)
        case umts(UMTSTimers)
        case wifi(WiFiTimers)
    }

    enum RadioMachineKind: UInt8, BitwiseCopyable { case cellular, umts, wifi }

    package init(
        technology: Technology, powers: PowerTable, costUp: BitCost, costDown: BitCost, machine: MachineTimers,
        handover: HandoverTimings, search: SearchTimers
    ) {
        self.technology = technology
        self.powers = powers
        upIsDearer = powers[.activeUp].isAtLeast(powers[.activeDown])
        self.costUp = costUp
        self.costDown = costDown
        self.machine = machine
        self.handover = handover
        self.search = search
        copyTimers()
    }

    private mutating func copyTimers() {
        (cellular, umts, wifi) = (.none, .none, .none)
        switch machine {
        case .cellular(let timers): (machineKind, cellular) = (.cellular, timers)
        case .umts(let timers): (machineKind, umts) = (.umts, timers)
        case .wifi(let timers): (machineKind, wifi) = (.wifi, timers)
        }
        savesPower = cellular.saving.isOn
    }

    package func power(_ level: PowerLevel) -> Power { powers[level] }

    package func cost(_ direction: Direction) -> BitCost { direction == .up ? costUp : costDown }

    package var interface: Interface { technology.interface }
}
