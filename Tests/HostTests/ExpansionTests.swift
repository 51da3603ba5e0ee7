import DeadzoneHost
import Foundation
import Testing

struct ExpansionTests {
    private func expand(_ folder: TemporaryFolder, _ arguments: [String]) throws -> [String] {
        try PathExpansion.files(
            arguments.map { $0 == "-" ? $0 : folder($0) }, suffixes: [".yaml", ".yml"], skipping: ["radios"]
        ).map { $0.replacingOccurrences(of: folder.path + "/", with: "") }
    }

    @Test(arguments: [
        (["b.yaml", "a.yaml"], ["b.yaml", "a.yaml"]),
        (["a.yaml", "a.yaml"], ["a.yaml"]),
        (["notes.txt"], ["notes.txt"]),
        (["-"], ["-"]),
        (["deep"], ["deep/Z.yml", "deep/down/c.yaml", "deep/x.yaml"]),
        (["deep/"], ["deep/Z.yml", "deep/down/c.yaml", "deep/x.yaml"]),
        (["radios"], ["radios/r.yaml"]),
        (["*.yaml"], ["a.yaml", "b.yaml"]),
        (["de*"], ["deep/Z.yml", "deep/down/c.yaml", "deep/x.yaml"]),
        (["[odd].yaml"], ["[odd].yaml"]),
    ])
    func expandsInAFixedOrder(_ arguments: [String], _ expected: [String]) throws {
        // Broken: the result depends on the order of the disk or the locale, hidden or other files are run, or a file
        // runs twice.
        let folder = try TemporaryFolder()
        for name in [
            "a.yaml", "b.yaml", "notes.txt", "deep/x.yaml", "deep/Z.yml", "deep/down/c.yaml", "deep/.hidden.yaml",
            "deep/radios/q.yaml", "radios/r.yaml",
        ] {
            try folder.make(name)
        }
        if arguments == ["[odd].yaml"] { try folder.make("[odd].yaml") }
        #expect(try expand(folder, arguments) == expected)
    }

    @Test(arguments: ["missing.yaml", "*.json", "empty"])
    func aPatternWithoutMatchesIsAnError(_ argument: String) throws {
        // Broken: a mistyped pattern runs nothing and passes.
        let folder = try TemporaryFolder()
        try folder.make("empty/notes.txt")
        #expect(throws: SystemFault.self) { try expand(folder, [argument]) }
    }

    @Test func endsAtACycleOfFolders() throws {
        // Broken: a link to its own parent is followed for ever.
        let folder = try TemporaryFolder()
        try folder.make("loop/a.yaml")
        try FileManager.default.createSymbolicLink(atPath: folder("loop/again"), withDestinationPath: folder("loop"))
        let files = try expand(folder, ["loop"])
        #expect(files.contains("loop/a.yaml"))
        #expect(files.count < 100)
    }

    @Test(.enabled(if: canMakeAnyName, "this file system allows only UTF-8 names"))
    func aNameThatIsNotUTF8IsReported() throws {
        // Broken: a scenario with an unprintable name is skipped silently, and a folder passes with one scenario less.
        for (name, argument) in [("b\u{0}.yaml", "."), ("b\u{0}.yaml", "b*"), ("d\u{0}", ".")] {
            let folder = try TemporaryFolder()
            try folder.make("a.yaml")
            makeRaw(folder.path + "/" + name, isFolder: !name.hasSuffix("yaml"))
            let fault = #expect(throws: SystemFault.self) { try expand(folder, [argument]) }
            #expect(fault?.message.contains("\\xFF") == true && fault?.reason.contains("UTF-8") == true)
            #expect(fault.map(PathExpansion.isUnmatched) == false)
        }
        // Files of other types are ignored.
        let folder = try TemporaryFolder()
        try folder.make("a.yaml")
        makeRaw(folder.path + "/b\u{0}.txt", isFolder: false)
        #expect(try expand(folder, ["."]) == ["./a.yaml"])
        let fault = #expect(throws: SystemFault.self) { try expand(folder, ["b\u{FFFD}.yaml"]) }
        #expect(fault?.reason.contains("UTF-8") == true)
    }
}

private let canMakeAnyName: Bool = {
    #if os(macOS)
        false
    #else
        true
    #endif
}()

/// Makes a file or folder; each NUL in the name becomes the byte 0xFF.
private func makeRaw(_ path: String, isFolder: Bool) {
    let bytes = path.utf8.map { $0 == 0 ? 0xFF : $0 }.map(CChar.init(bitPattern:)) + [0]
    if isFolder { mkdir(bytes, 0o755) } else { close(open(bytes, O_CREAT | O_WRONLY, 0o644)) }
}
