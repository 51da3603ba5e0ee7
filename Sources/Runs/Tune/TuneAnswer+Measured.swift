import DeadzoneBase
import DeadzoneClient
import DeadzoneHost
import DeadzoneMetrics
import DeadzoneScenarios

extension TuneAnswer {
    /// The results of many sets of settings in one scenario, in fresh weathers.
    private struct FreshScenario {
        let measurements: [Measurement]
        /// For each set of settings, the primary metrics that are worse than with the present settings.
        let worse: [[TuneReport.WorseMetric]]
        let troubles: [String]
    }

    /// Measures the present settings, the rows and points of the front in weathers that the search never saw. They are
    /// the weathers of `run` with the same seed. Returns `nil` if the run was stopped.
    mutating func measured(
        _ present: TuneReport.TuneRow, _ rows: [TuneReport.TuneRow], _ front: [Int]
    ) throws -> TuneReport? {
        let shown = Self.frontSample(front)
        let wanted = [presentValues] + rows.map(\.values) + shown.map { search.tried[$0].values }
        let sets = wanted.reduce(into: [[String?]]()) { if !$0.contains($1) { $0.append($1) } }
        guard let fresh = try fresh(sets) else { return nil }
        func place(_ values: [String?]) -> Int { sets.firstIndex(of: values) ?? 0 }
        func row(_ row: TuneReport.TuneRow) -> TuneReport.TuneRow {
            var row = row
            let index = place(row.values)
            row.results = fresh.scenarios.indices.map { result(index, in: $0, fresh) }
            row.changes = changes(index, since: 0, fresh)
            return row
        }
        var report = TuneReport(
            tool: toolVersion, strategy: plan.strategy.name, scenarios: plan.facts, settings: plan.settingFacts,
            goals: goals, demands: plan.demands, seed: plan.seed, replicas: plan.replicas, effort: search.effort,
            present: row(present), rows: rows.map(row), outcome: .improved, isComplete: true)
        Self.resolveClosest(&report)
        Self.reassignRoles(&report)
        Self.removeUnprovenRoles(&report)
        report.front = shown.filter { index in !rows.contains { $0.values == search.tried[index].values } }.map {
            index in
            row(plan.row([], search.tried[index].values, claimed: Self.claimed(search.tried[index].point, goals)))
        }
        report.points = search.facts
        report.overfit = overfit(shown, at: { place(search.tried[$0].values) }, in: fresh)
        report.outcome = Self.outcome(report, of: search.tried.map(\.point))
        if report.outcome == .noneMeetsDemands {
            report.unvariedSwitches = plan.space.unvariedSwitches(of: plan.strategy)
        }
        if report.outcome == .presentIsBest || report.outcome == .nothingMatters { report.rows = [] }
        if report.rows.isEmpty { report.present.kinds = [] }
        report.troubles = fresh.scenarios.flatMap(\.troubles)
        return report
    }

    /// In the few replicas of the search, no settings met the demands. If the present settings or the closest ones meet
    /// them in fresh weathers, the answer is not that none do.
    static func resolveClosest(_ report: inout TuneReport) {
        for index in report.rows.indices where report.rows[index].meetsDemands {
            report.rows[index].kinds = report.rows[index].kinds.map { $0 == .closest ? .knee : $0 }
        }
        guard report.present.meetsDemands else { return }
        report.present.kinds.removeAll { $0 == .closest }
        report.rows.removeAll { $0.kinds.contains(.closest) }
    }

    /// Gives the role of each goal to the row that is best there in fresh weathers, among the rows that keep the demands
    /// if any does. The search saw few replicas, so it can confuse rows that are close.
    static func reassignRoles(_ report: inout TuneReport) {
        for (goal, metric) in report.goals.enumerated() {
            guard let holder = report.rows.firstIndex(where: { $0.kinds.contains(.best(goal)) }) else { continue }
            let meetsAny = report.rows.contains(where: \.meetsDemands)
            func cost(_ index: Int) -> Double {
                guard let change = report.rows[index].changes[goal].change else { return .infinity }
                return metric.better == .higher ? -change : change
            }
            let rivals = report.rows.indices.filter { report.rows[$0].meetsDemands || !meetsAny }
            // The holder keeps its role if it is as good as the best.
            guard let best = rivals.min(by: { cost($0) < cost($1) }),
                !rivals.contains(holder) || cost(best) < cost(holder)
            else { continue }
            report.rows[holder].kinds.removeAll { $0 == .best(goal) }
            report.rows[best].kinds.append(.best(goal))
        }
    }

