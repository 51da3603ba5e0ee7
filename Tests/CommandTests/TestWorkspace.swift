import DeadzoneCommand
import DeadzoneHost
import Foundation

/// Temporary folder with scenarios, and the command to run in it, for one test.
final class TestWorkspace {
    struct Outcome {
        let code: ExitCode
        let output: String
        let errors: String
    }

    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "deadzone-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    func write(_ name: String, _ text: String) throws {
        let place = URL(filePath: file(name))
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: place)
    }

    func write(_ name: String, _ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(filePath: file(name))) }

    func data(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: file(name))) }

    func text(_ name: String) throws -> String { try String(contentsOfFile: file(name), encoding: .utf8) }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name)) }

    /// Runs the command. Words that begin with `@` name files of the folder. A no-break space stands for a space in a
    /// word.
    func run(
        _ line: String, input: String = "", _ change: (inout CommandContext) -> Void = { _ in }
    ) -> Outcome {
        let words = line.split(separator: " ").map { word in
            let word = String(word).replacing("\u{a0}", with: " ")
            return word.hasPrefix("@") ? file(String(word.dropFirst())) : word
        }
        var surroundings = CommandContext.memory(input: input)
        change(&surroundings)
        let code = DeadzoneCommand.run(words, in: surroundings)
        return Outcome(code: code, output: surroundings.output.text, errors: surroundings.errors.text)
    }

    static let scenario = """
        version: 1
        name: Short
        about: One handoff.
        duration: 3m
        replicas: 3
        phone:
          battery: 15.4Wh
          radios: {wifi: wifi-galaxy-s2, cellular: lte-verizon-2021}
        timeline:
          - {at: 0s, wifi: home}
          - {at: 1m, handoff: cellular, gap: 400ms, old-path: silent}
        traffic:
          down: {every: 10s, arrivals: poisson, size: 300B}
        strategies:
          eager: {strategy: eager}
          patient: {strategy: patient}
        expect:
          patient: {delivery.down.lost: 0, zombie.max: at most 100% of eager}

        """
}
