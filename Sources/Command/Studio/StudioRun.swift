import DeadzoneBase
import DeadzoneHost
import DeadzoneMetrics
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSimulator
import Synchronization

/// Checks and simulates the scenario in the studio's editor, for one call of the page.
struct StudioRun {
    /// Most frames of progress that one run sends.
    private static let progressFrames = 50

    private let text: [UInt8]
    /// The shown cell of a matrix.
    private let cell: Int
    /// The clients with visible sliders; `nil` if it does not know the clients yet.
    private let opened: Set<String>?
    /// The results of all replicas before the last change, as this program sent them. `nil` if there are none.
    private let before: BaselineRun?
    /// `true` if the reader looks closely at the timeline, so that it needs more than one mark in each column of pixels.
    private let isDetailed: Bool
    private let files: StudioFiles
    private let context: CommandContext
    private let executor: ParallelExecutor
    private let stop: StudioStop

    /// - Parameter wish: the body of the call.
    init(_ wish: JSON, _ files: StudioFiles, _ context: CommandContext, _ stop: StudioStop) {
        text = Array((wish["text"]?.string ?? "").utf8)
        cell = wish["cell"]?.integer.flatMap { Int(exactly: $0) } ?? 0
        opened = wish["opened"]?.items.map { Set($0.compactMap(\.string)) }
        isDetailed = wish["detail"]?.bool ?? false
        before = (wish["before"]?.string).flatMap { try? Baseline(text: Array($0.utf8)) }?.runs.first
        self.files = files
        self.context = context
        self.stop = stop
        executor = ParallelExecutor(jobs: context.cores, isStopped: stop.isStopped)
    }

    private var loaded: LoadedScenarios {
        ScenarioLoader(context.vocabulary, read: files.read).load(text, name: files.name)
    }

    // MARK: Page

    /// Sends the faults of the text; if there are none, the results.
    /// - Parameter isWhole: `true` for all replicas; `false` for the first one with its timeline.
    /// - Returns: The scenario, for its sliders; `nil` if the text has faults.
    func answer(_ frames: StudioFrames, isWhole: Bool) throws -> Scenario? {
        let loaded = loaded
        frames.send("lint", lint(loaded))
        guard loaded.faults.isEmpty, !loaded.scenarios.isEmpty else { return nil }
        let scenario = shown(loaded)
        if isWhole {
            try sendAllReplicas(scenario, frames)
        } else {
            try sendFirstReplica(scenario, frames)
        }
        return scenario
    }

    /// Sends the sliders, which take longer than the timeline of a short scenario. The next run need not wait for them.
    func sendSliders(of scenario: Scenario, _ frames: StudioFrames) {
        let sliders = sliders(of: scenario)
        if !stop.isStopped() { frames.send("sliders", sliders) }
    }

    private func shown(_ loaded: LoadedScenarios) -> Scenario {
        loaded.scenarios[min(max(0, cell), loaded.scenarios.count - 1)]
    }

    /// The sliders of the opened clients. `nil` if the text has faults.
    var sliders: JSON? {
        let loaded = loaded
        guard loaded.faults.isEmpty, !loaded.scenarios.isEmpty else { return nil }
        return .object(sliders(of: shown(loaded)))
    }

    /// Sliders of more clients than these are made only for clients that the reader opens.
    private static let maximumOpened = 4

    private func sliders(of scenario: Scenario) -> [String: JSON] {
        let names = scenario.strategies.map(\.name)
        let opened = opened ?? Set(names.count > Self.maximumOpened ? names.prefix(1) : names[...])
        let sliders = NumberSlider.all(
            of: text, scenario, context.vocabulary, strategies: opened, isStopped: stop.isStopped)
        return [
            "sliders": .array(sliders.map(Self.json)),
            "opened": .array(names.filter(opened.contains).map { .string($0) }),
        ]
    }

    private func sendFirstReplica(_ scenario: Scenario, _ frames: StudioFrames) throws {
        // The timeline shows one phone. If phones do not share a server, the others need not run.
        let isAlone = scenario.world.phones == 1 || scenario.world.isCoupled
        let compared = scenario.groupStrategies.firstIndex { $0 == nil }
        let first = compared.map { Int(scenario.world.groups[$0].phones.lowerBound) } ?? 0
        guard let run = try finished(scenario, replicas: 1, focus: Focus(phone: isAlone ? nil : first)) else { return }
        let histories = run.histories(by: executor)
        guard !stop.isStopped() else { return }
        let tracedRun = RunWithTraces(report: run.report, histories: histories, chartData: run.chartData)
        let timeline = ReportPage.timeline(tracedRun, isOverview: !isDetailed)
        frames.send("timeline", ["isComplete": .bool(timeline.isComplete)], content: timeline.html)
        frames.send(
            "results", StudioFigures(report: run.report, planned: 1).members, content: ReportPage.results(tracedRun))
    }

