import DeadzoneClient
import DeadzoneDevice
import DeadzoneEngine
import DeadzoneJournal
import DeadzoneLaws
import DeadzonePrimitives
import DeadzoneSystem
import DeadzoneTestKit
import DeadzoneTransport
import DeadzoneWorld
import Testing

/// What holds in every world, for every strategy; `deadzone laws` says so of ten thousand worlds, this of some.
@Suite struct LawTests {
    /// Broken: energy that is not conserved, time that runs backwards, a radio that jumps between states, a message or a call
    /// that ends twice or never.
    @Test func holdInRandomWorlds() {
        let sweep = Sweep.worlds(.init(Shipped.profiles), clients: Clients.all)
        var seen: [[Bool]] = []
        seedSweep(400) { seed in
            let finding = sweep.finding(seed)
            #expect(finding.broken == [], "\(finding.client)")
            seen.append(finding.seen)
        }
        // The worlds really were hostile. Full queues are rarer than one world in so many: `deadzone laws` has to meet them.
        if seen.count >= 400 {
            let missed = Sights(sweep.sights, seen).missed
            #expect(missed.allSatisfy { $0 == "queues full" }, "\(missed)")
        }
    }

    /// Broken: a search that says what it looks for, never meets it, and calls that a success.
    @Test func aLongSearchHasToMeetWhatItLooksFor() {
        let names = ["storms", "thaws"]
        for worlds in [Sights.worlds - 1, Sights.worlds] {
            let storms = Array(repeating: [true, false], count: worlds)
            let missing = Sights(names, storms)
            #expect(missing.missed == ["thaws"] && missing.isWide == (worlds < Sights.worlds))
            #expect(
                missing.text.contains("storms: in \(worlds) worlds\n")
                    && missing.text.contains("never met") != missing.isWide)
            let whole = Sights(names, storms.dropLast() + [[false, true]])
            #expect(whole.missed == [] && whole.isWide && whole.rows.map(\.count) == [worlds - 1, 1])
        }
    }

    /// Broken: a law that holds whatever happens. Records are left out of a run, or changed, and each law complains.
    @Test func noticeWhatIsWrong() {
        let world = Fixture.cellularWorld(
            Traffic(down: .every(.seconds(5)), up: .every(.seconds(7)), calls: .every(.seconds(3))),
            horizon: .minutes(2))
        var laws = WorldLaws()
        let kinds: [Kind] = [.residency, .deliveredDown, .answered]
        for kind in kinds {
            let client = kind == .answered ? AnyStrategy(Asker()) : AnyStrategy(Rider(.webSocket))
            laws = WorldLaws()
            Simulation(world: world, strategy: client, seed: 1).run(0..<1, into: &laws)
            #expect(laws.broken(in: world) == [])
            var records = laws.records
            guard let place = records.lastIndex(where: { $0.kind == kind }) else {
                Issue.record("no \(kind) in the run")
                continue
            }
            records.remove(at: place)
            #expect(!WorldLaws(records).broken(in: world).isEmpty, "\(kind)")
        }
        #expect(!WorldLaws(laws.records.reversed()).broken(in: world).isEmpty)
    }

    /// Broken: the laws of radios hold of whatever a radio does. A state is put where it cannot be, a nanosecond is left out, and a
    /// technology is named that the phone has not; once for every radio that comes with the program.
    @Test(arguments: Shipped.profiles.map(\.technology).indices)
    func noticeWhatNoRadioDoes(_ index: Int) throws {
        let profile = Shipped.profiles[index]
        var world = World(
            horizon: .zero + .minutes(2), wifiLink: Fixture.link(), cellularLink: Fixture.link(),
            timeline: [TimelineEntry(at: .zero, .pathUp(profile.interface, .plain))],
            traffic: Traffic(down: .every(.seconds(30))))
        if profile.technology == .wifi { world.wifi = profile } else { world.cellular = profile }
        var laws = WorldLaws()
        Simulation(world: world, strategy: AnyStrategy(Rider(.webSocket)), seed: 1).run(0..<1, into: &laws)
        #expect(laws.broken(in: world) == [])
        let idle = try #require(laws.records.firstIndex { $0.isResidency(at: .idle) && $0.value > 1 })
        let next = try #require(laws.records[(idle + 1)...].firstIndex { $0.kind == .residency })
        func broken(_ place: Int, _ change: (Record) -> Record) -> [String] {
            var records = laws.records
            records[place] = change(records[place])
            return WorldLaws(records).broken(in: world)
        }
        // From idle no radio gets to a cycle of listening without a word.
        let jumped = broken(next) { $0.told(level: .longDRX) }
        #expect(jumped.contains { $0.hasPrefix("\(profile.technology) from idle to longDRX") }, "\(jumped)")
        let shortened = broken(idle) { $0.told(value: $0.value - 1) }
        #expect(shortened.contains { $0.hasSuffix("of the \(profile.interface) radio is nowhere") }, "\(shortened)")
        let foreign = broken(idle) { $0.told(technology: 7) }
        if profile.technology != .wifi {
            #expect(foreign.contains { $0.hasPrefix("a residency of no radio") }, "\(foreign)")
        }
    }
}

extension Record {
    fileprivate func isResidency(at level: PowerLevel) -> Bool {
        tag(of: .residency)?.level == level
    }

    /// The same with something else said of its radio.
    fileprivate func told(technology: UInt8? = nil, level: PowerLevel? = nil, value: Int64? = nil) -> Record {
        let old = tag(of: .residency)!
        let tag = RadioTag(
            interface: old.interface, technology: technology ?? old.technology, level: level ?? old.level,
            cause: old.cause)
        return Record(at: at, lane: lane, kind: kind, tag: tag.bits, value: value ?? self.value)
    }
}

extension WorldLaws {
    init(_ records: [Record]) {
        self.init()
        records.withUnsafeBufferPointer { record($0) }
    }
}
