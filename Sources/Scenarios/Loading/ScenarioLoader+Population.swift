import DeadzoneBase
import DeadzoneDevice
import DeadzoneSimulator

/// Scenarios with a population. For each group, the group's own settings are merged over the common settings, as
/// `extends` does with files, and the scenario is read once.
extension ScenarioLoader {
    func populated(_ cell: Matrix.MatrixCell, _ faults: inout Faults, _ opened: OpenedFiles) -> Scenario? {
        let key = "population"
        let before = faults.found
        let entries = cell.node.entries ?? []
        var presets = PresetExpander(vocabulary, opened, faults: faults)
        let populationNode = Node(
            .map(
                entries.filter { [key, "phones"].contains($0.key) }.map { entry in
                    guard entry.key == key else { return entry }
                    let groups = presets.expanded(inGroups: entry.value, beside: cell.node["strategies"])
                    return Node.MapEntry(key: key, keyMark: entry.keyMark, value: groups)
                }), at: cell.node.mark)
        var settings = SettingsReader(populationNode, of: "a scenario", faults: presets.faults)
        let groups = settings.population(vocabulary, opened)
        checkNamed(groups, cell.node, &settings)
        faults = settings.faults
        let phones = groups.reduce(0) { $0 + $1.phones }
        var common =
            entries.filter { ![key, "phones"].contains($0.key) }
            + [Node.MapEntry(key: "phones", value: .text(String(phones)))]
        let own = groups.compactMap(\.strategy)
        if groups.isFleet, let first = own.first {
            let settings = (first.resolved.entries ?? []).filter { $0.key != "name" }
            let fleet = Node.MapEntry(key: Scenario.fleet, value: .map(settings))
            common.append(Node.MapEntry(key: "strategies", value: .map([fleet])))
        }
        var drafts: [ScenarioDraft] = []
        for (index, group) in groups.enumerated() where faults.count < Faults.maxShown {
            var cell = cell
            cell.node.content = overlaid(group.own, over: Node(.map(common))).content
            let draft = draft(
                cell, &faults, opened, beside: own.map(\.namedStrategy.strategy), among: groups.map(\.name),
                scope: groups.timelineScope(of: index))
            if let draft { drafts.append(draft) }
        }
        // The same fault in an earlier cell of a matrix is counted once, so an equal count does not prove that every
        // group was read.
        guard faults.found == before, !drafts.isEmpty, drafts.count == groups.count else { return nil }
        let merged = merged(drafts, groups)
        settings = SettingsReader(populationNode, of: "a scenario", faults: faults)
        check(drafts.map(\.scenario), merged.world, &settings)
        faults = settings.faults
        return faults.found == before ? merged : nil
    }

    /// Refuses `strategies` if every group has its own strategy, because then no phone runs the compared strategies.
    private func checkNamed(_ groups: [GroupSketch], _ cell: Node, _ settings: inout SettingsReader) {
        let key = "strategies"
        guard groups.isFleet, let entry = cell.entries?.first(where: { $0.key == key }) else { return }
        guard entry.keyMark != AddedStrategy.mark else {
            settings.note(
                Fault(
                    .population, at: settings.mark(of: "population"), width: "population".utf8.count,
                    "no phone can run the strategies of `--with`", label: "every group has its own `strategy`",
                    help: "remove the `strategy` of a group, which then runs the compared strategies"))
            return
        }
        settings.note(
            Fault(
                .population, at: entry.keyMark, width: key.utf8.count, "strategies that no group runs",
                label: "every group has its own `strategy`",
                help:
                    "remove `\(key)`, and the run is called \(Scenario.fleet); or remove the `strategy` of a group, "
                    + "which then runs the compared strategies"))
    }

    private func merged(_ drafts: [ScenarioDraft], _ groups: [GroupSketch]) -> Scenario {
        var scenario = drafts[0].scenario
        scenario.world = World(of: zip(groups, drafts).map { ($0.name, $0.phones, $1.scenario.world) })
        scenario.population = zip(groups, drafts).map { group, draft in
            Scenario.ScenarioGroup(
                name: group.name, phones: group.phones, phone: draft.scenario.phone,
                strategy: group.strategy?.namedStrategy
            )
        }
        if groups.isFleet {
            let hashes = groups.compactMap { $0.strategy?.namedStrategy.hash.hex }
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
                + (group.strategy.map { [Node.MapEntry(key: GroupStrategy.key, value: $0.resolved)] } ?? [])
            return Node.MapEntry(
                key: group.name,
                value: .map([.init(key: "phones", value: .text(String(group.phones)))] + entries).sorted)
        }
        let rest = (drafts[0].resolved.entries ?? []).filter {
            !own.contains($0.key) && !(groups.isFleet && $0.key == "strategies")
        }
        let all = rest + [Node.MapEntry(key: "population", value: .map(people))]
        scenario.resolvedSettings = .map(all.sorted { $0.key < $1.key })
        // A population of one group is the same world as a scenario without groups.
        let texts = zip(groups, drafts).map { group, draft in
            let strategy = group.strategy.map { "running \($0.namedStrategy.hash.hex)\n" } ?? ""
            return "\(group.phones) of\n\(strategy)\(draft.worldText)"
        }
        if texts.count > 1 || groups.isFleet { scenario.worldHash = Fingerprint(of: texts.joined()) }
        return scenario
    }

    /// Refuses differences between groups that the results cannot represent.
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
            refuse(
                "processors with different power",
                "`processor.power` and `processor.wake-up` are the same for all groups")
        }
        if Set(scenarios.map(\.phone.battery)).count > 1 {
            refuse("batteries of different capacity", "write `battery` under the `phone` of the scenario")
        }
        for interface in Interface.allCases {
            let most = World.maxProfiles(of: interface)
            guard world.profiles(of: interface).count > most else { continue }
            refuse("more than \(most) \(interface.name) profile\(most == 1 ? "" : "s")", "groups may share some")
        }
        if world.timeline.count > TimelineCompiler.mostChanges {
            refuse("more than \(TimelineCompiler.mostChanges) changes in all timelines", "make them shorter")
        }
    }
}

extension Scenario {
    /// Adds a condition. A timeline entry that several groups share is one condition with the changes of all of them.
    fileprivate mutating func note(_ condition: DeclaredCondition, firstChange: Int) {
        let changes = condition.changes.map { $0 + firstChange }
        let starts = condition.starts.mapValues { $0.map { $0 + firstChange } }
        let parts = condition.parts.mapValues { $0.map { $0 + firstChange } }
        if let known = conditions.firstIndex(where: { $0.mark == condition.mark && $0.origin == condition.origin }) {
            conditions[known].changes += changes
            conditions[known].starts.merge(starts) { $0 + $1 }
            conditions[known].parts.merge(parts) { $0 + $1 }
        } else {
            var own = condition
            own.changes = changes
            own.starts = starts
            own.parts = parts
            conditions.append(own)
        }
    }
}
