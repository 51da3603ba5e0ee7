import DeadzoneTestKit
import Foundation
import Testing

/// An external package with its own strategy. Building it as a package would build everything a second time. Instead,
/// its manifest is resolved, and its source is compiled against the modules that these tests were built with.
@Suite(.enabled(if: Toolchain.isThere, "no swiftc in PATH, or no modules beside the tests"))
struct ExamplePackageTests {
    private static let root = Repository.root + "/Tests/ExamplePackage"

    private static let sources = ["main", "Mine"].map { root + "/Sources/mine/\($0).swift" }

    @Test func testOfAnotherPackageCanTryARun() throws {
        // Broken: an API that `trial` needs is not public, or its numbers differ from those of the run.
        let scratch = try Folder()
        let main = """
            import DeadzoneKit
            import DeadzoneTestKit
            let run = try trial(Mine.self, in: "\(Self.root)/lift.yaml", replicas: 2)
            print(run.digest, run.zombie.max < .minutes(4), run.delivery.down.lost, try run.value(of: "keepalive.pings"))
            do { _ = try run.value(of: "zombie.mx") } catch { print(error) }
            """
        try Data(main.utf8).write(to: URL(filePath: scratch.path + "/main.swift"))
        let flags = ["-I", Toolchain.products + "/Modules"]
        let built = try Toolchain.run(
            ["swiftc", "-module-name", "tried", "-o", scratch.path + "/tried"] + flags + Toolchain.systemLibraries
                + ["-lTesting", scratch.path + "/main.swift", Self.root + "/Sources/mine/Mine.swift"]
                + Toolchain.testObjects)
        try #require(built.status == 0, "\(built.errors.suffix(3_000))")
        let tried = try Binary(path: scratch.path + "/tried").run([])
        let words = tried.text.split(whereSeparator: \.isWhitespace).map(String.init)
        try #require(tried.status == 0 && words.count > 4, "\(tried.errors)")
        #expect(words[1] == "true" && words[2] == "0.0")
        #expect(tried.text.contains("did you mean `zombie.max`?"))
    }

    @Test func theManifestFindsItsProducts() throws {
        // Broken: a product that other packages depend on is missing, or has another name.
        let scratch = try Folder()
        let outcome = try Toolchain.run([
            "swift", "package", "--package-path", Self.root, "--scratch-path", scratch.path, "describe", "--type",
            "json",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text.contains("DeadzoneKit") && outcome.text.contains("DeadzoneCommand"))
    }

    @Test func strategyOfAnotherPackageRuns() throws {
        // Broken: an API that a strategy needs is not public, or the command ignores the strategy that was added.
        let scratch = try Folder()
        let built = try Toolchain.run(
            [
                "swiftc", "-module-name", "mine", "-o", scratch.path + "/mine", "-I", Toolchain.products + "/Modules",
            ] + Toolchain.systemLibraries + Self.sources + Toolchain.objects)
        try #require(built.status == 0, "\(built.errors.suffix(3_000))")
        let mine = Binary(path: scratch.path + "/mine")
        let listed = try mine.run(["list", "strategies"])
        #expect(listed.text.contains("\nmine ") && listed.text.contains("\ngrpc-java "))
        #expect(try mine.run(["explain", "mine"]).text.contains("patience"))
        let run = try mine.run(["run", Self.root + "/lift.yaml", "--json"])
        #expect(run.status == 0, "\(run.errors)")
        let document = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
        let strategies = try #require(document["strategies"] as? [[String: Any]])
        #expect(strategies.compactMap { $0["name"] as? String } == ["ours", "theirs"])
        let metrics = try #require(strategies[0]["metrics"] as? [String: Any])
        #expect(
            (metrics["connection.handshakes"] as? Double ?? 0) >= 2 && metrics["delivery.down.lost"] as? Double == 0)
        // Without the added strategy, the same scenario names an unknown one.
        #expect(try Binary.built.run(["lint", Self.root + "/lift.yaml"]).errors.contains("unknown strategy `mine`"))
    }
}

/// The compiler that built these tests, and its build products.
enum Toolchain {
    static let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path

    /// Object files of all libraries of the package, without tests and executables.
    static let objects: [String] = {
        let rooms = (try? FileManager.default.contentsOfDirectory(atPath: Repository.root + "/Sources")) ?? []
        // Targets that are not libraries have other names there.
        return objects(of: rooms.sorted().map { "Deadzone" + $0 } + ownC)
    }()

    /// Targets of the package that are written in C.
    private static let ownC = ["CBuild", "CShipped", "CTun"]

    static let systemLibraries: [String] = {
        let folders = ["CYAML", "CPcap", "CZlib", "CSQLite"].flatMap { ["-I", Repository.root + "/Sources/" + $0] }
        let maps = ownC.flatMap { name -> [String] in
            ["-Xcc", "-fmodule-map-file=\(products)/\(name).build/module.modulemap"]
        }
        return folders + maps + ["-lyaml", "-lz", "-lsqlite3"]
    }()

    /// Object files of the libraries, and of the targets that tests need in addition.
    static let testObjects: [String] = objects + objects(of: ["DeadzoneTestKit"])

    private static func objects(of targets: [String]) -> [String] {
        targets.flatMap { target in
            let folder = products + "/\(target).build"
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return files.filter { $0.hasSuffix(".o") }.sorted().map { folder + "/" + $0 }
        }
    }

    static let isThere: Bool = {
        let hasModules = FileManager.default.fileExists(atPath: products + "/Modules/DeadzoneKit.swiftmodule")
        return hasModules && (try? run(["swiftc", "--version"]).status) == 0
    }()

    static func run(_ words: [String]) throws -> Binary.Outcome {
        try Binary(path: "/usr/bin/env").run(words, ["HOME": NSTemporaryDirectory()])
    }
}

final class Folder {
    let path = NSTemporaryDirectory() + "deadzone-" + UUID().uuidString

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