    /// Removes the roles that fresh weathers do not confirm: a cheapest row that is not cheaper than the present
    /// settings beyond chance, and a knee that is better in no goal. The present settings get these roles.
    static func removeUnprovenRoles(_ report: inout TuneReport) {
        for index in report.rows.indices {
            let row = report.rows[index]
            let proven = row.kinds.filter { kind in
                switch kind {
                case .best(let goal):
                    row.changes[goal].isBetter(report.goals[goal].better) || !report.present.meetsDemands
                case .knee: report.isBetter(row)
                case .closest: true
                }
            }
            // Settings that break a demand are no proposal.
            if report.present.meetsDemands { report.present.kinds += row.kinds.filter { !proven.contains($0) } }
            report.rows[index].kinds = proven
        }
        report.rows.removeAll(where: \.kinds.isEmpty)
    }

    static func outcome(_ report: TuneReport, of points: [SearchPoint]) -> TuneReport.TuneOutcome {
        let hasEffect = points.contains { point in
            point.violation != points[0].violation
                || point.objectives.contains { ($0 - 1).magnitude > leastEffect }
        }
        if !hasEffect { return .nothingMatters }
        let rows = [report.present] + report.rows
        if rows.contains(where: { $0.kinds.contains(.closest) }) { return .noneMeetsDemands }
        return report.rows.contains(where: report.isBetter) ? .improved : .presentIsBest
    }

    /// Points of the front, evenly along it, with both ends.
    static func frontSample(_ front: [Int]) -> [Int] {
        guard front.count > maxFront else { return front }
        return (0..<maxFront).map { front[$0 * (front.count - 1) / (maxFront - 1)] }
    }

    // MARK: Fresh weathers

    private struct FreshResults {
        let scenarios: [FreshScenario]
        /// Samples of each set of settings in all scenarios, also in those held out.
        let samples: [TuneSamples]
        /// The same in the scenarios of the search alone.
        let searched: [TuneSamples]
        let scorer: TuneScorer
    }

    private mutating func fresh(_ sets: [[String?]]) throws -> FreshResults? {
        let strategies = sets.map { plan.strategy.reading(plan.space.changes($0)) ?? plan.present }
        let scenarios = plan.scenarios + plan.heldOut
        let all = TuneEvaluator(scenarios: scenarios, metrics: evaluator.metrics, executor: executor)
        var samples = sets.map { _ in TuneSamples(scenarios: scenarios.count, metrics: evaluator.metrics.count) }
        var measured: [FreshScenario] = []
        let progress = executor.progress("tune, fresh weathers", total: sets.count * plan.replicas * scenarios.count)
        defer { progress.clear() }
        for (index, scenario) in scenarios.enumerated() {
            var simulations = SimulationPlan(scenario, strategies, seed: plan.seed, replicas: plan.replicas)
            simulations.keepsReplicaDetails = true
            let results = all.run(simulations, into: &samples, scenario: index) { count in
                for _ in 0..<count { progress.advance() }
            }
            guard let results else { return nil }
            checkRuns += sets.count * plan.replicas
            var bare = scenario
            bare.expectations = []
            let named = strategies.enumerated().map { number, strategy in
                var named = strategy
                named.name = Self.name(number)
                return named
            }
            let report = try ReportMaker(bare, named, seed: plan.seed, by: executor.withoutProgress).report(results)
            guard let report, report.isComplete else { return nil }
            let kept = BaselineMaker(scenario: bare, namedStrategies: named, seed: plan.seed).run(results, report)
            measured.append(
                FreshScenario(
                    measurements: report.strategies.map(\.measurement), worse: worse(named.map(\.name), in: kept),
                    troubles: report.troubles.map { "\(scenario.name): \($0)" }))
        }
        let searched = samples.map { $0.first(plan.scenarios.count) }
        return FreshResults(
            scenarios: measured, samples: samples, searched: searched,
            scorer: TuneScorer(goals: goals, demands: plan.demands, present: searched[0], beside: searched))
    }

