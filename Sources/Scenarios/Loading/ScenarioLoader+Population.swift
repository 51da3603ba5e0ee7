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
        let said = Node(.map(entries.filter { [key, "phones"].contains($0.key) }), at: cell.node.mark)
        var settings = SettingsReader(said, of: "a scenario", faults: faults)
        let groups = settings.population(vocabulary, opened)
        faults = settings.faults
        let phones = groups.reduce(0) { $0 + $1.phones }
        let common =
            entries.filter { ![key, "phones"].contains($0.key) }
            + [Node.Entry(key: "phones", value: .text(String(phones)))]
        var drafts: [ScenarioDraft] = []
        for group in groups where faults.count < Faults.shown {
            var own = cell
            own.node.content = laid(group.own, over: Node(.map(common))).content
            if let draft = draft(own, &faults, opened) { drafts.append(draft) }
        }
        guard faults.count == before else { return nil }
        let merged = merged(drafts, groups)
        settings = SettingsReader(said, of: "a scenario", faults: faults)
        check(drafts.map(\.scenario), merged.world, &settings)
        faults = settings.faults
        return faults.count == before ? merged : nil
    }

    private func merged(_ drafts: [ScenarioDraft], _ groups: [GroupSketch]) -> Scenario {
        var scenario = drafts[0].scenario
        scenario.world = World(of: zip(groups, drafts).map { ($0.name, $0.phones, $1.scenario.world) })
        scenario.population = zip(groups, drafts).map { group, draft in
            Scenario.Group(name: group.name, phones: group.phones, phone: draft.scenario.phone)
        }
        scenario.conditions = []
        for (draft, group) in zip(drafts, scenario.world.groups) {
            for condition in draft.scenario.conditions { scenario.note(condition, firstChange: group.firstChange) }
        }
        let own = Set(groups.flatMap { $0.own.entries ?? [] }.map(\.key))
        let people = zip(groups, drafts).map { group, draft in
            let entries = (draft.resolved.entries ?? []).filter { own.contains($0.key) }
            return Node.Entry(
                key: group.name,
                value: .map([.init(key: "phones", value: .text(String(group.phones)))] + entries).sorted)
        }
        let rest = (drafts[0].resolved.entries ?? []).filter { !own.contains($0.key) }
        let all = rest + [Node.Entry(key: "population", value: .map(people))]
        scenario.resolved = blockText(.map(all.sorted { $0.key < $1.key }))
        // One group is everybody.
        let texts = zip(groups, drafts).map { "\($0.phones) of\n\($1.worldText)" }
        if texts.count > 1 { scenario.worldHash = Fingerprint(of: texts.joined()) }
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
