import DeadzoneCommand
import Foundation
import Testing

/// Simulated packets, replayed with the profile that they were simulated with, give the simulated energy back.
struct RoundTripTests {
    private struct Broken: Error { let errors: String }

    private struct Energies {
        var simulated = 0.0
        var replayed = 0.0
    }

    /// What the cellular radio spent, without search and handover, and what a replay of its packets says. Time of search and
    /// handover is idle to a replay: nothing in a capture tells it apart.
    private func energies(_ path: String, _ strategy: String, _ profile: String, _ workshop: Workshop) throws
        -> Energies?
    {
        let run = workshop.run(
            "run \(path) --strategy \(strategy.replacing(" ", with: "\u{a0}")) --replicas 1 --json --exit-zero --format json,pcapng --out @out"
        )
        guard run.code == .ok else { throw Broken(errors: run.errors) }
        let result = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let states = try #require((result["strategies"] as? [[String: Any]])?.first)
        let joules = try #require((states["energy"] as? [String: Any])?["by_state"] as? [String: NSNumber])
        let seconds = try #require((states["radio"] as? [String: Any])?["cellular"] as? [String: NSNumber])
        let duration = try #require((result["scenario"] as? [String: Any])?["duration_s"] as? NSNumber).doubleValue
        let replay = workshop.run(
            "replay @out/packets.pcapng --interface cellular --profile \(profile) --from 0 --until \(duration) --json")
        if replay.errors.contains("unknown interface"), try !workshop.data("out/packets.pcapng").isEmpty { return nil }
        guard replay.code == .ok else { throw Broken(errors: replay.errors) }
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(replay.output.utf8)) as? [String: Any])
        let radio = try #require(document["radio"] as? [String: Any])
        let apart = ["search", "handover"]
        let lost = apart.reduce(0) { $0 + (seconds[$1]?.doubleValue ?? 0) }
        let idle = (radio["states"] as? [[String: Any]])?.first { $0["state"] as? String == "idle" }
        var idlePower = 0.0
        if let idle, let spent = idle["joules"] as? NSNumber, let time = idle["seconds"] as? NSNumber {
            idlePower = time.doubleValue > 0 ? spent.doubleValue / time.doubleValue : 0
        }
        let simulated = joules.filter { $0.key.hasPrefix("cellular.") }
            .filter { !apart.contains(String($0.key.dropFirst(9))) }.reduce(0) { $0 + $1.value.doubleValue }
        return Energies(
            simulated: simulated, replayed: try #require(radio["joules"] as? NSNumber).doubleValue - lost * idlePower)
    }

    /// Broken: the two ideas of one radio have parted. LTE and NR within 1 %; UMTS within 3 %, since a network decides on all
    /// that waits for a promotion together, and a capture shows packet after packet.
    @Test(arguments: [
        ("lte-verizon-2021", 0.01), ("lte-att-2012-aro", 0.01), ("nr-nsa-low-tmobile-2021", 0.01),
        ("nr-sa-low-tmobile-2021", 0.01), ("umts-att-i997", 0.03), ("umts-teliasonera", 0.03),
    ])
    func `every technology`(_ profile: String, _ bound: Double) throws {
        let workshop = try Workshop()
        let scenario = """
            version: 1
            name: There and back
            duration: 20m
            replicas: 1
            phone: {battery: 15.4Wh, radios: {cellular: \(profile)}}
            traffic: {down: {every: 40s, arrivals: poisson, size: 300B}, up: {every: 90s, arrivals: poisson, size: 2KiB}}
            strategies:
              calm: {strategy: patient, ping: 5m}

            """
        try workshop.write("back.yaml", scenario)
        let energies = try #require(try energies("@back.yaml", "calm", profile, workshop))
        #expect(abs(energies.replayed / energies.simulated - 1) < bound, "\(energies)")
        #expect(energies.simulated > 10)
    }

    /// Why a shipped scenario is not compared. Each is a limit of captures or of this test, none of the radio.
    private enum Skip: String, CaseIterable {
        /// No cellular radio of LTE or NR: UMTS and Wi-Fi have laws of their own.
        case otherRadio
        /// Many worlds in one file; what differs between them are numbers, not how packets are written.
        case matrix
        /// A capture is of one phone.
        case manyPhones
        /// One profile cannot replay two.
        case changesTechnology
        /// All of its packets go over Wi-Fi.
        case nothingOverCellular

        init?(_ text: String) throws {
            let cellular = try Regex(#"cellular: *(?:lte|nr)[\w-]+"#)
            if text.contains("\nmatrix:") {
                self = .matrix
            } else if text.contains("\nphones:") {
                self = .manyPhones
            } else if text.contains("technology:") {
                self = .changesTechnology
            } else if !text.contains(cellular) {
                self = .otherRadio
            } else {
                return nil
            }
        }
    }

    /// Broken: a shipped world does something to its radio that packets do not show. Within 1 %, and within 3 % where coverage
    /// goes: that cuts a tail short, which no packet shows.
    @Test func `shipped scenarios of one phone`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Scenarios")
        let cellular = try Regex(#"cellular: *((?:lte|nr)[\w-]+)"#, as: (Substring, Substring).self)
        let first = try Regex(#"\nstrategies:\n(?:\s*#.*\n)*  ([\w][^:\n]*):"#, as: (Substring, Substring).self)
        let paths = try #require(FileManager.default.enumerator(atPath: root.path())).compactMap { $0 as? String }
        let shelves = ["profiles/", "strategies/"]
        var (compared, skipped) = ([String](), [Skip: [String]]())
        for path in paths.sorted() where path.hasSuffix(".yaml") && !shelves.contains(where: path.hasPrefix) {
            let file = root.appending(path: path).path()
            let text = try String(contentsOfFile: file, encoding: .utf8)
            if let skip = try Skip(text) {
                skipped[skip, default: []].append(path)
                continue
            }
            let profile = try #require(text.firstMatch(of: cellular)?.1)
            let strategy = try #require(text.firstMatch(of: first)?.1, "\(path) names no strategy")
            guard let energies = try energies(file, String(strategy), String(profile), try Workshop()) else {
                skipped[.nothingOverCellular, default: []].append(path)
                continue
            }
            compared.append(path)
            let bound = text.contains("dead-zone") ? 0.03 : 0.01
            #expect(abs(energies.replayed / energies.simulated - 1) < bound, "\(path): \(energies)")
        }
        for (skip, paths) in skipped { print("not compared, \(skip.rawValue): \(paths.joined(separator: ", "))") }
        print("\(compared.count) compared, \(skipped.values.reduce(0) { $0 + $1.count }) not")
        #expect(compared.count > 20)
    }
}