    /// The primary metrics that `compare` would call worse than with the first settings. Goals and named demands have
    /// their own place in the report.
    private func worse(_ names: [String], in run: BaselineRun) -> [[TuneReport.WorseMetric]] {
        let asked = goals.map(\.name) + plan.demands.filter { !$0.isImplied }.map(\.name)
        var comparer = Comparer(floor: GateFile.defaultFloor, seed: plan.seed)
        return names.map { name in
            let compared = name == names[0] ? nil : comparer.primaryChanges(of: name, against: names[0], in: run)
            return (compared?.changes ?? []).filter { $0.decision == .worse && !asked.contains($0.metric.name) }.map {
                TuneReport.WorseMetric($0.metric, present: $0.old, new: $0.new)
            }
        }
    }

    /// Name of a set of settings in a run; the first one are the present settings.
    private static func name(_ number: Int) -> String { number == 0 ? TuneRequest.present : "settings \(number)" }

    private func result(_ set: Int, in scenario: Int, _ fresh: FreshResults) -> TuneReport.TuneResult {
        let measurement = fresh.scenarios[scenario].measurements[set]
        var result = TuneReport.TuneResult(
            figures: goals.map { measurement.figure($0.name) ?? .nothing },
            intervals: goals.map { measurement.interval($0.name) },
            means: goals.indices.map { Figure(meanOf: fresh.samples[set].values[scenario][$0]) },
            changes: goals.indices.map { goal in
                RelativeChange(
                    new: fresh.samples[set].values[scenario][goal], old: fresh.samples[0].values[scenario][goal],
                    permutations: permutations)
            },
            demands: plan.demands.indices.map { demand($0, set, scenario, fresh) })
        result.worse = fresh.scenarios[scenario].worse[set]
        return result
    }

    private func demand(_ demand: Int, _ set: Int, _ scenario: Int, _ fresh: FreshResults) -> TuneReport.DemandResult {
        let (wanted, name) = (plan.demands[demand], plan.demands[demand].name)
        let measurements = fresh.scenarios[scenario].measurements
        let figure = measurements[set].figure(name) ?? .nothing
        let isKept = wanted.excess(of: figure, reference: measurements[0].figure(name)) == 0
        let own = fresh.samples[set].values[scenario][goals.count + demand]
        let present = fresh.samples[0].values[scenario][goals.count + demand]
        let kept = zip(own, present).count {
            wanted.excess(of: Figure(sample: $0), reference: Figure(sample: $1)) == 0
        }
        return TuneReport.DemandResult(figure: figure, isKept: isKept, keptReplicas: kept)
    }

    private func changes(_ set: Int, since old: Int, _ fresh: FreshResults) -> [RelativeChange] {
        goals.indices.map { goal in
            RelativeChange(
                new: fresh.scorer.paired(fresh.searched[set], goal),
                old: fresh.scorer.paired(fresh.searched[old], goal),
                permutations: permutations)
        }
    }

    /// How much worse the front is in fresh weathers than in those of the search.
    private func overfit(
        _ shown: [Int], at place: (Int) -> Int, in fresh: FreshResults
    ) -> [TuneReport.Overfit] {
        goals.indices.map { goal in
            let ratios = shown.compactMap { index -> Double? in
                let claimed = search.tried[index].point.objectives[goal]
                let found = fresh.scorer.objectives(fresh.searched[place(index)])[goal]
                guard claimed > 0, max(claimed, found) < TuneScorer.worstRatio else { return nil }
                return found / claimed - 1
            }
            let mean = ratios.reduce(0, +) / Double(max(1, ratios.count))
            return TuneReport.Overfit(
                mean: mean, range: (ratios.min() ?? 0)...(ratios.max() ?? 0), points: ratios.count)
        }
    }
}

extension TuneSamples {
    /// The samples of the first scenarios.
    fileprivate func first(_ count: Int) -> TuneSamples {
        var part = self
        part.keep(first: count)
        return part
    }
}

extension Figure {
    /// The mean of the replicas that have a value.
    fileprivate init(meanOf samples: [Int128?]) {
        let known = samples.compactMap(\.self)
        self = known.isEmpty ? .nothing : Figure(sample: ReplicaValue.mean(known) ?? ReplicaValue.never)
    }

    /// The figure of one replica's sample.
    fileprivate init(sample: Int128?) {
        guard let sample else {
            self = .nothing
            return
        }
        self = sample == ReplicaValue.never ? .never : .value(Billionths(count: sample))
    }
}
