package import DeadzoneBase
import DeadzoneHost
package import DeadzoneScenarios

/// The question that `hunt` answers: in which world does a client break a demand?
package struct HuntRequest: Sendable {
    package static let usualBudget = 20_000
    package static let usualGrace = TimeSpan.minutes(10)
    package static let usualTrouble = TimeSpan.minutes(30)

    /// The scenario's file, as the user names it.
    package var file: String
    /// The file, loaded without faults, with the strategies that `--with` adds.
    package var loaded: LoadedScenarios
    /// The strategy to break; `nil` if the scenario has only one.
    package var strategy: String?
    /// Strategies that `--with` adds.
    package var added: [AddedStrategy] = []
    package var demands: [String]
    /// Strategy that a percentage refers to; `nil` if no demand needs one.
    package var reference: String?
    package var budget = usualBudget
    package var seed: UInt64?
    package var grace = usualGrace
    package var trouble = usualTrouble
    /// Words of disturbances that worlds may contain; empty allows all.
    package var allowed: [String] = []
    /// Words of disturbances that worlds must not contain.
    package var forbidden: [String] = []
    /// `true` draws every world at random, for comparison.
    package var isUnguided = false
    /// Folder for the finds; `nil` writes none.
    package var folder: String?

    package init(file: String, _ loaded: LoadedScenarios, demands: [String]) {
        self.file = file
        self.loaded = loaded
        self.demands = demands
    }

    /// A file, seen from the folder of the finds.
    func pathFromFolder(to file: String) -> String {
        RelativePath.from(folder ?? "", to: file, inside: Files.currentFolder)
    }
}
