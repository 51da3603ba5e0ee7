import DeadzoneBase
import DeadzoneDevice
import DeadzoneLaws
import DeadzoneSimulator
import DeadzoneTestKit
import Synchronization
import Testing

/// Runs the groups of coupled phones in reverse order.
private struct ReversedFor: ParallelFor {
    func each(_ count: Int, _ body: @Sendable (Int) -> Void) { for index in (0..<count).reversed() { body(index) } }
}

/// Populations with phones from several worlds.
@Suite struct PopulationTests {
    private static func draw(_ seed: UInt64) -> World {
        var random = RandomWorld(seed: seed, radios: RandomWorld.RadioChoices(ShippedRadios.profiles))
        random.hasFurtherNetworks = false
        var world = random.world()
        world.horizon = .zero + .minutes(4)
        world.timeline.removeAll { world.horizon <= $0.at }
        return world
    }

    private func digest(_ world: World, seed: UInt64, partitions: Int = 1) -> String {
        let simulation = Simulation(world: world, strategy: RandomWorld.draw(seed).1, seed: seed)
        var digests = Array(repeating: Digest(), count: partitions)
        if world.isCoupled {
            simulation.run(into: &digests, by: ReversedFor())
        } else {
            for (index, block) in simulation.blocks(of: 5).enumerated() {
                simulation.run(block, into: &digests[index % partitions])
            }
        }
        return digests.dropFirst().reduce(into: digests[0]) { $0.merge($1) }.hex
    }

    @Test func oneGroupOfAllPhonesIsAPlainRun() {
        // Broken: phones in a named group that contains all phones behave differently from phones without a group.
        seedSweep(40) { seed in
            var world = Self.draw(seed)
            world.phones = 6
            if seed % 2 == 0 { world.server.acceptsPerSecond = 5 }
            #expect(digest(World(of: [("all", 6, world)]), seed: seed) == digest(world, seed: seed))
        }
    }

    /// Broken: the run of a phone depends on the rest of the population, or its records name the radio or the change of
    /// another group.
    @Test func everyPhoneLivesItsOwnWorld() {
        let technologies = Mutex(Set<UInt8>())
        seedSweep(40) { seed in
            let worlds = (0..<3).map { Self.draw(seed &* 3 &+ $0) }
            let all = World(of: zip(["a", "b", "c"], worlds).map { ($0, 2, $1) })
            let strategy = RandomWorld.draw(seed).1
            let everything = Simulation(world: all, strategy: strategy, seed: seed).allRecords()
            let together = everything.records
            var spent = [Energy.zero, .zero]
            for (group, plain) in zip(all.groups, worlds) {
                var world = plain
                world.phones = 6
                var alone = AllRecords()
                Simulation(world: world, strategy: strategy, seed: seed).run(group.phones, into: &alone)
                let own = together.filter { group.phones.contains($0.phone) }.map { $0.of(group) }
                #expect(own == alone.records, "\(group.name)")
                for (place, interface) in Interface.common.enumerated() {
                    spent[place] += EnergyBill(alone.ledger, on: interface, world.profiles(of: interface)).total
                }
            }
            for (place, interface) in Interface.common.enumerated() {
                let bill = EnergyBill(everything.ledger, on: interface, all.profiles(of: interface))
                // A ledger cell that sums several phones is rounded once.
                #expect(abs(bill.total.femtojoules - spent[place].femtojoules) < 10_000, "\(interface)")
            }
            for record in together {
                guard let tag = record.tag(of: .residency) else { continue }
                #expect(Int(tag.technology) < all.profiles(of: tag.interface).count)
                technologies.withLock { _ = $0.insert(tag.technology) }
            }
        }
        #expect(technologies.withLock { $0.count } > 4)
    }

    @Test func divisionAmongWorkersDoesNotChangeResults() {
        // Broken: results depend on which phones run on the same worker.
        seedSweep(30) { seed in
            let worlds = (0..<3 as Range<UInt64>).map { number in
                var world = Self.draw(seed &* 3 &+ number)
                world.server = Self.draw(seed).server
                if seed % 2 == 0 { world.server.acceptsPerSecond = 5 }
                return world
            }
            let all = World(of: [("a", 4, worlds[0]), ("b", 1, worlds[1]), ("c", 9, worlds[2])])
            let once = digest(all, seed: seed)
            for partitions in [2, 3, 8] {
                #expect(digest(all, seed: seed, partitions: partitions) == once, "\(partitions) partitions")
            }
        }
    }
}

extension Record {
    /// The record as it would be if the group were alone.
    fileprivate func of(_ group: PopulationGroup) -> Record {
        var tag = tag
        if let radio = self.tag(of: .residency) {
            tag =
                RadioTag(
                    interface: radio.interface,
                    technology: radio.technology - group.world.firstProfile(of: radio.interface), level: radio.level,
                    cause: radio.cause, isSilent: radio.isSilent
                ).bits
        } else if let bytes = self.tag(of: .bytes) {
            tag =
                BytesTag(
                    interface: bytes.interface,
                    technology: bytes.technology - group.world.firstProfile(of: bytes.interface),
                    direction: bytes.direction, cause: bytes.cause
                ).bits
        } else if let silence = self.tag(of: .silent) ?? self.tag(of: .presenceAway) {
            tag = SilenceTag(silence.cause, change: silence.change.map { $0 - UInt16(group.firstChange) }).bits
        } else if kind == .weather || kind.isLoss && tag > 0 {
            tag -= UInt16(group.firstChange)
        }
        return Record(at: at, phone: phone, kind: kind, tag: tag, value: value)
    }
}
