import DeadzoneTestKit
import Foundation
import Testing

struct NameTests {
    @Test func noTwoPathsDifferOnlyByCase() {
        // Broken: a checkout on a file system that folds case loses a file.
        #expect(collisions(Checkout.files.map(\.path)) == [])
        #expect(collisions(["a/B.swift", "a/b.swift", "c"]) == ["a/b.swift"])
    }

    @Test func noTwoFilesOfATargetShareAName() {
        // Broken: the compiler rejects two files of the same name in a module, even in different folders.
        let names = Checkout.swift.map { $0.target + "/" + ($0.path.split(separator: "/").last ?? "") }
        #expect(collisions(names) == [])
    }

    @Test func noModuleSharesItsNameWithAType() {
        // Broken: inside the module, `Module.Type` no longer refers to the module.
        for file in Checkout.swift {
            // An import may name a single declaration of a module.
            let kinds = /\b(?:struct|enum|class|protocol|actor|typealias)\s+(Deadzone\w+)/
            for line in file.code.split(separator: "\n")
            where line.contains("Deadzone") && !line.contains("import ") {
                guard let match = line.firstMatch(of: kinds) else { continue }
                let isModule = Manifest.own.modules.contains { "Deadzone" + $0.name == match.1 }
                #expect(!isModule, "\(file.path): \(match.1)")
            }
        }
    }

    @Test func filesAreInTheirPlace() {
        // Broken: loose files accumulate at the top level, which holds only the conventional ones.
        let top = Set(Checkout.files.map { String($0.path.split(separator: "/")[0]) })
        let known: Set = [
            ".ci", ".gitignore", ".swift-format", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile",
            "Package.swift", "Package.resolved", "action.yml", "Containerfile", ".containerignore", ".github",
            "README.md", "Results", "Scenarios", "Sources", "Tests",
        ]
        #expect(top.subtracting(known).sorted() == [])
    }

    @Test func untrackedFilesAreIgnored() throws {
        // Broken: an untracked note or result in a checkout fails the tests.
        let root = NSTemporaryDirectory() + "deadzone-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: root) }
        for name in [
            "Sources/A/a.swift", "Sources/A/b.swift", "README.md", "Sources/A/a.orig", "notes.txt", "out/x.json",
        ] {
            let file = URL(filePath: root + "/" + name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data().write(to: file)
        }
        #expect(Checkout.tracked(in: root) == nil)
        #expect(Checkout.onDisk(in: root).count == 6)
        _ = try #require(Checkout.git(["init", "-q"], in: root), "git is not installed")
        _ = Checkout.git(["add", "Sources/A/a.swift", "README.md"], in: root)
        #expect(Checkout.tracked(in: root)?.sorted() == ["README.md", "Sources/A/a.swift", "Sources/A/b.swift"])
    }

    private func collisions(_ paths: [String]) -> [String] {
        let folded = paths.map { $0.lowercased() }
        return Dictionary(grouping: folded) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
    }
}
