import DeadzoneClient
import DeadzoneDevice
import DeadzoneEngine
import DeadzoneJournal
import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneStrategies
import DeadzoneTestKit
import Testing

/// What holds in every world, for every strategy. Worlds are drawn at random: traffic, losses, handoffs, dead zones.
@Suite struct LawTests {
    /// Broken: energy that is not conserved, time that runs backwards, a radio that jumps between states, a message that ends
    /// twice or never. 10,000 seeds.
    @Test func holdOverRandomWorlds() {
        var seeds = 0
        var sawHandoff = 0
        var sawLoss = 0
        var sawZombie = 0
        seedSweep(10_000) { seed in
            seeds += 1
            let (world, strategy) = RandomWorld(seed: seed).make()
            let run = Simulation(world: world, strategy: strategy, seed: seed).everything()
            checkTime(run, world)
            checkEnergy(run, world)
            checkTransitions(run, world)
            checkMessages(run)
            #expect(run.count(.stopped) == 0, "seed \(seed)")
            if run.count(.weather) > 2 { sawHandoff += 1 }
            if run.sum(.lostDown) + run.sum(.lostUp) > 0 { sawLoss += 1 }
            if run.sum(.zombie) > 0 { sawZombie += 1 }
        }
        // The worlds really were hostile.
        if seeds > 1_000 { #expect(sawHandoff > seeds / 2 && sawLoss > seeds / 20 && sawZombie > seeds / 20) }
    }

    private func checkTime(_ run: Everything, _ world: World) {
        var last = Instant.zero
        for record in run.records {
            #expect(last <= record.at && record.at <= world.horizon)
            last = record.at
        }
    }

    private func checkEnergy(_ run: Everything, _ world: World) {
        let ledger = run.ledger
        for (interface, profile) in [(Interface.wifi, world.wifi), (.cellular, world.cellular)] {
            guard let profile else { continue }
            #expect(ledger.time(on: interface) == world.horizon - .zero)
            let bill = Bill(ledger, on: interface, profile)
            let byState = RadioState.allCases.reduce(Energy.zero) { $0 + bill.energy(in: $1) }
            let byCause = Cause.allCases.reduce(Energy.zero) { $0 + bill.energy(for: $1) }
            #expect(byState == bill.total && byCause == bill.total)
        }
    }

    private func checkTransitions(_ run: Everything, _ world: World) {
        var last: [Interface: RadioState] = [:]
        for record in run.records where record.kind == .residency {
            let tag = RadioTag(rawValue: record.tag)
            let state = PowerLevel(rawValue: tag.level)!.state
            if let before = last[tag.interface!], before != state {
                let technology = (tag.interface == .wifi ? world.wifi : world.cellular)!.technology
                let legal = Self.legal(technology)[before]?.contains(state) == true
                #expect(legal, "\(technology): \(before) to \(state) at \(record.at)")
            }
            last[tag.interface!] = state
        }
    }

    /// What may follow what. Coverage can go at any time, and a handover interrupts what is connected.
    private static func legal(_ technology: Technology) -> [RadioState: Set<RadioState>] {
        switch technology {
        case .wifi: wifi
        case .umts: umts
        case .lte: lte
        // The second leg is added while data may already flow, and again when data comes after its tail.
        case .nrNSA:
            lte.merging([.active: [.promotion], .tail: [.promotion], .handover: [.promotion]]) { $0.union($1) }
        case .nrSA:
            lte.merging([.tail: [.inactive], .inactive: [.promotion, .idle, .search]]) { $0.union($1) }
        }
    }

    private static let lte: [RadioState: Set<RadioState>] = [
        .idle: [.promotion, .search],
        .search: [.idle],
        .promotion: [.active, .tail, .search, .handover],
        .active: [.tail, .search, .handover],
        .tail: [.shortDRX, .longDRX, .active, .idle, .search, .handover],
        .shortDRX: [.longDRX, .tail, .active, .search, .handover],
        .longDRX: [.idle, .tail, .active, .search, .handover],
        .handover: [.active, .tail, .shortDRX, .longDRX, .promotion, .idle, .search],
    ]

    private static let umts: [RadioState: Set<RadioState>] = [
        .idle: [.promotion, .search],
        .search: [.idle],
        .promotion: [.dch, .fach, .active, .search],
        // Data that came while the dedicated channel was left: the common one lasts for no time.
        .dch: [.fach, .active, .promotion, .search],
        // Profiles that price transfer apart from the dedicated channel.
        .active: [.dch, .fach, .search],
        .fach: [.idle, .promotion, .search],
    ]

    private static let wifi: [RadioState: Set<RadioState>] = [
        .idle: [.promotion, .active, .tail, .search, .handover],
        .search: [.idle],
        .promotion: [.active, .tail, .search, .idle, .handover],
        .active: [.tail, .search, .idle, .handover],
        .tail: [.active, .idle, .search, .handover],
        .handover: [.active, .tail, .idle, .search],
    ]

    private func checkMessages(_ run: Everything) {
        let down = run.count(.deliveredDown) + Int(run.sum(.lostDown) + run.sum(.pendingDown))
        let up = run.count(.deliveredUp) + Int(run.sum(.lostUp) + run.sum(.pendingUp))
        #expect(run.count(.sentDown) == down)
        #expect(run.count(.sentUp) == up)
        #expect(run.values(.deliveredDown).allSatisfy { $0 > 0 })
        #expect(run.values(.deliveredUp).allSatisfy { $0 > 0 })
    }
}
