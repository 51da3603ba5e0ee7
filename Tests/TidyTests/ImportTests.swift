import DeadzoneTestKit
import Foundation
import Testing

struct ImportTests {
    @Test func everyPartIsInTheTable() {
        // Broken: a new part is bound by no rule. Targets under Tests, which are offered to users' tests, are exempt.
        let parts = Manifest.own.modules.filter { !$0.folder.hasPrefix("Tests/") }.flatMap { Self.parts[$0.name] ?? [] }
        #expect(parts.sorted() == ModuleTable.all.map(\.name).sorted())
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
            #expect(forbiddenImports(file.path, file.code, part: file.part) == [], "\(file.path)")
        }
    }

    @Test func filesNameNoForbiddenType() {
        // Broken: a file uses a type of a part that it must not know. The compiler permits it, because both are in one
        // module, or because their modules may use each other.
        for file in Checkout.swift where !file.isTest {
            #expect(forbiddenTypes(file.code, part: file.part) == [], "\(file.path)")
        }
        // The rule finds one.
        #expect(forbiddenTypes("let end: Server", part: "PhoneEnd") == ["Server of Server"])
        #expect(forbiddenTypes("let end: PhoneEnd", part: "PhoneEnd") == [])
    }

    @Test func modulesCannotReachWhatTheyMustNot() {
        // Broken: a module depends on a module through another one, although none of its parts may use any part of it.
        let modules = Manifest.own.modules
        let uses = Dictionary(modules.map { ($0.name, $0.uses) }) { first, _ in first }
        for module in modules where !module.folder.hasPrefix("Tests/") {
            let never = Self.parts[module.name, default: []].map { part in
                Set(ModuleTable.all.first { $0.name == part }?.never ?? [])
            }
            let shared = never.dropFirst().reduce(never.first ?? []) { $0.intersection($1) }
            let reached = Set(closure(of: module.name, uses))
            let forbidden = reached.filter { shared.isSuperset(of: Self.parts[$0] ?? [$0]) }
            #expect(forbidden == [], "\(module.name)")
        }
        #expect(closure(of: "Simulator", uses).contains("Base"), "Package.swift was not understood")
    }

    @Test(arguments: [
        ("Engine", "import Foundation", ["Foundation"]),
        ("Engine", "public import DeadzoneScenarios", ["DeadzoneScenarios"]),
        ("Engine", "import struct DeadzoneMetrics.RunFold", ["DeadzoneMetrics"]),
        ("Engine", "import DeadzoneReports", ["DeadzoneReports"]),
        ("Command", "  @preconcurrency import Glibc", ["Glibc"]),
        ("Engine", "public import DeadzoneBase", []),
        ("Host", "import Glibc", []),
    ])
    func canFail(_ part: String, _ line: String, _ expected: [String]) {
        // Broken: a forbidden import is not detected.
        #expect(forbiddenImports("Sources/\(part)/Planted.swift", codeOnly(line), part: part) == expected)
    }

    /// The parts of each module: its folders, and the module itself if it has files outside them.
    private static let parts: [String: [String]] = {
        let used = Set(Checkout.swift.map(\.part))
        let all = Manifest.own.modules.map { module in
            (module.name, (module.parts.isEmpty || used.contains(module.name) ? [module.name] : []) + module.parts)
        }
        return Dictionary(all) { first, _ in first }
    }()

    private func forbiddenImports(_ path: String, _ code: String, part: String) -> [String] {
        let imports = code.matches(
            of: /(?m)\bimport +(?:(?:struct|enum|class|func|protocol|typealias|var|let) +)?(\w+)/
        )
        .map { String($0.1) }
        guard !path.hasPrefix("Tests/") else { return [] }
        guard let rules = ModuleTable.all.first(where: { $0.name == part }) else { return imports }
        return imports.filter { name in
            guard name.hasPrefix("Deadzone") else { return !rules.outside.contains(name) }
            return Self.parts[String(name.dropFirst(8))].map(Set(rules.never).isSuperset) ?? true
        }
    }

    /// "Type of Part", for each type of a part that this one must not know.
    private func forbiddenTypes(_ code: String, part: String) -> [String] {
        guard let never = ModuleTable.all.first(where: { $0.name == part })?.never else { return [] }
        let parameters = code.matches(of: /\b(?:struct|class|enum|func|init)\b[^\n(]*<([^>\n]*)>/).map(\.1)
        let names = Set(code.matches(of: /\b[A-Z]\w+/).map { String($0.0) })
            .filter { name in !parameters.contains { $0.contains(name) } }
        return names.sorted().compactMap { name in
            guard let parts = TypeNames.parts[name], parts.allSatisfy(never.contains) else { return nil }
            return "\(name) of \(parts.joined(separator: ", "))"
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
