import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneLaws
import DeadzoneSimulator
import DeadzoneTestKit
import DeadzoneTransport
import Testing

/// Laws that hold in every world for every strategy. `deadzone laws` tests ten thousand worlds; this suite tests a
/// sample.
@Suite struct LawTests {
    /// Broken: energy is not conserved, time runs backwards, a radio jumps between states, or a message or call ends
    /// twice or never.
    @Test func lawsHoldInRandomWorlds() {
        let sweep = Sweep.worlds(.init(ShippedRadios.profiles), clients: SampleClients.all)
        var seen: [[Bool]] = []
        seedSweep(400) { seed in
            let finding = sweep.result(seed)
            #expect(finding.broken == [], "\(finding.client)")
            seen.append(finding.seen)
        }
        // The worlds really were hostile. Only full queues are too rare for this number of worlds: `deadzone laws` must
        // cover them.
        if seen.count >= 400 {
            let missed = CoverageCounters(sweep.coverageGoals, seen).missed
            #expect(missed.allSatisfy { $0 == "queues full" }, "\(missed)")
        }
    }

    /// Broken: a search names its goals, never meets them, and still counts as a success.
    @Test func aLongSearchMustMeetItsGoals() {
        let names = ["storms", "thaws"]
        for worlds in [CoverageCounters.minimumWorlds - 1, CoverageCounters.minimumWorlds] {
            let storms = Array(repeating: [true, false], count: worlds)
            let missing = CoverageCounters(names, storms)
            #expect(missing.missed == ["thaws"] && missing.isSufficient == (worlds < CoverageCounters.minimumWorlds))
            #expect(
                missing.text.contains("storms: in \(worlds) worlds\n")
                    && missing.text.contains("never tested") != missing.isSufficient)
            let whole = CoverageCounters(names, storms.dropLast() + [[false, true]])
            #expect(whole.missed == [] && whole.isSufficient && whole.rows.map(\.count) == [worlds - 1, 1])
        }
    }

    /// Broken: a law holds whatever happens. Records of a run are removed or reordered, and each law reports it.
    @Test func lawsReportDamagedRuns() {
        let world = Fixture.cellularWorld(
            Traffic(down: .every(.seconds(5)), up: .every(.seconds(7)), calls: .every(.seconds(3))),
            horizon: .minutes(2))
        var laws = WorldLaws()
        let kinds: [RecordKind] = [.residency, .deliveredDown, .answered]
        for kind in kinds {
            let client =
                kind == .answered ? AnyStrategy(CallingStrategy()) : AnyStrategy(SingleConnectionStrategy(.webSocket))
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

    /// Broken: the laws of radios accept anything. A state is replaced by an impossible one, one nanosecond is removed,
    /// and a technology is named that the phone does not have. The test runs for every radio that ships with the
    /// program.
    @Test(arguments: ShippedRadios.profiles.map(\.technology).indices)
    func lawsReportImpossibleRadioRecords(_ index: Int) throws {
        let profile = ShippedRadios.profiles[index]
        var world = World(
            horizon: .zero + .minutes(2), wifiLink: Fixture.link(), cellularLink: Fixture.link(),
            timeline: [TimelineEntry(at: .zero, .pathUp(profile.interface, .plain))],
            traffic: Traffic(down: .every(.seconds(30))))
        switch profile.interface {
        case .wifi: world.wifi = profile
        case .cellular: world.cellular = profile
        default: world.furtherNetworks = [FurtherNetwork(profile.interface, profile, links: [Fixture.link()])]
        }
        var laws = WorldLaws()
        Simulation(world: world, strategy: AnyStrategy(SingleConnectionStrategy(.webSocket)), seed: 1).run(
            0..<1, into: &laws)
        #expect(laws.broken(in: world) == [])
        let idle = try #require(laws.records.firstIndex { $0.isResidency(at: .idle) && $0.value > 1 })
        let next = try #require(laws.records[(idle + 1)...].firstIndex { $0.kind == .residency })
        func broken(_ place: Int, _ change: (Record) -> Record) -> [String] {
            var records = laws.records
            records[place] = change(records[place])
            return WorldLaws(records).broken(in: world)
        }
        // No radio enters a listening cycle directly from idle.
        let jumped = broken(next) { $0.replacing(level: .longDRX) }
        #expect(jumped.contains { $0.hasPrefix("\(profile.technology) from idle to longDRX") }, "\(jumped)")
        let shortened = broken(idle) { $0.replacing(value: $0.value - 1) }
        #expect(
            shortened.contains { $0.hasSuffix("of the \(profile.interface.title) radio is missing") }, "\(shortened)")
        let foreign = broken(idle) { $0.replacing(technology: 7) }
        if !profile.technology.isLocal {
            #expect(foreign.contains { $0.hasPrefix("a residency without a radio") }, "\(foreign)")
        }
    }
}

extension Record {
    fileprivate func isResidency(at level: PowerLevel) -> Bool {
        tag(of: .residency)?.level == level
    }

    /// The same record with other radio data.
    fileprivate func replacing(technology: UInt8? = nil, level: PowerLevel? = nil, value: Int64? = nil) -> Record {
        let old = tag(of: .residency)!
        let tag = RadioTag(
            interface: old.interface, technology: technology ?? old.technology, level: level ?? old.level,
            cause: old.cause)
        return Record(at: at, phone: phone, kind: kind, tag: tag.bits, value: value ?? self.value)
    }
}

extension WorldLaws {
    init(_ records: [Record]) {
        self.init()
        records.withUnsafeBufferPointer { record($0) }
    }
}
