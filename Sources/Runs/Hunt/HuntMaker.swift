import DeadzoneBase
import DeadzoneHost
import DeadzoneLaws
package import DeadzoneMetrics
package import DeadzoneScenarios

/// Searches for worlds that break a client, shrinks them, and examines them.
package struct HuntMaker {
    private let plan: HuntPlan
    private let executor: ParallelExecutor

    /// Checks the request. Nothing runs.
    package init(_ request: HuntRequest, _ vocabulary: Vocabulary, by executor: ParallelExecutor) throws(ToolFault) {
        plan = try HuntPlan(request, vocabulary)
        self.executor = executor
    }

    /// Returns the report. A search that was stopped returns what was found until then.
    package func report() -> HuntReport {
        let request = plan.request
        var report = HuntReport(
            tool: toolVersion, scenario: plan.scenario.name, worldHash: plan.scenario.worldHash.hex,
            strategy: plan.subject.name, strategyHash: plan.subject.hash.hex,
            reference: plan.demands.compactMap(\.threshold.reference).first, seed: plan.seed, demands: plan.demands,
            effort: HuntReport.HuntEffort(budget: request.budget, grace: request.grace, trouble: request.trouble))
        // Demands on messages after the disturbances need other worlds than demands on the disturbances.
        let kinds = [false, true].map { isCalm in plan.demands.indices.filter { plan.demands[$0].isCalm == isCalm } }
            .filter { !$0.isEmpty }
        let progress = executor.progress("hunt", total: request.budget)
        for demands in kinds where report.isComplete {
            search(demands, budget: request.budget * demands.count / plan.demands.count, progress, &report)
        }
        progress.clear()
        report.finds.sort { $0.demand < $1.demand }
        return report
    }

    private func search(_ demands: [Int], budget: Int, _ progress: Progress, _ report: inout HuntReport) {
        let task = plan.task(demands)
        var search = HuntSearch(
            task, by: executor.withoutProgress, seed: plan.seed, budget: budget,
            isUnguided: plan.request.isUnguided)
        report.isComplete = search.run(progress)
        report.effort.worlds += search.worlds
        report.effort.refused += search.refused
        report.effort.situations += search.situations
        let found = search.found
        let plan = plan
        let finds = Workers.run(count: found.count, jobs: executor.jobs, stop: { false }) { index in
            plan.find(found[index], HuntEvaluator(task))
        }
        for find in finds {
            guard let answer = find ?? nil else { continue }
            var find = answer.0
            find.demand = demands[find.demand]
            report.finds.append(find)
            report.effort.shrinkRuns += answer.runs
        }
    }
}

extension HuntPlan {
    /// The search for some demands.
    func task(_ indices: [Int]) -> HuntTask {
        let chosen = indices.map { demands[$0] }
        var worlds = worlds
        worlds.ground.isCalm = chosen.contains(where: \.isCalm)
        worlds.ground.needed = Set(
            HuntGround.MessageStream.allCases.filter { stream in
                chosen.contains { $0.metric.split(separator: ".").contains { $0 == stream.rawValue } }
            })
        return HuntTask(worlds: worlds, demands: chosen, seed: scenario.seed ?? 1)
    }

    /// Shrinks and examines one world. `nil` if it breaks the demand only by entries without effect.
    func find(_ found: HuntSearch.FoundWorld, _ evaluator: HuntEvaluator) -> (HuntReport.HuntFind, runs: Int)? {
        var shrinker = HuntShrinker(found, evaluator)
        guard shrinker.shrink(), let scenario = evaluator.scenario(shrinker.genome),
            let trial = evaluator.trial(shrinker.genome),
            let client = scenario.strategies.first(where: { $0.name == subject.name })
        else { return nil }
        let genome = shrinker.genome
        let demand = evaluator.demands[found.demand]
        let title = "\(subject.name) breaks \(demand.metric)"
        let story = HuntStory(scenario, strategy: client, seed: genome.seed ?? evaluator.seed)
        // Both counts contain the entries of the scenario's own start, which no search changes.
        let foundEntries = evaluator.scenario(found.genome)?.timelineLines.count ?? found.genome.entries.count
        var find = HuntReport.HuntFind(
            demand: found.demand, value: trial.figures[found.demand], reference: trial.references[found.demand],
            world: found.number, foundEntries: foundEntries, entries: story.entries,
            messages: messages(genome, evaluator),
            yaml: evaluator.worlds.text(
                genome, extending: request.pathFromFolder(to: request.file), title: title, (demand.metric, demand.bound)
            ))
        var examiner = HuntExaminer(evaluator, demand: found.demand)
        find.ranges = examiner.ranges(genome)
        find.testedSeeds = HuntExaminer.freshSeeds
        find.brokenSeeds = examiner.brokenSeeds(genome, seed: seed)
        examiner.addClients(genome, to: &find)
        return (find, shrinker.runs + examiner.runs)
    }

    private func messages(_ genome: WorldGenome, _ evaluator: HuntEvaluator) -> [String] {
        zip(evaluator.worlds.ground.streams, genome.streams).compactMap { stream, messages in
            switch messages {
            case .none: nil
            case .every(let gap): "\(stream.rawValue) every \(gap.compoundText)"
            case .at(let times): "\(times.count) \(stream.rawValue)"
            }
        }
    }
}
