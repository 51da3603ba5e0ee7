import DeadzoneTestKit
import Foundation
import Testing

struct ImportTests {
    @Test func everyModuleIsInTheTable() {
        // Broken: a new target is bound by no rule. Targets under Tests, which are offered to users' tests, are exempt.
        let modules = Manifest.own.modules.filter { !$0.folder.hasPrefix("Tests/") }
        #expect(modules.map(\.name).sorted() == ModuleTable.all.map(\.name).sorted())
    }

    @Test func everyTargetIsInPackageSwift() throws {
        // Broken: no target builds a folder, so that its code is never compiled.
        let package = try String(contentsOfFile: Repository.root + "/Package.swift", encoding: .utf8)
        let tests = package.matches(of: /\btests\(\s*"(\w+)"/).map { "Tests/\($0.1)Tests" }
        let built = Manifest.own.modules.map(\.folder) + tests
        // A package of its own.
        for folder in Set(Checkout.swift.map(\.folder)).sorted() where folder != "Tests/ExamplePackage" {
            #expect(built.contains(folder), "\(folder) is not in Package.swift")
        }
    }

    @Test func filesImportOnlyWhatTheyMay() {
        // Broken: a file imports against the direction of the targets, or imports an operating-system module that only
        // Host may use.
        for file in Checkout.swift {
            #expect(forbiddenImports(file.path, file.code, target: file.target) == [], "\(file.path)")
        }
    }

    @Test func cannotReachWhatItMustNot() {
        // Broken: a target depends on a forbidden target through another one.
        let uses = Dictionary(Manifest.own.modules.map { ($0.name, $0.uses) }) { first, _ in first }
        for module in ModuleTable.all {
            let reached = closure(of: module.name, uses)
            #expect(reached.filter(module.never.contains) == [], "\(module.name)")
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
        // Broken: a forbidden import is not detected.
        #expect(forbiddenImports("Sources/\(target)/Planted.swift", codeOnly(line), target: target) == expected)
    }

    private func forbiddenImports(_ path: String, _ code: String, target: String) -> [String] {
        let imports = code.matches(
            of: /(?m)\bimport +(?:(?:struct|enum|class|func|protocol|typealias|var|let) +)?(\w+)/
        )
        .map { String($0.1) }
        guard !path.hasPrefix("Tests/") else { return [] }
        guard let module = ModuleTable.all.first(where: { $0.name == target }) else { return imports }
        return imports.filter { name in
            name.hasPrefix("Deadzone")
                ? module.never.contains(String(name.dropFirst(8))) : !module.outside.contains(name)
        }
    }

    private func closure(of module: String, _ uses: [String: [String]]) -> [String] {
        var reached: [String] = []
        var open = uses[module] ?? []
        while let next = open.popLast() {
            if reached.contains(next) { continue }
            reached.append(next)
            open += uses[next] ?? []
        }
        return reached.sorted()
    }
}
