public import DeadzoneClient
public import DeadzoneRuns

/// Results of a strategy in a scenario: `trial.zombie.max`, `trial.delivery.down.lost`,
/// `trial.value(of: "battery.joules")`.
public typealias Trial = DeadzoneRuns.Trial

/// Runs a custom strategy in the world of a scenario, so that a test can check the results:
///
///     @Test func theLiftLosesNothing() throws {
///         let run = try trial(Mine.self, in: "Scenarios/lift.yaml")
///         #expect(run.zombie.max < .seconds(5))
///         #expect(run.delivery.down.lost == 0)
///     }
///
/// The strategy has the settings that the scenario gives to a strategy of that name, or its defaults. Throws if the
/// scenario has faults, or if its timeline never took effect.
/// - Parameters:
///   - path: Path of the scenario. `swift test` runs in the folder of the package.
///   - seed: Seed of the run. `nil` uses the seed of the scenario, or 1 if it has none.
///   - replicas: Number of replicas. `nil` uses the number in the scenario.
public func trial<S: Strategy>(
    _ type: S.Type, in path: String, seed: UInt64? = nil, replicas: Int? = nil
) throws -> Trial {
    try Trial.run(type, in: path, seed: seed, replicas: replicas)
}

/// Runs a strategy with settings chosen by the test in the world of a scenario.
public func trial<S: Strategy>(
    _ strategy: S, in path: String, seed: UInt64? = nil, replicas: Int? = nil
) throws -> Trial {
    try Trial.run(strategy, in: path, seed: seed, replicas: replicas)
}
