import DeadzoneBase
package import DeadzoneCaptures
package import DeadzoneHost

/// The files and folders that together make up one packet capture, such as the numbered parts that `tcpdump -C` writes.
/// A folder stands for all captures in it. The parts are ordered by their first packet, regardless of file names.
package struct CaptureFiles {
    private static let maximumListed = 4
    private let paths: [String]

    init(_ paths: [String]) { self.paths = paths }

    /// `true` for a single file or pipe. A pipe can be read only once.
    var isSingleFile: Bool { paths.count == 1 && ![.folder, .missing].contains(Files.kind(of: paths[0])) }

    func inOrder() throws(ToolFault) -> (captures: [CapturePart], notes: [String]) {
        var captures: [CapturePart] = []
        var foreign: [String] = []
        for path in paths {
            switch Files.kind(of: path) {
            case .missing:
                throw ToolFault(
                    .nothingMatched, "nothing matches `\(visible(path, atMost: 200))`: there is no such file",
                    help: ["name pcap or pcapng files, or a folder of them"])
            case .folder:
                let found = try Self.captures(in: path)
                captures += found.captures
                foreign += found.foreign
            case .file, .other:
                var part = Self.part(path)
                do throws(CaptureFault) { try part.peek() } catch { throw .unreadableCapture(path, error) }
                captures.append(part)
            }
        }
        captures = captures.enumerated().sorted {
            ($0.element.first ?? .epoch, $0.offset) < ($1.element.first ?? .epoch, $1.offset)
        }.map(\.element)
        func list(_ names: [String]) -> String {
            names.prefix(Self.maximumListed).joined(separator: ", ") + (names.count > Self.maximumListed ? ", …" : "")
        }
        var notes = [
            "\(captures.count) files as one capture, in the order of their first packets: \(list(captures.map(\.name)))"
        ]
        if !foreign.isEmpty { notes.append("left out, because they are not captures: \(list(foreign))") }
        return (captures, notes)
    }

    private static func captures(
        in folder: String
    ) throws(ToolFault) -> (captures: [CapturePart], foreign: [String]) {
        let names: [String]
        do throws(SystemFault) { names = try Files.names(in: folder) } catch { throw .unreadable(error) }
        var captures: [CapturePart] = []
        var foreign: [String] = []
        for name in names where !name.hasPrefix(".") {
            let path = folder + (folder.hasSuffix("/") ? "" : "/") + name
            guard Files.kind(of: path) == .file else { continue }
            var part = part(path)
            do throws(CaptureFault) {
                try part.peek()
                captures.append(part)
            } catch {
                foreign.append(part.name)
            }
        }
        guard !captures.isEmpty else {
            throw ToolFault(
                .nothingMatched, "`\(visible(folder, atMost: 200))` contains no capture",
                help: ["subfolders are not searched; name one of them"])
        }
        return (captures, foreign)
    }

    /// Opens one file as part of a capture. Its name excludes the folder, so that a result is the same from any
    /// folder.
    private static func part(_ path: String) -> CapturePart {
        let name = visible(path.split(separator: "/").last.map(String.init) ?? path, atMost: 100)
        return CapturePart(name: name) { () throws(SourceFailure) in
            do throws(SystemFault) { return try source(path) } catch { throw SourceFailure(error.message) }
        }
    }

    static func source(_ path: String) throws(SystemFault) -> ByteSource { source(try ByteFile(path)) }

    package static func source(_ file: ByteFile) -> ByteSource {
        { buffer throws(SourceFailure) in
            do throws(SystemFault) { return try file.read(buffer) } catch { throw SourceFailure(error.message) }
        }
    }

    /// A source of bytes that were already read.
    package static func source(of bytes: [UInt8]) -> ByteSource {
        var given = 0
        return { buffer throws(SourceFailure) in
            let count = min(buffer.count, bytes.count - given)
            bytes.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[given..<(given + count)])) }
            given += count
            return count
        }
    }
}
