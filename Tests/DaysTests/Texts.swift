@testable import DeadzoneCaptures

/// Helpers for tests that read histories from text.
enum HistoryText {
    /// Reads the bytes as a file, in pieces of `piece` bytes.
    static func read(_ bytes: [UInt8], piece: Int = 1 << 16) throws(DayFault) -> BatteryHistory {
        var given = 0
        return try DayFile.history { buffer throws(DayFault) in
            let count = min(buffer.count, piece, bytes.count - given)
            bytes.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[given..<(given + count)])) }
            given += count
            return count
        }
    }

    /// A long history with these entries, each a time and changes.
    static func long(_ entries: [(String, String)], headline: String = "0% used, 1KB used of 4096KB") -> String {
        "Battery History (\(headline), 3 strings using 80):\n"
            + entries.map { "          \($0.0) (2) \($0.1)\n" }.joined() + "\n"
    }

    static func day(_ text: String, app: String? = nil) throws -> PhoneDay {
        PhoneDay(try read(Array(text.utf8)), app: app)
    }

    /// The stretches of a lane in one line: `0 off, 1000 on`.
    static func text<Value>(_ lane: Lane<Value>) -> String {
        lane.stretches.map { "\($0.start) \($0.value)" }.joined(separator: ", ")
    }
}
