import DeadzoneHost
import Foundation
import Testing

@testable import DeadzoneCommand

/// Real captures with known counts, kept outside the repository. `DEADZONE_CAPTURES` names their folder.
struct CaptureTruthTests {
    private static let folder = ProcessInfo.processInfo.environment["DEADZONE_CAPTURES"].flatMap {
        $0.isEmpty ? nil : $0
    }

    private typealias Row = [String: String]

    private static func rows() throws -> [Row] {
        let text = try String(contentsOfFile: (folder ?? "") + "/truth.tsv", encoding: .utf8)
        let lines = text.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        let names = lines[0].map(String.init)
        return lines.dropFirst().map { cells in
            Dictionary(uniqueKeysWithValues: zip(names, cells.map(String.init)))
        }
    }

    /// Accepted counts of a row. The reference decoder's count is accepted if it read the link type and libpcap read
    /// all packets; otherwise that of tshark. Where the two disagree about malformed headers, both are accepted.
    private func accepted(_ row: Row, _ column: String) -> Set<Int> {
        let (library, shark) = (Int(row[column] ?? "") ?? 0, Int(row["ws_" + column] ?? "") ?? 0)
        switch row["agree"] {
        case "na", "count": return [shark]
        case "no": return [library, shark]
        default: return [library]
        }
    }

    @Test(.enabled(if: folder != nil, "DEADZONE_CAPTURES names no folder of captures"))
    func everyCaptureHasItsKnownCounts() throws {
        // Broken: the counts of a real capture differ from those of libpcap and tshark.
        let rows = try Self.rows()
        for row in rows {
            let name = row["file"] ?? ""
            let outcome = try TestWorkspace().run("replay \(Self.folder ?? "")/\(name) --json")
            #expect(outcome.code == .ok, "\(name): \(outcome.errors)")
            let document = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
            let capture = try #require(document?["capture"] as? [String: Any], "\(name)")
            func number(_ key: String) -> Int { (capture[key] as? NSNumber)?.intValue ?? -1 }
            let isByShark = ["na", "count"].contains(row["agree"])
            #expect(number("packets") == Int(row[isByShark ? "ws_packets" : "lp_packets"] ?? ""), "\(name)")
            for (key, column) in [
                ("ipv4_tcp", "tcp4"), ("ipv6_tcp", "tcp6"), ("ipv4_udp", "udp4"), ("ipv6_udp", "udp6"),
                ("tcp_flows", "tcp_flows"), ("udp_flows", "udp_flows"),
            ] {
                #expect(accepted(row, column).contains(number(key)), "\(name): \(key) is \(number(key))")
            }
            try expectTimes(capture, row, isByShark: isByShark)
            if !isByShark {
                #expect(number("bytes") == Int(row["wire_bytes"] ?? ""), "\(name)")
                #expect(number("captured_bytes") == Int(row["captured_bytes"] ?? ""), "\(name)")
                #expect(number("clipped_packets") == Int(row["snapped"] ?? ""), "\(name)")
                #expect(number("time_reversals") == Int(row["backward_steps"] ?? ""), "\(name)")
            }
            let isBroken = row["class"] == "READ_ERROR" && row["agree"] != "count"
            #expect((capture["error"] is NSNull) == !isBroken, "\(name)")
            #expect(outcome.errors.isEmpty == !isBroken, "\(name): \(outcome.errors)")
        }
        #expect(rows.count > 0)
    }

    /// Compares the first and the last time. Older versions of libpcap return seconds from 2^31 upwards 2^32 too low.
    private func expectTimes(_ capture: [String: Any], _ row: Row, isByShark: Bool) throws {
        func seconds(_ column: String) -> Double? {
            let text = row[isByShark ? "ws_" + column : column] ?? ""
            guard let value = Double(text.isEmpty ? row[column] ?? "" : text) else { return nil }
            return value < 0 ? value + 4_294_967_296 : value
        }
        for (key, column) in [("first_s", "first_ts"), ("last_s", "last_ts")] {
            guard let expected = seconds(column) else { continue }
            let found = (capture[key] as? NSNumber)?.doubleValue ?? .nan
            #expect(abs(found - expected) < 1e-6, "\(row["file"] ?? ""): \(key) is \(found), not \(expected)")
        }
    }
}
