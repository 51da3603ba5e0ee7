import DeadzoneHost
import Foundation
import Testing

extension OutputFolder {
    fileprivate func write(_ bytes: [UInt8], to name: String) throws {
        try stage(bytes, as: name)
        try publish()
    }
}

struct OutputFolderTests {
    @Test func writesInsideAndNowhereElse() throws {
        // Broken: a file name leads out of the output folder.
        let outer = try TemporaryFolder()
        let folder = try OutputFolder(outer("out"))
        for name in ["../escaped", "/tmp/escaped", "a/b", "", ".", "..", "x\0y"] {
            #expect(throws: SystemFault.self, "\(name.debugDescription)") { try folder.write([1], to: name) }
        }
        try folder.write([1, 2], to: "data")
        try folder.write([3], to: "data")
        #expect(outer.names == ["out"])
        #expect(try Files.read(outer("out/data"), limit: 9) == [3])
        #expect(try Files.names(in: outer("out")) == ["data"])
    }

    @Test func missingParentsAreMade() throws {
        // Broken: a long run cannot write its results because a folder above the output folder is missing.
        let outer = try TemporaryFolder()
        try OutputFolder(outer("a/b/c/")).write([1], to: "data")
        #expect(try Files.read(outer("a/b/c/data"), limit: 9) == [1])
        try outer.make("file", "")
        #expect(throws: SystemFault.self) { try OutputFolder(outer("file/out")) }
    }

    @Test func followsNoLink() throws {
        // Broken: a planted link, as the folder or in it, makes the tool write elsewhere.
        let outer = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: outer("elsewhere"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: outer("link"), withDestinationPath: outer("elsewhere"))
        for name in ["link", "link/", "link//"] {
            let fault = #expect(throws: SystemFault.self) { try OutputFolder(outer(name)) }
            #expect(fault?.message.contains("symbolic link") == true, "\(name)")
        }
        let folder = try OutputFolder(outer("out"))
        try outer.make("precious", "mine")
        try FileManager.default.createSymbolicLink(
            atPath: outer("out/data"), withDestinationPath: outer("precious"))
        #expect(throws: SystemFault.self) { try folder.write([1], to: "data") }
        #expect(outer.text("precious") == "mine")
    }

    @Test func staysInTheFolderThatWasOpened() throws {
        // Broken: the folder is looked up by name for every file, so that a link put in its place meanwhile is
        // followed.
        let outer = try TemporaryFolder()
        let folder = try OutputFolder(outer("out"))
        try FileManager.default.createDirectory(atPath: outer("elsewhere"), withIntermediateDirectories: false)
        try FileManager.default.moveItem(atPath: outer("out"), toPath: outer("moved"))
        try FileManager.default.createSymbolicLink(atPath: outer("out"), withDestinationPath: outer("elsewhere"))
        try folder.write([7], to: "data")
        #expect(try Files.names(in: outer("elsewhere")) == [])
        #expect(try Files.names(in: outer("moved")) == ["data"])
    }

    @Test func leftoversOfAKilledProcessDoNotBlockWrites() throws {
        // Broken: after a killed process leaves a temporary file, a later process with the same id can never write.
        let outer = try TemporaryFolder()
        let folder = try OutputFolder(outer("out"))
        let id = ProcessInfo.processInfo.processIdentifier
        try outer.make("out/data.\(id)-0.tmp", "half")
        try folder.write([1], to: "data")
        #expect(try Files.read(outer("out/data"), limit: 9) == [1])
        #expect(outer.text("out/data.\(id)-0.tmp") == "half")
    }

    @Test func filesAppearTogetherOrNotAtAll() throws {
        // Broken: the fourth file of a result does not fit on the disk, and three new files stand beside an old one.
        let outer = try TemporaryFolder()
        do {
            let folder = try OutputFolder(outer("out"))
            try folder.write([1], to: "a")
            try folder.stage([2], as: "a")
            try folder.stage([2], as: "b")
            #expect(try Files.read(outer("out/a"), limit: 9) == [1])
        }
        #expect(try Files.names(in: outer("out")) == ["a"], "unpublished files are removed")
    }

    @Test func concurrentPublishersWait() throws {
        // Broken: two runs into one folder mix the numbers of one with the picture of the other.
        let outer = try TemporaryFolder()
        let (place, names) = (outer("out"), (0..<8).map { "file\($0)" })
        DispatchQueue.concurrentPerform(iterations: 8) { writer in
            for round in 0..<12 {
                guard let folder = try? OutputFolder(place) else { continue }
                for name in names { try? folder.stage([UInt8(writer), UInt8(round)], as: name) }
                try? folder.publish()
            }
        }
        let found = try names.map { try Files.read(outer("out/" + $0), limit: 9) }
        #expect(Set(found).count == 1, "\(found)")
        #expect(try Files.names(in: outer("out")) == names)
    }
}
