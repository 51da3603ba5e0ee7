import DeadzoneTestKit
import Testing

@testable import DeadzoneCommand

/// `run --format svg`, which draws the connection attempts of many phones.
@Suite struct HerdPictureTests {
    /// Broken: the format is refused only after the run, and leaves an empty folder behind.
    @Test(arguments: ["--format json,html,svg", "--format svg", "--format svg --phone 0"])
    func aPictureWithoutManyPhonesIsRefusedFirst(_ flags: String) throws {
        let workspace = try TestWorkspace()
        let phones = flags.contains("--phone") ? 3 : 1
        try workspace.write(
            "a.yaml",
            """
            version: 1
            name: Few
            duration: 1m
            phones: \(phones)
            phone: {radios: {wifi: wifi-aro}}
            strategies: {a: {strategy: composed}}
            """)
        let outcome = workspace.run("run @a.yaml --out @res " + flags)
        #expect(outcome.code == .usage && outcome.errors.contains("many phones"), "\(outcome.errors)")
        #expect(outcome.output.isEmpty && !workspace.exists("res"))
    }
}
