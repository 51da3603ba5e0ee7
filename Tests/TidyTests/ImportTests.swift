import DeadzoneTestKit
import Foundation
import Testing

struct ImportTests {
    @Test func everyFolderIsInTheTable() throws {
        // Broken: a new target is bound by no rule.
        let folders = try FileManager.default.contentsOfDirectory(atPath: Repository.root + "/Sources").sorted()
        #expect(folders == Rooms.all.map(\.name).sorted())
    }

    @Test func everyTargetIsInPackageSwift() throws {
        // Broken: a folder that no target builds, so that its code is never compiled.
        let package = try packageText()
        // A package of its own.
        for folder in Set(Checkout.swift.map(\.folder)).sorted() where folder != "Tests/ExamplePackage" {
            let name = folder.split(separator: "/")[1]
            let named = [
                "room(\"\(name)\"", "room(\n            \"\(name)\"", "path: \"\(folder)\"",
                "tests(\"\(name.replacing("Tests", with: ""))\"",
                "tests(\n            \"\(name.replacing("Tests", with: ""))\"",
            ]
            #expect(named.contains(where: package.contains), "\(folder) is not in Package.swift")
        }
    }

    @Test func filesImportOnlyWhatTheyMay() {
        // Broken: the direction of the targets, or a door that is not Host's.
        for file in Checkout.swift {
            #expect(forbiddenImports(file.path, file.code, target: file.target) == [], "\(file.path)")
        }
    }

    @Test func cannotReachWhatItMustNot() throws {
        // Broken: the direction of the targets, by way of another target.
        let uses = try declaredUses()
        for room in Rooms.all {
            let reached = closure(of: room.name, uses)
            #expect(reached.filter(room.never.contains) == [], "\(room.name)")
        }
        #expect(closure(of: "Engine", uses).contains("Primitives"), "Package.swift was not understood")
    }

    @Test(arguments: [
        ("Engine", "import Foundation", ["Foundation"]),
        ("Engine", "public import DeadzoneScenarios", ["DeadzoneScenarios"]),
        ("Engine", "import struct DeadzoneMetrics.RunFold", ["DeadzoneMetrics"]),
        ("Command", "  @preconcurrency import Glibc", ["Glibc"]),
        ("Engine", "public import DeadzonePrimitives", []),
        ("Host", "import Glibc", []),
    ])
    func canFail(_ target: String, _ line: String, _ expected: [String]) {
        // Broken: a forbidden import is not seen.
        #expect(forbiddenImports("Sources/\(target)/Planted.swift", codeOnly(line), target: target) == expected)
    }

    private func forbiddenImports(_ path: String, _ code: String, target: String) -> [String] {
        let imports = code.matches(
            of: /(?m)\bimport +(?:(?:struct|enum|class|func|protocol|typealias|var|let) +)?(\w+)/
        )
        .map { String($0.1) }
        guard !path.hasPrefix("Tests/") else { return [] }
        guard let room = Rooms.all.first(where: { $0.name == target }) else { return imports }
        return imports.filter { name in
            name.hasPrefix("Deadzone") ? room.never.contains(String(name.dropFirst(8))) : !room.outside.contains(name)
        }
    }

    private func packageText() throws -> String {
        try String(contentsOfFile: Repository.root + "/Package.swift", encoding: .utf8)
    }

    /// What each `room(…)` of Package.swift says it uses.
    private func declaredUses() throws -> [String: [String]] {
        var uses: [String: [String]] = [:]
        for match in try packageText().matches(of: /room\(\s*"(\w+)"(?:,\s*uses:\s*\[([^\]]*)\])?/) {
            uses[String(match.1)] = (match.2 ?? "").matches(of: /"(\w+)"/).map { String($0.1) }
        }
        return uses
    }

    private func closure(of room: String, _ uses: [String: [String]]) -> [String] {
        var reached: [String] = []
        var open = uses[room] ?? []
        while let next = open.popLast() {
            if reached.contains(next) { continue }
            reached.append(next)
            open += uses[next] ?? []
        }
        return reached.sorted()
    }
}
