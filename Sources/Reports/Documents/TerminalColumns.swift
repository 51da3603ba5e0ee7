import DeadzoneBase

extension Unicode.Scalar {
    var isPlain: Bool { TerminalEscaper.isPlain(self) }

    /// Terminal columns of this character: 2 for East Asian wide characters and emoji, 0 for combining marks, otherwise
    /// 1. The wide blocks are those of Unicode's EastAsianWidth.txt that are entirely wide.
    fileprivate var columns: Int {
        if isASCII { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: break
        }
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
            0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}

extension String {
    /// Terminal columns of a text without control characters.
    package var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }

    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - columns)) }
}
