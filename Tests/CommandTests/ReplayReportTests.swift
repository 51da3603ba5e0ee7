import DeadzoneCommand
import DeadzoneTestKit
import Foundation
import Testing

/// Reports of `replay` for readers: pages, tables, Markdown.
struct ReplayReportTests {
    /// Capture of the given length: every 30 s a phone sends one byte to a server, which answers with 900 bytes.
    static func capture(seconds: Int) -> Data {
        var file = PcapWriter(linkType: 1)
        for second in stride(from: 0, to: seconds, by: 30) {
            let at = UInt64(1_700_000_000 + second) * 1_000_000_000
            let sequence = UInt32(1 + second)
            file.add(
                PacketBytes.ethernet(PacketBytes.ipv4(PacketBytes.tcp(40_000, 443, sequence: sequence, payload: [1]))),
                at: at)
            file.add(
                PacketBytes.ethernet(
                    PacketBytes.ipv4(
                        PacketBytes.tcp(443, 40_000, sequence: sequence, payload: [UInt8](repeating: 7, count: 900)),
                        from: PacketBytes.server, to: PacketBytes.phone)), at: at + 80_000_000)
        }
        return Data(file.bytes)
    }

    /// Broken: a format is missing, empty, or has other numbers than the JSON.
    @Test func `every format has the same joules`() throws {
        let workspace = try TestWorkspace()
        try Self.capture(seconds: 600).write(to: URL(filePath: workspace.file("phone.pcap")))
        let outcome = workspace.run("replay @phone.pcap --format json,html,csv,md --out @out --json")
        #expect(outcome.code == .ok, "\(outcome.errors)")
        func text(_ name: String) throws -> String {
            try String(contentsOfFile: workspace.file("out/" + name), encoding: .utf8)
        }
        #expect(try text("replay.json") == outcome.output)
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        let radio = try #require(document["radio"] as? [String: Any])
        let joules = try #require(radio["joules"] as? NSNumber).doubleValue
        let csv = try text("replay.csv")
        let row = try #require(csv.components(separatedBy: "\r\n").first { $0.contains(",radio,") })
        #expect(Double(row.split(separator: ",").last ?? "") == joules)
        #expect(try text("replay.md").contains(String(format: "**%.2f J**", joules)))
        let page = try text("replay.html")
        #expect(page.contains("class=\"r-tail\"") && page.contains("class=\"e-line\"") && page.contains("</html>"))
        #expect(joules > 3 && page.contains("repeats every 30"))
    }

    /// Broken: the size of a page grows with the length of the capture, or joining the cells of the picture loses
    /// energy.
    @Test func `a day stays small`() throws {
        let workspace = try TestWorkspace()
        try Self.capture(seconds: 86_400).write(to: URL(filePath: workspace.file("day.pcap")))
        let page = workspace.run("replay @day.pcap --format html")
        #expect(page.code == .ok, "\(page.errors)")
        #expect(page.output.utf8.count < 600_000, "\(page.output.utf8.count) bytes")
        #expect(workspace.run("replay @day.pcap --format html").output == page.output)
        #expect(page.output.contains("Each column is"))
    }

    /// Broken: several formats are written to one output, or an unknown format is accepted.
    @Test(arguments: ["--format html,csv", "--json --format html", "--format pdf"])
    func `refuses`(_ flags: String) throws {
        let workspace = try TestWorkspace()
        try Self.capture(seconds: 30).write(to: URL(filePath: workspace.file("phone.pcap")))
        let outcome = workspace.run("replay @phone.pcap " + flags)
        #expect(outcome.code == .usage && !outcome.output.contains("deadzone/replay/1"))
        #expect(!(outcome.errors + outcome.output).isEmpty)
    }
}