    private func sendAllReplicas(_ scenario: Scenario, _ frames: StudioFrames) throws {
        let progress = StudioProgress()
        let run = try finished(scenario, replicas: scenario.replicas, keepsSeries: true) { total in
            let done = progress.advance()
            guard done.isMultiple(of: max(1, total / Self.progressFrames)) else { return }
            frames.send("progress", ["done": .integer(Int128(done)), "total": .integer(Int128(total))])
        }
        guard let run, !stop.isUnwanted() else { return }
        let series = run.networkSeries
        let tracedRun = RunWithTraces(report: run.report, chartData: run.chartData, series: series)
        let figures = StudioFigures(
            report: run.report, planned: scenario.replicas, series: series, before: before)
        frames.send("results", figures.members, content: ReportPage.results(tracedRun))
    }

    private func lint(_ loaded: LoadedScenarios) -> [String: JSON] {
        let first = loaded.scenarios.first
        return [
            "faults": .array(
                loaded.faults.sorted.map { fault in
                    var members = ["width": JSON.integer(Int128(fault.width))]
                    if fault.mark.file == 0, let replacement = fault.replacement {
                        members["replacement"] = .string(replacement)
                    }
                    guard case .object(let shown) = ScenarioFiles.json(fault, loaded.files) else { return .null }
                    if fault.mark.file != 0 { members["isElsewhere"] = .bool(true) }
                    return .object(shown.merging(members) { $1 })
                }),
            "cells": .array(loaded.scenarios.count > 1 ? loaded.scenarios.map { .string($0.name) } : []),
            "strategies": .array(
                (first?.strategies ?? []).compactMap { named in
                    named.mark.flatMap { mark in
                        mark.file == 0
                            ? .object(["name": .string(named.name), "line": .integer(Int128(mark.line))]) : nil
                    }
                }),
            "flags": .string(first.map { "--seed \($0.seed ?? 1) --replicas \($0.replicas)" } ?? ""),
        ]
    }

    private static func json(_ slider: NumberSlider) -> JSON {
        var members: [String: JSON] = [
            "strategy": .string(slider.strategy), "name": .string(slider.name),
            "line": .integer(Int128(slider.mark.line)), "column": .integer(Int128(slider.mark.column)),
            "width": .integer(Int128(slider.width)), "stops": .array(slider.stops.map { .string($0) }),
            "position": .integer(Int128(slider.position)),
        ]
        if let insertion = slider.insertion {
            members["before"] = .string(insertion.before)
            members["after"] = .string(insertion.after)
        }
        return .object(members)
    }

    // MARK: Simulation

    /// - Parameters:
    ///   - keepsSeries: `true` keeps the headline metrics of each replica.
    ///   - onPart: called after each part of the simulation, on any thread, with the number of all parts.
    /// - Returns: `nil` if the run was stopped before its first replica ended, or if no page waits for it.
    private func finished(
        _ scenario: Scenario, replicas: Int, focus: Focus = Focus(), findsWitnesses: Bool = false,
        keepsSeries: Bool = false, onPart: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws -> FinishedRun? {
        let seed = scenario.seed ?? 1
        var plan = SimulationPlan(scenario, scenario.strategies, seed: seed, replicas: replicas, focus: focus)
        plan.foldsByPhone = findsWitnesses
        plan.keepsReplicaDetails = keepsSeries
        let total = plan.partCount
        let results = plan.run(by: executor, onPart: { onPart(total) })
        guard !stop.isUnwanted() else { return nil }
        let maker = ReportMaker(scenario, scenario.strategies, seed: seed, focus: focus, by: executor)
        guard var report = try maker.report(results) else { return nil }
        if findsWitnesses, report.isComplete {
            report = WitnessFinder(plan, results, by: executor).addingWitnesses(report, onlyFailed: false)
        }
        return FinishedRun(
            report: report, scenario: scenario, namedStrategies: scenario.strategies, simulationPlan: plan,
            totals: results.byStrategy.map(\.replicas.merged),
            networkSeries: keepsSeries
                ? AcrossMaker.pairedSeries(
                    results, report, scenario, scenario.strategies, StudioFigures.pairedMetrics) : nil,
            isStopped: stop.isStopped)
    }

    // MARK: Files

    /// The file that `run --format` writes. `nil` if the run was stopped.
    func file(as name: String) throws -> [UInt8]? {
        let format = try ReportFormat.named(in: name)[0]
        let loaded = loaded
        guard loaded.faults.isEmpty, let make = format.make else {
            throw ToolFault(.conflict, "the scenario has errors", help: ["mend them first"])
        }
        var finished = FinishedRuns()
        finished.requestedCount = loaded.scenarios.count
        for scenario in loaded.scenarios {
            guard let run = try self.finished(scenario, replicas: scenario.replicas, findsWitnesses: true),
                run.report.isComplete
            else { return nil }
            finished.runs.append(run)
        }
        let bytes = try make(finished)
        return stop.isStopped() ? nil : bytes
    }
}

/// Counts the finished parts of a run for several threads.
private final class StudioProgress: Sendable {
    private let done = Atomic(0)

    func advance() -> Int { done.add(1, ordering: .relaxed).newValue }
}
