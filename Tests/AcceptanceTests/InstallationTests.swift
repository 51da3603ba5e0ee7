import DeadzoneTestKit
import Foundation
import Testing

/// Files that `make install` installs, and their use from a package.
struct InstallationTests {
    @Test func installedCommandWorksFromAnywhere() throws {
        // Broken: an installed command finds no scenario, or prints its installed path; or a shell completes nothing.
        let place = try TemporaryFolder()
        let staged = try Binary(path: Repository.root + "/.ci/stage").run([place.path, "/usr"])
        try #require(staged.status == 0, "\(staged.errors)")
        let installed = Binary(path: place.path + "/usr/bin/deadzone")
        let scenario = ["run", "Scenarios/handoff/elevator.yaml", "--replicas", "2", "-q"]
        let there = try installed.run(scenario, in: place.path)
        #expect(there.text == (try Binary.built.run(scenario)).text)
        #expect(there.status == 0 && !there.text.contains(place.path))
        #expect(try installed.run(["list", "scenarios"], in: place.path).text.contains("Scenarios/doze/"))
        #expect(try installed.run(["run", "../usr/share/deadzone/none.yaml"], in: place.path).status == 5)

        let share = place.path + "/usr/share/"
        #expect(try Data(contentsOf: URL(filePath: share + "man/man1/deadzone-run.1.gz")).prefix(2) == Data([31, 139]))
        let bash = """
            source \(share)bash-completion/completions/deadzone
            COMP_WORDS=(deadzone run Scenarios/handoff/elevator.yaml --strategy e); COMP_CWORD=4; _deadzone
            echo "${COMPREPLY[*]}"
            """
        let path = place.path + "/usr/bin:" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        let completed = try Binary(path: "/bin/bash").run(["-c", bash], in: place.path, ["PATH": path])
        #expect(completed.text == "eager\n", "\(completed.errors)")
    }

    @Test func scenariosAreListedWithoutAnInstallation() throws {
        // Broken: `list scenarios` outside the repository is an error, although the command contains the scenarios.
        let place = try TemporaryFolder()
        let here = try Binary.built.run(["list", "scenarios", "--json"])
        let there = try Binary.built.run(["list", "scenarios", "--json"], in: place.path)
        #expect(there.status == 0, "\(there.errors)")
        func names(_ text: String) throws -> [String] {
            let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            return try #require(document?["items"] as? [[String: Any]]).compactMap { $0["name"] as? String }
        }
        #expect(try names(there.text).contains("Scenarios/handoff/elevator.yaml"))
        #expect(try Set(names(there.text)).isSubset(of: names(here.text)) && !there.text.contains("cannot be read"))
    }

    @Test(.enabled(if: InstallationTests.hasFish, "no fish"))
    func fishCompletes() throws {
        let line = "deadzone completions fish | source; complete -C 'deadzone sched'"
        let path = URL(filePath: Binary.built.path).deletingLastPathComponent().path
        let outcome = try Binary(path: "/usr/bin/fish").run(
            ["-c", line], ["PATH": path + ":/usr/bin:/bin", "HOME": NSTemporaryDirectory()])
        #expect(outcome.text.hasPrefix("schedule\t"), "\(outcome.errors)")
    }

    private static let hasFish = FileManager.default.isExecutableFile(atPath: "/usr/bin/fish")

    @Test func versionEqualsThatOfTheChangelog() throws {
        // Broken: a release shows another version or another date than its changelog.
        let changelog = try String(contentsOfFile: Repository.root + "/CHANGELOG.md", encoding: .utf8)
        let page = try Binary.built.run(["help", "--format", "man"]).text
        let version = try #require(try Binary.built.run(["--version"]).text.split(separator: " ").dropFirst().first)
        let day = try #require(page.firstMatch(of: /\.TH DEADZONE 1 (\S+)/)).1
        #expect(changelog.contains("## [\(version)] - \(day)\n"))
    }

    @Test func releaseIsAcceptedOnlyByItsChecksum() throws {
        // Broken: a changed file of a release is executed in every user's workflow.
        let place = try TemporaryFolder()
        let make = """
            name=deadzone-1.2.3-$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)
            mkdir -p "$name/bin"; printf '#!/bin/sh\\necho deadzone 1.2.3\\n' >"$name/bin/deadzone"; chmod +x "$name/bin/deadzone"
            tar -czf "$name.tar.gz" "$name"; sha256sum "$name.tar.gz" | cut -d' ' -f1
            """
        let made = try Binary(path: "/bin/bash").run(["-ec", make], in: place.path)
        let sum = made.text.trimmingCharacters(in: .whitespacesAndNewlines)
        let fetch = Binary(path: Repository.root + "/.ci/fetch")
        func fetched(_ sum: String) throws -> Binary.Outcome {
            try fetch.run(["file://" + place.path, "1.2.3", sum, place.path + "/into"], in: place.path)
        }
        let wrong = try fetched(String(repeating: "0", count: 64))
        #expect(wrong.status == 4 && wrong.text.isEmpty && wrong.errors.contains(sum))
        let right = try fetched(sum)
        #expect(right.status == 0 && right.text.hasSuffix("/bin/deadzone\n"), "\(right.errors)")
        #expect(try fetched(sum).text == right.text)
        // Without a folder of its own, it uses one of the user's, and never one that another user could have made.
        let home = try TemporaryFolder()
        let own = try fetch.run(["file://" + place.path, "1.2.3", sum], in: place.path, ["HOME": home.path])
        #expect(own.status == 0 && own.text.hasPrefix(home.path + "/.cache/deadzone-1.2.3/"), "\(own.errors)")
        if chown(home.path + "/.cache/deadzone-1.2.3", 65_534, 65_534) == 0 {
            let foreign = try fetch.run(["file://" + place.path, "1.2.3", sum], in: place.path, ["HOME": home.path])
            #expect(foreign.status == 4 && foreign.errors.contains("another user"), "\(foreign.errors)")
        }
    }
}

/// Temporary folder that is deleted with its last reference.
final class TemporaryFolder {
    let path = NSTemporaryDirectory() + "deadzone-" + UUID().uuidString

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
