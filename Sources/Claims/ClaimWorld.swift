package import DeadzoneMetrics
package import DeadzoneRuns
package import DeadzoneScenarios

/// The world in which claims are tested: their built-in scenarios, changed by the user, or the user's own scenario.
package struct ClaimWorld: Sendable {
    package let change: ClaimReport.WorldChange
    /// The cells of the user's scenario; `nil` tests each claim in its built-in scenario.
    let scenarios: [Scenario]?
    /// Settings that are merged over a built-in scenario. Those of the user's scenario are merged already.
    let overrides: SettingOverrides?
    /// Flags of `deadzone claims` that describe this world. Empty for the built-in worlds.
    let flags: String

    /// The built-in scenarios without a change.
    package static let builtIn = ClaimWorld(ClaimReport.WorldChange(), scenarios: nil, overrides: nil, flags: "")

    package init(
        _ change: ClaimReport.WorldChange, scenarios: [Scenario]?, overrides: SettingOverrides?, flags: String
    ) {
        self.change = change
        self.scenarios = scenarios
        self.overrides = overrides
        self.flags = flags
    }

    /// `true` if the world differs from the built-in one. Another seed is the same world.
    var isChanged: Bool { scenarios != nil || !change.settings.isEmpty }

    /// The world's name in messages.
    func name(of scenario: String) -> String { change.file ?? "claims/\(scenario).yaml" }
}
