import Foundation
import Testing

/// A pcapng file of many interfaces as one file for each, beside it: who asks after every interface reads each packet once.
struct InterfaceFiles {
    private let names: [String]
    private let folder: String

    private enum Block: UInt32 {
        case section = 0x0A0D_0D0A
        case interface = 1
        case statistics = 5
        case packet = 6
    }

    init(cutting path: String) throws {
        folder = path + ".by-interface"
        guard let file = try? Data(contentsOf: URL(filePath: path), options: .mappedIfSafe) else {
            names = []
            return
        }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var header = Data()
        var names: [String] = []
        var pieces: [Data] = []
        var start = 0
        while start < file.count {
            let type = file.word(at: start)
            let block = start..<(start + Int(file.word(at: start + 4)))
            switch Block(rawValue: type) {
            case .section: header = file[block]
            case .interface:
                names.append(file.name(ofInterface: block))
                pieces.append(header + file[block])
            case .statistics, .packet:
                var ofFirst = Data(file[block])
                ofFirst.replaceSubrange(8..<12, with: [0, 0, 0, 0])
                pieces[Int(file.word(at: start + 8))] += ofFirst
            case nil: break
            }
            start = block.upperBound
        }
        for (index, piece) in pieces.enumerated() { try piece.write(to: URL(filePath: "\(folder)/\(index)")) }
        self.names = names
    }

    /// Nil if the file had no such interface.
    func path(of name: String) -> String? { names.firstIndex(of: name).map { "\(folder)/\($0)" } }
}

extension Data {
    fileprivate func word(at offset: Int) -> UInt32 {
        withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
    }

    /// The option `if_name` of a description of an interface.
    fileprivate func name(ofInterface block: Range<Int>) -> String {
        var option = block.lowerBound + 16
        while option + 4 <= block.upperBound - 4 {
            let (code, length) = (word(at: option) & 0xFFFF, Int(word(at: option) >> 16))
            if code == 2 { return String(decoding: self[(option + 4)..<(option + 4 + length)], as: UTF8.self) }
            option += 4 + (length + 3) / 4 * 4
        }
        return ""
    }
}
