import DeadzoneCommand
import Foundation
import Testing

struct HostilePacketsTests {
    /// Broken: a scenario's names control the terminal in which tshark opens the packet file. Names are written with
    /// the same escapes as in other output, and cut.
    @Test func namesInPacketsAreHarmless() throws {
        let workspace = try TestWorkspace()
        let name = #"\u001b[2J\u202eevil\u2028"# + String(repeating: "long ", count: 1_000)
        let scenario = """
            version: 1
            name: "\(name)"
            duration: 1m
            replicas: 1
            phone: {battery: 15.4Wh, radios: {cellular: lte-verizon-2021}}
            traffic: {down: {every: 10s, size: 300B}}
            strategies:
              "\\u001b[31mred\\u202e": {strategy: patient}
              plain: {strategy: patient}

            """
        try workspace.write("a.yaml", scenario)
        let outcome = workspace.run("run @a.yaml -q --format pcapng --out @out")
        #expect(outcome.code == .ok, "\(outcome.errors)")
        let packets = try workspace.data("out/packets.pcapng")
        for bad in ["\u{1B}[", "\u{202E}", "\u{2028}"] { #expect(packets.range(of: Data(bad.utf8)) == nil) }
        #expect(packets.range(of: Data("\\u{1b}[31mred".utf8)) != nil)
        #expect(packets.range(of: Data(String(repeating: "long ", count: 200).utf8)) == nil)
    }

    /// Broken: a path in an error message controls the terminal.
    @Test func pathsInErrorMessagesAreHarmless() throws {
        let workspace = try TestWorkspace()
        for verb in ["replay", "run", "report --format md"] {
            let outcome = workspace.run("\(verb) @\u{1B}[31mnone\u{202E}.yaml")
            #expect(outcome.code != .ok && outcome.errors.contains("none\\u{202e}.yaml"), "\(outcome.errors)")
            #expect(!outcome.errors.contains("\u{1B}"))
        }
    }
}
