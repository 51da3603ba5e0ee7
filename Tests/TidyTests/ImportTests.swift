import DeadzoneTestKit
import Foundation
import Testing

struct ImportTests {
    @Test func everyRoomIsInTheTable() {
        // Broken: a new target is bound by no rule. Under Tests stands what is offered to the tests of others.
        let rooms = Manifest.own.rooms.filter { !$0.folder.hasPrefix("Tests/") }
        #expect(rooms.map(\.name).sorted() == Rooms.all.map(\.name).sorted())
    }

    @Test func everyTargetIsInPackageSwift() throws {
        // Broken: a folder that no target builds, so that its code is never compiled.
        let package = try String(contentsOfFile: Repository.root + "/Package.swift", encoding: .utf8)
        let tests = package.matches(of: /\btests\(\s*"(\w+)"/).map { "Tests/\($0.1)Tests" }
        let built = Manifest.own.rooms.map(\.folder) + tests
        // A package of its own.
        for folder in Set(Checkout.swift.map(\.folder)).sorted() where folder != "Tests/ExamplePackage" {
            #expect(built.contains(folder), "\(folder) is not in Package.swift")
        }
    }

    @Test func filesImportOnlyWhatTheyMay() {
        // Broken: the direction of the targets, or a door that is not Host's.
        for file in Checkout.swift {
            #expect(forbiddenImports(file.path, file.code, target: file.target) == [], "\(file.path)")
        }
    }

    @Test func cannotReachWhatItMustNot() {
        // Broken: the direction of the targets, by way of another target.
        let uses = Dictionary(Manifest.own.rooms.map { ($0.name, $0.uses) }) { first, _ in first }
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
