import DeadzoneHost
import Foundation
import Testing

struct FilesTests {
    @Test func writesWhatIsReadBack() throws {
        // Broken: bytes are lost or changed on the way to the disk, or a temporary file is left behind.
        let folder = try TemporaryFolder()
        for size in [0, 1, 65_535, 65_536, 65_537, 300_000] {
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            try Files.write(bytes, to: folder("data"))
            #expect(try Files.read(folder("data"), limit: size) == bytes, "\(size) bytes")
            #expect(folder.names == ["data"])
        }
    }

    @Test func rejectsFilesAboveTheLimit() throws {
        // Broken: a large file is cut silently, or read whole into memory.
        let folder = try TemporaryFolder()
        try folder.make("big", String(repeating: "x", count: 101))
        let fault = #expect(throws: SystemFault.self) { try Files.read(folder("big"), limit: 100) }
        #expect(fault?.message.contains("larger than 100 bytes") == true)
        #expect(try Files.read(folder("big"), limit: 101).count == 101)
    }

    @Test func neverWritesThroughALink() throws {
        // Broken: a planted link at the target lets the tool overwrite a file elsewhere.
        let folder = try TemporaryFolder()
        try folder.make("elsewhere", "precious")
        try FileManager.default.createSymbolicLink(atPath: folder("link"), withDestinationPath: folder("elsewhere"))
        let fault = #expect(throws: SystemFault.self) { try Files.write([1], to: folder("link")) }
        #expect(fault?.message.contains("symbolic link") == true)
        #expect(folder.text("elsewhere") == "precious")
    }

    @Test(arguments: ["missing/file", ""])
    func writesOnlyIntoFoldersThatExist(_ name: String) throws {
        // Broken: a mistyped path makes folders, or the target folder is taken for a file.
        let folder = try TemporaryFolder()
        #expect(throws: SystemFault.self) { try Files.write([1], to: folder(name)) }
        #expect(folder.names == [])
    }

    @Test func rejectsDevices() {
        // Broken: run by root, the rename replaces /dev/null with a plain file.
        #expect(throws: SystemFault.self) { try Files.write([1], to: "/dev/null") }
        #expect(Files.kind(of: "/dev/null") == .other)
    }

    @Test func keepsTheOldFileWhenTheNewCannotBeWritten() throws {
        // Broken: a write that fails half-way destroys the old file.
        let folder = try TemporaryFolder()
        try folder.make("data", "old")
        let id = ProcessInfo.processInfo.processIdentifier
        for attempt in 0..<100 {
            try FileManager.default.createDirectory(
                atPath: folder("data.\(id)-\(attempt).tmp"), withIntermediateDirectories: false)
        }
        let fault = #expect(throws: SystemFault.self) { try Files.write([1], to: folder("data")) }
        #expect(fault?.message.contains("remove") == true, "\(String(describing: fault))")
        #expect(folder.text("data") == "old")
    }

    @Test func leftoversOfAKilledProcessDoNotBlockWrites() throws {
        // Broken: after a killed process leaves a temporary file, a later process with the same id can never write.
        let folder = try TemporaryFolder()
        let id = ProcessInfo.processInfo.processIdentifier
        let leftovers = ["data.\(id)-0.tmp", "data.\(id).tmp"]
        for name in leftovers { try folder.make(name, "half") }
        try Files.write([1], to: folder("data"))
        let stream = try FileStream(folder("lines"))
        stream.write("x")
        try stream.finish()
        #expect(folder.names == (leftovers + ["data", "lines"]).sorted())
        #expect(try Files.read(folder("data"), limit: 9) == [1])
    }

    @Test func saysWhyAFileCannotBeRead() {
        // Broken: the reason is lost.
        let fault = #expect(throws: SystemFault.self) { try Files.read("/nowhere/at/all", limit: 1) }
        #expect(fault?.message == "cannot read /nowhere/at/all: No such file or directory")
    }
}
