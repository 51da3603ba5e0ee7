import DeadzoneDevice
import DeadzonePrimitives
import DeadzoneSettings
import DeadzoneWorld

/// Different people in one scenario: for each group what is its own is laid over the rest, as `extends` does with files, and the
/// scenario is read once for each.
extension ScenarioLoader {
    func populated(_ cell: Matrix.Cell, _ faults: inout Faults, _ opened: OpenedFiles) -> Scenario? {
        let key = "population"
        let before = faults.count
        let entries = cell.node.entries ?? []
        var presets = Presets(vocabulary, opened, faults: faults)
        let said = Node(
            .map(
                entries.filter { [key, "phones"].contains($0.key) }.map { entry in
                    guard entry.key == key else { return entry }
                    let groups = presets.spelledOut(inGroups: entry.value, beside: cell.node["strategies"])
                    return Node.Entry(key: key, keyMark: entry.keyMark, value: groups)
                }), at: cell.node.mark)
        var settings = SettingsReader(said, of: "a scenario", faults: presets.faults)
        let groups = settings.population(vocabulary, opened)
        checkNamed(groups, cell.node, &settings)
        faults = settings.faults
        let phones = groups.reduce(0) { $0 + $1.phones }
        var common =
            entries.filter { ![key, "phones"].contains($0.key) }
            + [Node.Entry(key: "phones", value: .text(String(phones)))]
        let own = groups.compactMap(\.strategy)
        if groups.areFleet, let first = own.first {
            let settings = (first.resolved.entries ?? []).filter { $0.key != "name" }
            let fleet = Node.Entry(key: Scenario.fleet, value: .map(settings))
            common.append(Node.Entry(key: "strategies", value: .map([fleet])))
        }
        var drafts: [ScenarioDraft] = []
        for (index, group) in groups.enumerated() where faults.count < Faults.shown {
            var cell = cell
            cell.node.content = laid(group.own, over: Node(.map(common))).content
            let draft = draft(
                cell, &faults, opened, beside: own.map(\.contender.strategy), among: groups.map(\.name),
                readers: groups.readership(of: index))
            if let draft { drafts.append(draft) }
        }
        guard faults.count == before else { return nil }
        let merged = merged(drafts, groups)
        settings = SettingsReader(said, of: "a scenario", faults: faults)
        check(drafts.map(\.scenario), merged.world, &settings)
        faults = settings.faults
        return faults.count == before ? merged : nil
    }

    /// Somebody has to run what is compared.
    private func checkNamed(_ groups: [GroupSketch], _ cell: Node, _ settings: inout SettingsReader) {
        let key = "strategies"
        guard groups.areFleet, let entry = cell.entries?.first(where: { $0.key == key }) else { return }
        settings.note(
            Fault(
                .population, at: entry.keyMark, width: key.utf8.count, "strategies that nobody runs",
                label: "every group has its own `strategy`",
                help:
                    "leave out `\(key)`, and the run is called \(Scenario.fleet); or leave out the `strategy` of a group, "
                    + "which then runs what is compared"))
    }

    private func merged(_ drafts: [ScenarioDraft], _ groups: [GroupSketch]) -> Scenario {
        var scenario = drafts[0].scenario
        scenario.world = World(of: zip(groups, drafts).map { ($0.name, $0.phones, $1.scenario.world) })
        scenario.population = zip(groups, drafts).map { group, draft in
            Scenario.Group(
                name: group.name, phones: group.phones, phone: draft.scenario.phone, strategy: group.strategy?.contender
            )
        }
        if groups.areFleet {
            let hashes = groups.compactMap { $0.strategy?.contender.hash.hex }
            scenario.strategies[0].hash = Fingerprint(of: hashes.joined(separator: "\n"))
        }
        scenario.conditions = []
        for (draft, group) in zip(drafts, scenario.world.groups) {
            for condition in draft.scenario.conditions { scenario.note(condition, firstChange: group.firstChange) }
        }
        let own = Set(groups.flatMap { $0.own.entries ?? [] }.map(\.key))
        let people = zip(groups, drafts).map { group, draft in
            let entries =
                (draft.resolved.entries ?? []).filter { own.contains($0.key) }
                + (group.strategy.map { [Node.Entry(key: OwnStrategy.key, value: $0.resolved)] } ?? [])
            return Node.Entry(
                key: group.name,
                value: .map([.init(key: "phones", value: .text(String(group.phones)))] + entries).sorted)
        }
        let rest = (drafts[0].resolved.entries ?? []).filter {
            !own.contains($0.key) && !(groups.areFleet && $0.key == "strategies")
        }
        let all = rest + [Node.Entry(key: "population", value: .map(people))]
        scenario.resolved = blockText(.map(all.sorted { $0.key < $1.key }))
        // One group is everybody.
        let texts = zip(groups, drafts).map { group, draft in
            let strategy = group.strategy.map { "running \($0.contender.hash.hex)\n" } ?? ""
            return "\(group.phones) of\n\(strategy)\(draft.worldText)"
        }
        if texts.count > 1 || groups.areFleet { scenario.worldHash = Fingerprint(of: texts.joined()) }
        return scenario
    }

    /// What nobody can be told apart by.
    private func check(_ scenarios: [Scenario], _ world: World, _ settings: inout SettingsReader) {
        func refuse(_ message: String, _ label: String) {
            let key = "population"
            settings.note(
                Fault(.population, at: settings.mark(of: key), width: key.utf8.count, message, label: label))
        }
        let processors = scenarios.compactMap(\.world.platform).map {
            ProcessorPower(wakePower: $0.wakePower, wakeEnergy: $0.wakeEnergy)
        }
        if Set(processors).count > 1 {
            refuse("processors of different power", "`processor.power` and `processor.wake-up` are those of all groups")
        }
        if Set(scenarios.map(\.phone.battery)).count > 1 {
            refuse("batteries of different size", "`battery` stands under the `phone` of all groups")
        }
        for interface in Interface.allCases where world.profiles(of: interface).count > World.mostProfiles {
            refuse("more than \(World.mostProfiles) \(interface.name) profiles", "groups may share some")
        }
        if world.timeline.count > TimelineCompiler.mostChanges {
            refuse("more than \(TimelineCompiler.mostChanges) changes in all timelines", "make them shorter")
        }
    }
}

extension Scenario {
    /// A line of a timeline that several groups live by is one condition.
    fileprivate mutating func note(_ condition: Condition, firstChange: Int) {
        let changes = condition.changes.map { $0 + firstChange }
        if let known = conditions.firstIndex(where: { $0.mark == condition.mark && $0.place == condition.place }) {
            conditions[known].changes += changes
        } else {
            var own = condition
            own.changes = changes
            conditions.append(own)
        }
    }
}
