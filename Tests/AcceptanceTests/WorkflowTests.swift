import DeadzoneTestKit
import Foundation
import Testing

/// Files and scripts for CI servers, checked with their schemas and with stand-ins for the servers' programs.
struct WorkflowTests {
    @Test(
        .enabled(if: Oracle.isEnabled, "\(Oracle.advice)"),
        arguments: [
            ("action.yml", "github-actions"), (".ci/gitlab.yml", "gitlab-ci"),
            (".github/workflows/test.yml", "github-workflows"),
            (".github/workflows/gate.yml", "github-workflows"), (".github/workflows/release.yml", "github-workflows"),
        ])
    func schemasAcceptTheFiles(_ file: String, _ schema: String) throws {
        let arguments = ["--builtin-schema", "vendor." + schema, Repository.root + "/" + file]
        _ = try Oracle.run(module: "check_jsonschema", arguments: arguments)
    }

    @Test(.enabled(if: Oracle.isEnabled, "\(Oracle.advice)"))
    func workflowOfTheGuideIsValid() throws {
        // Broken: GitHub refuses the workflow of the guide, or the workflow has an input that the action does not have.
        let page = try String(contentsOfFile: Repository.root + "/Sources/Command/Guide/pages/ci.md", encoding: .utf8)
        let block = try #require(
            page.components(separatedBy: "```yaml workflow\n").last?.components(separatedBy: "```").first)
        let place = try TemporaryFolder()
        let file = place.path + "/policy.yml"
        try Data(block.utf8).write(to: URL(filePath: file))
        _ = try Oracle.run(
            module: "check_jsonschema", arguments: ["--builtin-schema", "vendor.github-workflows", file])
        let action = try String(contentsOfFile: Repository.root + "/action.yml", encoding: .utf8)
        let inputs = block.components(separatedBy: "with:\n").dropFirst().flatMap { $0.split(separator: "\n") }
            .compactMap { $0.split(separator: ":").first?.trimmingCharacters(in: .whitespaces) }
        #expect(inputs.count == 6)
        for input in inputs { #expect(action.contains("\n  \(input):\n"), "\(input)") }
    }

    @Test func commentIsCreatedOnceAndThenEdited() throws {
        // Broken: each push adds another comment to the pull request.
        let place = try TemporaryFolder()
        try place.program(
            "gh",
            """
            case "$*" in
            *--jq*) cat known ;;
            *) printf '%s\\n' "$@" >>said; echo 77 >known ;;
            esac
            """)
        try Data().write(to: URL(filePath: place.path + "/known"))
        func report(_ text: String) throws {
            try Data("## Deadzone: pass\n\(text)".utf8).write(to: URL(filePath: place.path + "/report.md"))
        }
        try report("")
        func comment() throws -> String {
            try Data().write(to: URL(filePath: place.path + "/said"))
            let outcome = try Binary(path: Repository.root + "/.ci/comment").run(
                ["report.md"], in: place.path,
                [
                    "PATH": place.path + ":/usr/bin:/bin", "GITHUB_REPOSITORY": "me/app", "DEADZONE_PULL_REQUEST": "5",
                ])
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try String(contentsOfFile: place.path + "/said", encoding: .utf8)
        }
        // Without news there is no comment, but an old one is brought up to date.
        try report("\n<!-- deadzone: nothing changed -->\n")
        #expect(try comment() == "")
        try report("")
        let first = try comment()
        #expect(first.contains("POST\nrepos/me/app/issues/5/comments\n"))
        #expect(first.contains("body=<!-- deadzone -->\n## Deadzone: pass\n"))
        #expect(try comment().contains("PATCH\nrepos/me/app/issues/comments/77\n"))
        try report("\n<!-- deadzone: nothing changed -->\n")
        #expect(try comment().contains("PATCH\nrepos/me/app/issues/comments/77\n"))
    }

    @Test(.enabled(if: WorkflowTests.hasJQ, "no jq"))
    func commentIsEditedOnGitLab() throws {
        let place = try TemporaryFolder()
        try place.program(
            "curl",
            """
            case "$*" in
            *--request*) printf '%s\\n' "$@" >>said; cat >>said ;;
            *) cat known ;;
            esac
            """)
        try Data("[{\"id\": 3, \"body\": \"nice\"}, {\"id\": 9, \"body\": \"<!-- deadzone -->\\nold\"}]".utf8)
            .write(to: URL(filePath: place.path + "/known"))
        try Data("## Deadzone: fail\n".utf8).write(to: URL(filePath: place.path + "/report.md"))
        let outcome = try Binary(path: Repository.root + "/.ci/comment").run(
            ["report.md"], in: place.path,
            [
                "PATH": place.path + ":/usr/bin:/bin", "CI_API_V4_URL": "https://git.example/api/v4",
                "CI_PROJECT_ID": "4", "CI_MERGE_REQUEST_IID": "6", "DEADZONE_GITLAB_TOKEN": "secret",
            ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let said = try String(contentsOfFile: place.path + "/said", encoding: .utf8)
        #expect(said.contains("PUT\n") && said.contains("/projects/4/merge_requests/6/notes/9\n"))
        #expect(said.contains("## Deadzone: fail") && !said.contains("secret"))
    }

    private static let hasJQ = FileManager.default.isExecutableFile(atPath: "/usr/bin/jq")
}

extension TemporaryFolder {
    /// Writes a shell script that stands in for a program.
    fileprivate func program(_ name: String, _ script: String) throws {
        let path = path + "/" + name
        try Data("#!/bin/bash\n\(script)\n".utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
}
