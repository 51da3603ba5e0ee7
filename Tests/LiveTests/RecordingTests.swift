import DeadzoneCommand
import Foundation
import Testing

/// `deadzone fit` on recordings that were kept: steady.py lived through its course, as a live result and as the packets of the same run.
struct RecordingTests {
    private static let kept = ["steady.json", "steady.pcapng"].map { "\(Live.recordings)/\($0)" }

    @Test(arguments: kept)
    func constantsAreFound(_ file: String) throws {
        // Broken: a number that the client was written with is ruled out, or is not told.
        let fit = try Live.fit(file, like: nil)
        #expect(fit.code == .ok)
        for (setting, value) in Live.steady {
            let range = try #require(fit.found[setting], "\(setting) of \(fit.found)")
            #expect(range.contains(value) && range.upperBound < 1.6 * range.lowerBound, "\(setting) \(range)")
        }
    }

    @Test(arguments: kept)
    func aWrongPresetIsToldWhatIsWrong(_ file: String) throws {
        // Broken: the client passes for another one, or nobody says where it differs.
        let fit = try Live.fit(file, like: "paho-python")
        #expect(fit.code == .gateFailed)
        #expect(Set(fit.refuted).isSuperset(of: ["backoff.base", "backoff.cap", "keepalive.interval"]), "\(fit)")
        #expect(fit.complaints.contains { $0.contains("attempt 3 came 5.9 s after 2, the preset allows 4.0 s") })
    }

    @Test(arguments: kept)
    func whatIsFoundIsAPresetThatHolds(_ file: String) throws {
        // Broken: the file of --to-preset is refused, or refuted by what it was made of.
        let preset = FileManager.default.temporaryDirectory.appending(path: "deadzone-\(UUID().uuidString).yaml").path
        defer { try? FileManager.default.removeItem(atPath: preset) }
        let made = Live.Printed(["fit", file, "--to-preset", preset])
        #expect(made.code == .ok && made.output.contains("keepalive.timeout"), "\(made.errors)")
        let fit = try Live.fit(file, like: preset)
        #expect(fit.code == .ok && fit.complaints.isEmpty && fit.refuted.isEmpty, "\(fit)")
    }

    @Test func severalRecordingsAreOneClient() throws {
        // Broken: rows of two recordings are joined to one.
        let printed = Live.Printed(["fit"] + Self.kept + ["--json"])
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(printed.output.utf8)) as? [String: Any])
        #expect((document["recordings"] as? [Any])?.count == 2 && document["waits"] as? Int == 14, "\(document)")
    }

    @Test func whatIsNoRecordingIsRefused() throws {
        // Broken: anything passes for a recording.
        let file = FileManager.default.temporaryDirectory.appending(path: "deadzone-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        for text in ["{}", "{\"schema\": \"deadzone/results/1\"}", "{", "no capture"] {
            try Data(text.utf8).write(to: file)
            let printed = Live.Printed(["fit", file.path])
            #expect(printed.code != .ok && printed.output.isEmpty && !printed.errors.isEmpty, "\(text)")
        }
        #expect(Live.Printed(["fit", Self.kept[0], "--like", "no-such-preset"]).code == .usage)
    }
}
