public import DeadzoneClient
public import DeadzoneRuns

/// What came of a strategy in a scenario: `trial.zombie.max`, `trial.delivery.down.lost`, `trial.value(of: "battery.joules")`.
public typealias Trial = DeadzoneRuns.Trial

/// Runs a strategy of one's own in the world of a scenario, for a test to speak of what came of it:
///
///     @Test func theLiftLosesNothing() throws {
///         let run = try trial(Mine.self, in: "Scenarios/lift.yaml")
///         #expect(run.zombie.max < .seconds(5))
///         #expect(run.delivery.down.lost == 0)
///     }
///
/// With the settings that the scenario gives to a strategy of that name, else with its defaults. A scenario that has faults, or
/// whose timeline never took effect, is thrown.
/// - Parameters:
///   - path: of the scenario; `swift test` runs in the folder of the package.
///   - replicas: nil: as many as the scenario says.
public func trial<S: Strategy>(
    _ type: S.Type, in path: String, seed: UInt64? = nil, replicas: Int? = nil
) throws -> Trial {
    try Trial.run(type, in: path, seed: seed, replicas: replicas)
}

/// The same of a strategy with settings of the test's own.
public func trial<S: Strategy>(
    _ strategy: S, in path: String, seed: UInt64? = nil, replicas: Int? = nil
) throws -> Trial {
    try Trial.run(strategy, in: path, seed: seed, replicas: replicas)
}
