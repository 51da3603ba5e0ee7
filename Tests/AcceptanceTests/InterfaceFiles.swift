import Foundation
import Testing

/// Splits a pcapng file of many interfaces into one file per interface, beside it. Each packet is then read only once
/// when all interfaces are replayed. Each file describes all interfaces, so that blocks stay unchanged, and contains
/// the packets of one.
struct InterfaceFiles {
    private let names: [String]
    private let folder: String

    private enum PcapngBlockType: UInt32 {
        case section = 0x0A0D_0D0A
        case interface = 1
        case statistics = 5
        case packet = 6
    }

    init(splitting path: String) throws {
        folder = path + ".by-interface"
        guard let file = try? Data(contentsOf: URL(filePath: path), options: .mappedIfSafe) else {
            names = []
            return
        }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var descriptions: [Range<Int>] = []
        var names: [String] = []
        // Adjacent blocks of one interface form one stretch.
        var stretches: [[Range<Int>]] = []
        file.withUnsafeBytes { bytes in
            var start = 0
            while start < bytes.count {
                let block = start..<(start + Int(bytes.word(at: start + 4)))
                switch PcapngBlockType(rawValue: bytes.word(at: start)) {
                case .section: descriptions.append(block)
                case .interface:
                    descriptions.append(block)
                    names.append(bytes.name(ofInterface: block))
                    stretches.append([])
                case .statistics, .packet:
                    let interface = Int(bytes.word(at: start + 8))
                    if let last = stretches[interface].last, last.upperBound == start {
                        stretches[interface][stretches[interface].count - 1] = last.lowerBound..<block.upperBound
                    } else {
                        stretches[interface].append(block)
                    }
                case nil: break
                }
                start = block.upperBound
            }
        }
        for (index, own) in stretches.enumerated() {
            var piece = Data()
            for range in descriptions + own { piece += file[range] }
            try piece.write(to: URL(filePath: "\(folder)/\(index)"))
        }
        self.names = names
    }

    /// Path of an interface's file. `nil` if the file had no such interface.
    func path(of name: String) -> String? { names.firstIndex(of: name).map { "\(folder)/\($0)" } }
}

extension UnsafeRawBufferPointer {
    fileprivate func word(at offset: Int) -> UInt32 {
        UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// Reads the option `if_name` of an interface description.
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
