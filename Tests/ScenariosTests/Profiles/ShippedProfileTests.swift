import DeadzoneBase
import DeadzoneDevice
import DeadzoneScenarios
import DeadzoneShipped
import DeadzoneTestKit
import Foundation
import Testing

@Suite struct ShippedProfileTests {
    @Test func theListEqualsTheFolder() throws {
        // Broken: a profile in the folder is not built into the program, or only an old version of it is.
        let folder = Repository.root + "/Scenarios/profiles"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }
            .sorted()
        #expect(files == shippedProfiles.map { $0.name + ".yaml" })
        for profile in shippedProfiles {
            #expect(try String(contentsOfFile: "\(folder)/\(profile.name).yaml", encoding: .utf8) == profile.text)
        }
        #expect(!files.isEmpty)
    }

    @Test(arguments: shippedProfiles.map(\.name))
    func everyNumberHasASource(_ name: String) throws {
        // Broken: a shipped profile does not load, or has a number without a source that is not marked as an
        // assumption.
        let reading = try #require(Shipped.reading(name))
        let sheet = reading.sheet
        #expect(sheet.name == name)
        #expect(!sheet.about.isEmpty)
        for row in sheet.numbers {
            #expect(row.trust != .user, "\(row.parameter) has no trust")
            #expect(!row.source.isEmpty || row.trust == .assumed, "\(row.parameter) has no source")
        }
        #expect(sheet.numbers.count > 10)
        #expect(!sheet.assumptions.isEmpty)
    }

    @Test func modernProfilesMarkUnmeasuredNumbers() throws {
        // Broken: the idle power or promotion power of 2021 is presented as measured.
        for name in shippedProfiles.map(\.name) where name.contains("2021") {
            let assumed = try #require(Shipped.reading(name)).sheet.assumptions.map(\.parameter)
            let expected = ["idle-power", "search-power", "long-drx-on-time"]
            #expect(Set(expected).isSubset(of: assumed), "\(name): \(assumed)")
            #expect(assumed.contains("promotion-power") == !name.hasPrefix("nr-sa"))
            #expect(
                assumed.contains("inactivity-time") == !["lte-verizon", "nr-nsa-low"].contains { name.hasPrefix($0) })
        }
    }
}

/// Reads shipped profiles as the program does.
enum Shipped {
    static let texts = shippedProfiles.map { ProfileText(name: $0.name, text: $0.text) }

    static func reading(_ name: String) -> ParsedProfile? {
        let text = texts.first { $0.name == name }!.text
        let (reading, faults) = read(text, as: name)
        for fault in faults.sorted { Issue.record("\(name): \(fault)") }
        return reading
    }

    static func read(_ text: String, as name: String) -> (ParsedProfile?, Faults) {
        let composition = compose(Array(text.utf8))
        guard let node = composition.node else { return (nil, composition.faults) }
        var settings = SettingsReader(node, of: "profile \(name)", faults: composition.faults)
        let reading = ProfileReader(inheritingFrom: texts).read(&settings)
        settings.finish()
        return (settings.faults.isEmpty ? reading : nil, settings.faults)
    }
}
