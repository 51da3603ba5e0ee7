import DeadzoneTestKit
import Foundation
import Testing

/// Changes that `make gate` detects.
struct GateTests {
    /// A number with a unit, under `keepalive:` in the file of a preset.
    private struct Constant: CustomStringConvertible {
        let preset: String
        let key: String
        let value: String
        /// Text of the file with the number increased by half.
        let changed: String
        var description: String { "\(preset): \(key) \(value)" }
    }

    /// Constants that no client ever waits for, so that no run can detect a change.
    private static let unused = [
        "actioncable: stand-in 3s",  // it checks every 6 s to 12 s
        "fcm: interval 15m",  // both of its networks have their own interval
        "grpc-core: own-timeout 1m", "grpc-core: throttle 1m",  // keepalive is off
        "grpc-spec: interval 8760h", "grpc-spec: timeout 20s",  // keepalive is off
        "python-socketio: stand-in 20s", "signalr: stand-in 15s",  // the servers of these worlds send no heartbeat
        "wechat-mars: interval 210s",  // it learns its interval, beginning with `min`
    ]

    private static func constants(of preset: String) throws -> [Constant] {
        let file = Repository.root + "/Scenarios/strategies/\(preset).yaml"
        var lines = try String(contentsOfFile: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
        var depth: Int?
        var found: [Constant] = []
        for (index, line) in lines.enumerated() {
            let code = line.split(separator: "#", omittingEmptySubsequences: false)[0]
            let indent = code.prefix { $0 == " " }.count
            if code.drop(while: { $0 == " " }).hasPrefix("keepalive:") {
                depth = indent
            } else if let known = depth, indent <= known, indent < code.count {
                depth = nil
            }
            guard depth != nil else { continue }
            for match in code.matches(of: /([\w-]+): *([0-9.]+)(ms|s|m|h)\b/) {
                guard let number = Double(match.2), number > 0 else { continue }
                let size = ["ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000][match.3, default: 1]
                var other = code
                other.replaceSubrange(
                    match.2.startIndex..<match.3.endIndex, with: "\(Int(number * 1.5 * Double(size)))ms")
                lines[index] = String(other)
                found.append(
                    Constant(
                        preset: preset, key: String(match.1), value: "\(match.2)\(match.3)",
                        changed: lines.joined(separator: "\n")))
                lines[index] = line
            }
        }
        return found
    }

    @Test(.enabled(if: Binary.release != nil, "no optimised binary; `make test` builds it"))
    func detectsEveryKeepaliveConstant() throws {
        // Broken: a preset pings twice as often, and the gate of this repository passes.
        let release = try #require(Binary.release)
        let baseline = Repository.root + "/Results/baseline"
        let worlds = ["presets", "quiet"]
        let texts = try worlds.map { try String(contentsOfFile: "\(baseline)/\($0).yaml", encoding: .utf8) }
        let place = NSTemporaryDirectory() + "deadzone-gate-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: place) }
        func gate(_ preset: String, _ file: String) throws -> Int32 {
            var files: [String] = []
            for (world, text) in zip(worlds, texts) where text.contains("{strategy: \(preset)}") {
                let path = "\(place)/\(world).yaml"
                try Data(text.replacing("{strategy: \(preset)}", with: "{strategy: ./changed.yaml}").utf8)
                    .write(to: URL(filePath: path))
                files.append(path)
            }
            try Data(file.utf8).write(to: URL(filePath: place + "/changed.yaml"))
            let arguments = ["--baseline", "\(baseline)/shipped.json", "--gates", "\(baseline)/gates.yaml", "-q"]
            let outcome = try release.run(["compare"] + files + ["--strategy", preset] + arguments, in: place)
            #expect(outcome.status < 2, "\(preset): \(outcome.errors)")
            return outcome.status
        }
        let presets = texts[0].matches(of: /\{strategy: ([\w.-]+)\}/).map { String($0.1) }
        var unnoticed: [String] = []
        var count = 0
        for preset in presets {
            let constants = try Self.constants(of: preset)
            count += constants.count
            for constant in constants where try gate(preset, constant.changed) == 0 {
                unnoticed.append("\(constant)")
            }
        }
        #expect(unnoticed == Self.unused)
        let file = try String(contentsOfFile: Repository.root + "/Scenarios/strategies/nats.yaml", encoding: .utf8)
        #expect(try gate("nats", file) == 0, "unchanged")
        #expect(count > 50)
    }
}
