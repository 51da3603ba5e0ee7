import DeadzoneHost
import Foundation
import Testing

@testable import DeadzoneCommand

struct ManualPageTests {
    private static let pages = ManualPage.all(.standard)

    @Test func everyVerbHasAPageWithAllItsFlags() throws {
        // Broken: help and the manual pages differ.
        let workspace = try TestWorkspace()
        #expect(workspace.run("help --format man --out @man1").code == .ok)
        for verb in CommandTable.standard.verbs {
            let page = try workspace.text("man1/deadzone-\(verb.name).1")
            for flag in verb.flags { #expect(page.contains("--\(flag.name)".replacing("-", with: "\\-"))) }
            #expect(page == workspace.run("help \(verb.name) --format man").output)
        }
        #expect(try workspace.text("man1/deadzone.1") == workspace.run("help --format man").output)
    }

    @Test(arguments: pages.map(\.name))
    func proseIsNeverReadAsAMacro(_ name: String) throws {
        // Broken: a line of prose begins with a full stop and is not shown, or an escape is not a valid one.
        let page = try #require(Self.pages.first { $0.name == name })
        for line in page.text.split(separator: "\n") {
            if line.hasPrefix(".") { #expect(line.firstMatch(of: /^\.(TH|SH|TP|PP|B)( |$)/) != nil, "\(line)") }
            #expect(!line.hasPrefix("'") && line.utf8.allSatisfy { $0 < 128 }, "\(line)")
            for found in line.matches(of: /\\(.)/) { #expect(["-", "e", "&", "["].contains(found.1), "\(line)") }
        }
    }

    @Test(.enabled(if: ManualPageTests.hasMandoc))
    func mandocFindsNoFault() throws {
        // External check with mandoc, the formatter of the BSDs and of macOS.
        let workspace = try TestWorkspace()
        #expect(workspace.run("help --format man --out @man1").code == .ok)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["mandoc", "-T", "lint", "-W", "warning"] + Self.pages.map { workspace.file("man1/\($0.name).1") }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(said)")
    }

    private static let hasMandoc = ["/usr/bin/mandoc", "/opt/homebrew/bin/mandoc"].contains {
        FileManager.default.isExecutableFile(atPath: $0)
    }
}
