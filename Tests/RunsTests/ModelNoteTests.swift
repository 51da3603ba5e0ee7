import DeadzoneBase
import DeadzoneDevice
import DeadzoneMetrics
import DeadzoneTestKit
import Testing

@testable import DeadzoneRuns

@Suite struct ModelNoteTests {
    @Test func everyShippedPlatformNamesItsSources() throws {
        // Broken: the assumed energy of wake-ups is presented as measured, or a number has no source.
        var assumed = 0
        for shipped in ShippedPlatform.all {
            let note = ModelNote(shipped.platform)
            #expect(note.name == shipped.name && !note.sources.isEmpty, "\(shipped.name)")
            #expect(Set(note.sources).count == note.sources.count && !note.sources.contains(""))
            #expect(note.assumed.allSatisfy { $0.split(separator: " ").count >= 2 })
            assumed += note.assumed.count { $0.hasPrefix("processor.wake-up ") && $0.hasSuffix("J") }
        }
        #expect(assumed == ShippedPlatform.all.count, "every wake-up energy is still an assumption")
        let android = try #require(ShippedPlatform.all.first { $0.name == "android-15" })
        #expect(ModelNote(android.platform).assumed.first == "processor.wake-up 100mJ")
        var own = android.platform
        own.wakeEnergy = .zero
        #expect(!ModelNote(own).assumed.contains { $0.hasPrefix("processor.wake-up ") })
        own.name = "mine"
        #expect(ModelNote(own) == ModelNote(name: "mine", sources: [], assumed: []))
    }
}
