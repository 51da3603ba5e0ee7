import DeadzoneTestKit
import Foundation
import Testing

@testable import DeadzoneRuns

/// The files of a packet capture: their order, and files that are no captures.
final class CaptureFilesTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "deadzone-files-\(UUID().uuidString)")

    init() throws {
        for name in ["parts/inner", "words"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: name), withIntermediateDirectories: true)
        }
        // Captures with a first packet at this second; `nil` writes one without packets.
        let captures: [String: UInt64?] = [
            "five": 5, "two": 2, "none": nil, "nine": 9, "parts/eight": 8, "parts/six": 6, "parts/.hidden": 1,
            "parts/inner/one": 1,
        ]
        for (name, second) in captures {
            var file = PcapWriter(linkType: 101)
            if let second { file.add(PacketBytes.ipv4(PacketBytes.udp(1, 2)), at: second * 1_000_000_000) }
            try write(file.bytes, name)
        }
        for name in ["text", "parts/README", "words/README"] { try write(Array("what this is".utf8), name) }
        try write([], "empty")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func write(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: folder.appending(path: name))
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    /// The parts in order with the notes, or the error. The folder of the test is written as `@`.
    private func outcome(_ names: String...) -> String {
        do {
            let opened = try CaptureFiles(names.map(path)).inOrder()
            return (["\(opened.captures.count)"] + opened.notes).joined(separator: " | ")
        } catch {
            return "\(error.code.rawValue) \(error.message)".replacing(folder.path + "/", with: "@")
        }
    }

    @Test func partsAreOrderedByTheirFirstPackets() {
        // Broken: parts have the order of their names or arguments, or a long list is printed.
        let order = "files as one capture, in the order of their first packets:"
        #expect(outcome("five", "two") == "2 | 2 \(order) two, five")
        #expect(outcome("five", "none", "two") == "3 | 3 \(order) none, two, five")
        let leftOut = "left out, because they are not captures: README"
        #expect(outcome("nine", "parts") == "3 | 3 \(order) six, eight, nine | \(leftOut)")
        #expect(outcome("parts", "nine", "five", "two") == "5 | 5 \(order) two, five, six, eight, … | \(leftOut)")
    }

    @Test(arguments: ["text", "empty"]) func aNamedFileMustBeACapture(_ name: String) {
        // Broken: a file that is no capture is taken as an empty part, or the error names another file.
        let found = [outcome(name, "two"), outcome("two", name), outcome(name, name), outcome("parts", name)]
        #expect(found.allSatisfy { $0.hasPrefix("E0430 @\(name): ") && !$0.hasSuffix(": ") }, "\(found)")
    }

    @Test func whatIsMissingIsNamed() {
        // Broken: a missing file is an unreadable one, or a folder without captures is an empty capture.
        #expect(outcome("two", "absent") == "E0401 nothing matches `@absent`: there is no such file")
        #expect(outcome("two", "words") == "E0401 `@words` contains no capture")
    }

    @Test func onlyOneFileIsASingleFile() {
        // Broken: a folder is read as one file, or a pipe is read twice.
        for (names, isSingle) in [(["two"], true), (["text"], true), (["parts"], false), (["absent"], false)] {
            #expect(CaptureFiles(names.map(path)).isSingleFile == isSingle, "\(names)")
            #expect(!CaptureFiles(names.map(path) + [path("two")]).isSingleFile)
        }
    }
}
