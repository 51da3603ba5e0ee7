import DeadzoneKit
import DeadzoneTestKit
import Testing

@testable import mine

/// Requirements for the strategy of this package. `swift test` runs in the folder of the package.
struct LiftTests {
    @Test func theLiftCostsLittleAndLosesNothing() throws {
        let run = try trial(Mine.self, in: "lift.yaml")
        #expect(run.zombie.max < .minutes(4))
        #expect(run.delivery.down.lost == 0)
        #expect(run.connection.handshakes >= 2)
        #expect(try run.value(of: "battery.joules") > 0)
    }

    @Test func isLawful() {
        var settings = SettingsReader.describing(Mine.name)
        checkStrategyLaws(Mine(&settings), length: 1, seeds: 10)
    }
}
